/** Content that clients send of a source, and what of it is kept. */
import { AppError, type FieldViolation } from '../../errors.ts';
import { type ConnectorJson, ConnectorSchema } from '../../gen/c1/api/app/v1/connector_pb.js';
import { canonicalise } from '../../wire/canonical.ts';
import { maxOwners } from '../catalog/index.ts';
import { type FetchSettings, sourceSlot } from './slots.ts';
import type { SourceContent } from './store.ts';
import type { SourceKind } from './store-sync.ts';
import { withoutSecrets } from './without-secrets.ts';

const maxNameLength = 200;
const maxDescriptionLength = 4000;
const maxConfigBytes = 65_536;

/** Share that a new source may take away without being allowed to, in percent; all of it where a client switches the check off. */
export const removalShares = { usual: 20, unchecked: 100 } as const;

/** State of a source until now; its kind is undefined where it is made. */
export interface SourceBefore {
  readonly kind: SourceKind | undefined;
  readonly removalShare: number;
}

/** Reads the members a client sent; INVALID_ARGUMENT with all that is wrong. */
export function sourceContent(sent: ConnectorJson, prefix: string, before: SourceBefore): SourceContent {
  // Its type is not ours, so it has no fixed form.
  const { config, ...members } = sent;
  const { displayName = '', description = '', userIds, disableCheckBadSync, ...document } = canonicalise(ConnectorSchema, members);
  const name = displayName.trim();
  const users = [...new Set(userIds)];
  const violations: FieldViolation[] = [];
  if (name === '') {
    violations.push({ field: `${prefix}displayName`, description: 'must not be empty' });
  } else if (name.length > maxNameLength) {
    violations.push({ field: `${prefix}displayName`, description: `must not be longer than ${maxNameLength} characters` });
  }
  if (description.length > maxDescriptionLength) {
    violations.push({ field: `${prefix}description`, description: `must not be longer than ${maxDescriptionLength} characters` });
  }
  if (users.length > maxOwners) {
    violations.push({ field: `${prefix}userIds`, description: `must not name more than ${maxOwners} people` });
  }
  const clean = config === undefined ? null : withoutSecrets(config);
  const settings = clean === null ? undefined : sourceSlot.get().readSettings(clean);
  const kept = settings?.config ?? clean;
  violations.push(...listConfigFaults(settings, before.kind, prefix));
  if (kept !== null && Buffer.byteLength(JSON.stringify(kept)) > maxConfigBytes) {
    violations.push({ field: `${prefix}config`, description: `must not be larger than ${maxConfigBytes} bytes` });
  }
  if (violations.length > 0) {
    throw new AppError('INVALID_ARGUMENT', 'The source is not valid.', { violations });
  }
  return {
    kind: before.kind ?? settings?.kind ?? 'FILE',
    displayName: name,
    description,
    userIds: users,
    document,
    config: kept,
    removalShare: shareOf(disableCheckBadSync === true, before.removalShare),
  };
}

/** Lists what is wrong with settings. A source stays what it was made as: what it delivered came in that way. */
function listConfigFaults(settings: FetchSettings | undefined, kind: SourceKind | undefined, prefix: string): FieldViolation[] {
  const found = settings?.kind ?? (kind === 'SCIM' ? kind : 'FILE');
  if (kind !== undefined && kind !== found) {
    return [{ field: `${prefix}config`, description: `must stay that of a source of kind ${kind}` }];
  }
  return (settings?.violations ?? []).map(({ field, description }) => ({
    field: [`${prefix}config`, field].filter((part) => part !== '').join('.'),
    description,
  }));
}

/** The check for bad syncs is the guard against removals: off is a share of everything, and on again is the usual one. */
function shareOf(isUnchecked: boolean, before: number): number {
  if (isUnchecked) {
    return removalShares.unchecked;
  }
  return before === removalShares.unchecked ? removalShares.usual : before;
}

/** Shapes a source for clients, without what the server owns: what an update starts from. */
export function contentAsSent(row: Omit<SourceContent, 'kind'>): ConnectorJson {
  return {
    ...row.document,
    ...(row.config === null ? {} : { config: row.config }),
    displayName: row.displayName,
    description: row.description,
    userIds: [...row.userIds],
    disableCheckBadSync: row.removalShare === removalShares.unchecked,
  };
}
