/** The differences of a dry run as they are listed: of one kind, filtered, and by what is held. */
import { joinRight } from '~/text/join-names.ts';
import { foldForSearch } from '~/data/name-key.ts';
import type { Answer } from '~/screens/imports/send-import.ts';

export type Change = NonNullable<NonNullable<Answer['dryRun']>['differences']>[number];

export const changeKinds = ['SYNC_CHANGE_ADDED', 'SYNC_CHANGE_REMOVED', 'SYNC_CHANGE_CHANGED'] as const;
export type ChangeKind = (typeof changeKinds)[number];

/** Right given or taken away, and by whom it is held. */
export interface ChangeGroup {
  readonly right: string;
  readonly rows: readonly Change[];
}

/** The differences of a kind that hold a text. */
export function filterChanges(changes: readonly Change[], kind: ChangeKind, filter: string): Change[] {
  const wanted = foldForSearch(filter).trim();
  return changes.filter(
    (one) =>
      one.change === kind &&
      (wanted === '' ||
        [one.person, one.email, one.account, one.resource, one.entitlement].some((word) => foldForSearch(word ?? '').includes(wanted))),
  );
}

/** By entitlement of an app, the one with the most first. */
export function groupChanges(changes: readonly Change[], app: string): ChangeGroup[] {
  const groups = Map.groupBy(changes, ({ resourceType, resource, entitlement }) => JSON.stringify([resourceType, resource, entitlement]));
  return [...groups.values()]
    .map((rows) => ({ right: joinRight(app, rows[0]?.resource, rows[0]?.entitlement), rows }))
    .sort((one, other) => other.rows.length - one.rows.length || one.right.localeCompare(other.right));
}

/** Picks a kind where nobody chose: what is taken away, else what there is. */
export function firstKind(sync: NonNullable<Answer['import']>): ChangeKind {
  return Number(sync.removed ?? 0) > 0 ? 'SYNC_CHANGE_REMOVED' : Number(sync.added ?? 0) > 0 ? 'SYNC_CHANGE_ADDED' : 'SYNC_CHANGE_CHANGED';
}
