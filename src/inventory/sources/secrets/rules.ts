/** Limits of secrets of sources, and when a change of settings drops them. Pure. */
import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { type FieldViolation, refuseInvalid } from '../../../errors.ts';

/** A secret as it is sent: its value, or the name of the operator's file that holds it; '' for the other. */
export interface NewSecret {
  readonly name: string;
  readonly value: string;
  readonly fromFile: string;
}

/** Longest secret, in characters: a service account's key with its chain of certificates fits. */
export const maxSecretLength = 16_384;
/** Most secrets of one source. */
export const maxSecrets = 20;

const namePattern = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;
const filePattern = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$/;

/** True for the name of a file of the operator, without folders. */
export const isSecretFile = (name: string): boolean => filePattern.test(name);

/** Requires a name, and exactly one of value and file. INVALID_ARGUMENT with all that is wrong; no message repeats a value. */
export function requireGoodSecret({ name, value, fromFile }: NewSecret): void {
  const violations: FieldViolation[] = [];
  if (!namePattern.test(name)) {
    violations.push({ field: 'name', description: 'must be a letter or digit, then at most 63 letters, digits, hyphens or underscores' });
  }
  if ((value === '') === (fromFile === '')) {
    violations.push({ field: 'value', description: 'must be sent, or fromFile in its place, and not both' });
  }
  if (value.length > maxSecretLength) {
    violations.push({ field: 'value', description: `must not be longer than ${maxSecretLength} characters` });
  }
  if (fromFile !== '' && !isSecretFile(fromFile)) {
    violations.push({
      field: 'fromFile',
      description: 'must be the name of a file, without folders, that begins with a letter or a digit',
    });
  }
  refuseInvalid(violations);
}

const places = /^(url|uri|host|hostname|port|endpoint|baseurl|server|address|issuer|tenant|tenantid|account|domain|cloud)$/i;

/**
 * Returns where a source's settings lead, as a text to compare: the scheme, host and port of each address in them, and each member that names a
 * place, at any depth. Paths and queries are left out.
 */
export function placeOfSettings(config: JsonObject | null): string {
  return JSON.stringify(config === null ? [] : placesIn('', config).sort());
}

function placesIn(name: string, value: JsonValue): string[] {
  if (typeof value === 'object' && value !== null) {
    const members: [string, JsonValue][] = Array.isArray(value) ? value.map((one) => [name, one]) : Object.entries(value);
    return members.flatMap(([member, one]) => placesIn(member, one));
  }
  const text = String(value).trim().toLowerCase();
  const origin = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/.exec(text)?.[0];
  if (name === '@type' || origin !== undefined || places.test(name.replaceAll(/[_-]/g, ''))) {
    return [`${name.replaceAll(/[_-]/g, '').toLowerCase()} ${origin ?? text}`];
  }
  return [];
}
