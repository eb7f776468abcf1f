/**
 * Session settings of a tenant: from which addresses each kind of credential may be used, and how long an access token lives at most. Pure;
 * changing them is change-settings.ts, and what acts on them is credential-state.ts. See docs/operations.md.
 */
import type { SessionSettingsJson } from '../../../gen/c1/api/settings/v1/settings_pb.js';
import { type AddressCheck, type CredentialKind, compileCidrs } from '../record/index.ts';

/** Members of SessionSettings that restrict addresses. */
export const sources = [
  'pccAdminSource',
  'pccUserSource',
  'ssoAdminSource',
  'ssoUserSource',
  'connectorSource',
  'externalClientSource',
] as const;

/** One of them. */
export type SourceName = (typeof sources)[number];

/** A token lives at least so long, or nobody could work. */
export const minSessionSeconds = 300;
/** And at most so long. */
export const maxSessionSeconds = 2_592_000;

/** The restriction that applies to a credential: people's by whether their holder is an administrator, programs' as external clients. */
export function sourceOf(kind: CredentialKind, isAdministrator: boolean): SourceName {
  if (kind === 'CONNECTOR') {
    return 'connectorSource';
  }
  if (kind === 'SERVICE') {
    return 'externalClientSource';
  }
  return isAdministrator ? 'pccAdminSource' : 'pccUserSource';
}

/** The blocks of a restriction; undefined where it is off. */
export function sourceBlocks(document: SessionSettingsJson, source: SourceName): readonly string[] | undefined {
  const { enabled, sourceCidr = [] } = document[source] ?? {};
  return enabled === true ? sourceCidr : undefined;
}

/** Compiles a restriction of addresses; one without blocks, which cannot be set, lets nobody pass. */
export function compileSource(document: SessionSettingsJson, source: SourceName): AddressCheck {
  const blocks = sourceBlocks(document, source);
  if (blocks === undefined) {
    return () => true;
  }
  return blocks.length === 0 ? () => false : compileCidrs(blocks);
}

/** The longest life of an access token in seconds; infinite where nothing is set. Durations are kept as on the wire: "3600s". */
export function maxTokenSeconds({ maxSessionLength }: SessionSettingsJson): number {
  return maxSessionLength === undefined ? Number.POSITIVE_INFINITY : Number(maxSessionLength.replace(/s$/, ''));
}
