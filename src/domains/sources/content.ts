/**
 * What clients say of a source, and what of it is kept.
 */
import type { JsonObject } from '@bufbuild/protobuf';
import { AppError, type FieldViolation } from '../../errors.ts';
import { ConnectorSchema } from '../../gen/c1/api/app/v1/connector_pb.js';
import { canonicalise } from '../../wire/canonical.ts';
import { maxOwners } from '../catalog/index.ts';
import type { SourceContent } from './store.ts';
import { withoutSecrets } from './without-secrets.ts';

const maxNameLength = 200;
const maxDescriptionLength = 4000;
const maxConfigBytes = 65_536;

/** What a new source may take away without being allowed to, in percent; all of it where a client switches the check off. */
export const removalShares = { usual: 20, unchecked: 100 } as const;

/** Reads the members a client sent; INVALID_ARGUMENT with all that is wrong. `removalShare` is what holds until now. */
export function contentOf(sent: JsonObject, prefix: string, removalShare: number): SourceContent {
  // Its type is not ours, so it has no fixed form.
  const { config, ...members } = sent;
  const { displayName, description, userIds, disableCheckBadSync, ...document } = canonicalise(ConnectorSchema, members);
  const name = String(displayName ?? '').trim();
  const users = [...new Set((userIds ?? []) as string[])];
  const violations: FieldViolation[] = [];
  if (name === '') {
    violations.push({ field: `${prefix}displayName`, description: 'must not be empty' });
  } else if (name.length > maxNameLength) {
    violations.push({ field: `${prefix}displayName`, description: `must not be longer than ${maxNameLength} characters` });
  }
  if (String(description ?? '').length > maxDescriptionLength) {
    violations.push({ field: `${prefix}description`, description: `must not be longer than ${maxDescriptionLength} characters` });
  }
  if (users.length > maxOwners) {
    violations.push({ field: `${prefix}userIds`, description: `must not name more than ${maxOwners} people` });
  }
  const kept = config === undefined ? null : withoutSecrets(config as JsonObject);
  if (kept !== null && Buffer.byteLength(JSON.stringify(kept)) > maxConfigBytes) {
    violations.push({ field: `${prefix}config`, description: `must not be larger than ${maxConfigBytes} bytes` });
  }
  if (violations.length > 0) {
    throw new AppError('INVALID_ARGUMENT', 'The source is not valid.', { violations });
  }
  return {
    displayName: name,
    description: String(description ?? ''),
    userIds: users,
    document,
    config: kept,
    removalShare: shareOf(disableCheckBadSync === true, removalShare),
  };
}

/** The check for bad syncs is the guard against removals: off is a share of everything, and on again is the usual one. */
function shareOf(isUnchecked: boolean, before: number): number {
  if (isUnchecked) {
    return removalShares.unchecked;
  }
  return before === removalShares.unchecked ? removalShares.usual : before;
}

/** What a source says to clients, without what the server owns: what an update starts from. */
export function contentAsSent(row: SourceContent): JsonObject {
  return {
    ...row.document,
    ...(row.config === null ? {} : { config: row.config }),
    displayName: row.displayName,
    description: row.description,
    userIds: [...row.userIds],
    disableCheckBadSync: row.removalShare === removalShares.unchecked,
  };
}
