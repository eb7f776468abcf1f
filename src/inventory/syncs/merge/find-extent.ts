/**
 * Part of a file that a sync has to hold against the database: all of it, the groups of rows that differ from the last file of its source, or
 * nothing. What is known of the last file holds only while nothing else that a sync depends on has changed.
 */
import type { FillableApp } from '../../catalog/index.ts';
import type { SyncSource } from '../../sources/index.ts';
import type { ReadFile } from '../rows/index.ts';
import { type LastSync, type Observed, type TimedScope, findContent, findLastSync, findPeopleDigest } from '../record/index.ts';
import type { Difference, RowGroups } from '../columns/index.ts';
import { hasOtherSources } from './store-difference.ts';
import { hasChangedAttributes } from './store-scope.ts';

/** Workplace of an import: inside its transaction, the app locked. */
export interface Place {
  readonly timed: TimedScope;
  readonly app: FillableApp;
  readonly source: SyncSource;
  /** True if this file makes the app. */
  readonly isNewApp: boolean;
}

/** A file with its rows in groups, and what their digests are made with. */
export interface GroupedFile {
  readonly file: ReadFile;
  readonly groups: RowGroups;
  readonly digestKey: Buffer;
  readonly observed: Observed;
}

/** Part that is compared. */
export type Extent =
  | { readonly kind: 'NOTHING'; readonly last: LastSync }
  | { readonly kind: 'SOME'; readonly differing: Difference; readonly peopleDigest: string }
  | { readonly kind: 'ALL'; readonly peopleDigest: string };

/** From this part of the groups on, comparing all is no slower than looking up some. */
const maxShare = 0.25;
/** So few rows are looked up in any case. */
const fewRows = 10_000;

/** A request that came before the sync may have been worked on after it. */
const longestRequestMs = 3_600_000;

/** Finds how much of the file has to be compared. A file with errors is read whole, so that all of them are reported. */
export async function findExtent(place: Place, { file, groups, digestKey }: GroupedFile): Promise<Extent> {
  const { timed, app, source } = place;
  const { context } = timed;
  // Before accounts are matched: whatever people change later shows with the next sync.
  const peopleDigest = await findPeopleDigest(context);
  const all: Extent = { kind: 'ALL', peopleDigest };
  const last = await findLastSync(context, app.id, source.lastSyncId);
  if (last === undefined || !last.isCurrent || source.updatedAt > last.startedAt || file.errors.list().count > 0) {
    return all;
  }
  if (peopleDigest !== last.peopleDigest) {
    return all;
  }
  const content = await findContent(context, source.id);
  if (content?.syncId !== last.id || content.reading !== file.reading) {
    return all;
  }
  if (file.hasProfiles && (await hasChangedAttributes(context, new Date(last.startedAt.getTime() - longestRequestMs)))) {
    return all;
  }
  // The very bytes: the same warnings, on the same lines.
  if (last.fileSha256 === file.sha256 && last.readAs === file.readAs) {
    return { kind: 'NOTHING', last };
  }
  if (!content.digestKey.equals(digestKey)) {
    return all;
  }
  const differing = groups.compare(content.digests);
  if (differing.isEmpty) {
    return { kind: 'NOTHING', last };
  }
  const isFew = differing.share <= maxShare || file.rowCount <= fewRows;
  return isFew && !(await hasOtherSources(context, app.id, source.sourceNo)) ? { kind: 'SOME', differing, peopleDigest } : all;
}
