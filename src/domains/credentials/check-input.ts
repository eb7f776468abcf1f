/**
 * What the members of a credential may be: name, lifespan, addresses, roles. All that is wrong is reported at once.
 */
import type { FieldViolation } from '../../errors.ts';
import { AppError } from '../../errors.ts';
import { findRole } from '../directory/index.ts';
import { cidrProblem, maxCidrBlocks } from './cidr.ts';

/** The members a credential's owner chooses. */
export interface CredentialInput {
  readonly displayName: string;
  readonly allowSourceCidr: readonly string[];
  readonly scopedRoles: readonly string[];
}

/** 30 days and 90 days; the third choice is none, for ever. */
const lifespansInSeconds: readonly number[] = [2_592_000, 7_776_000];
const maxNameLength = 256;

/** Throws INVALID_ARGUMENT with every violation; `ownerRoleIds` are all the owner holds, Basic User among them. */
export function checkInput(input: CredentialInput, ownerRoleIds: readonly string[], expiresInSeconds?: number): void {
  const violations: FieldViolation[] = [];
  const add = (field: string, description: string) => violations.push({ field, description });
  const name = input.displayName.trim();
  if (name === '') {
    add('displayName', 'must not be empty');
  } else if (name.length > maxNameLength) {
    add('displayName', `must not be longer than ${maxNameLength} characters`);
  }
  if (expiresInSeconds !== undefined && !lifespansInSeconds.includes(expiresInSeconds)) {
    add('expires', 'must be 2592000s (30 days) or 7776000s (90 days), or absent for a credential that never expires');
  }
  if (input.allowSourceCidr.length > maxCidrBlocks) {
    add('allowSourceCidr', `must not have more than ${maxCidrBlocks} blocks`);
  }
  input.allowSourceCidr.slice(0, maxCidrBlocks).forEach((block, index) => {
    const problem = cidrProblem(block);
    if (problem !== undefined) {
      add(`allowSourceCidr[${index}]`, problem);
    }
  });
  input.scopedRoles.slice(0, 100).forEach((id, index) => {
    if (findRole(id) === undefined) {
      add(`scopedRoles[${index}]`, 'no role has this id');
    } else if (!ownerRoleIds.includes(id)) {
      add(`scopedRoles[${index}]`, 'the owner of the credential does not hold this role');
    }
  });
  if (input.scopedRoles.length > 100) {
    add('scopedRoles', 'must not have more than 100 members');
  }
  if (violations.length > 0) {
    const text = violations.map((one) => `${one.field}: ${one.description}`).join('; ');
    throw new AppError('INVALID_ARGUMENT', text, { violations });
  }
}
