/** Keeping with a snapshot what it leaves out and what it rests on, and the digests that its event has of all its rows. */
import type { Context } from '../../../context.ts';
import type { RowDigest } from '../../../lib/log/row-digest.ts';
import type { SnapshotPlace } from '../freeze/index.ts';
import { insertVerdicts, type SnapshotItems, type VerdictCount } from '../items/index.ts';
import { listSnapshotApps } from '../scope/index.ts';
import { findAllDigests, insertHead } from './store-digests.ts';
import { insertSources, insertUnchosen, listSourceCounts, type SourceCount } from './store-sources.ts';

/** Record of a snapshot. */
export interface SnapshotRecord {
  readonly verdicts: readonly VerdictCount[];
  readonly sources: readonly SourceCount[];
  readonly digests: Readonly<Record<string, RowDigest>>;
}

/** Completes the record of a snapshot that was just frozen, which the event `eventId` vouches for; the planner knows its accounts. */
export async function keepRecord(context: Context, place: SnapshotPlace, items: SnapshotItems, eventId: string): Promise<SnapshotRecord> {
  const appIds = await listSnapshotApps(context, place.id);
  await insertUnchosen(context, place.id, appIds);
  const verdicts = await insertVerdicts(context, items);
  await insertSources(context, place, appIds);
  await insertHead(context, place.id, eventId, place.revision);
  return { verdicts, sources: await listSourceCounts(context, place.id), digests: await findAllDigests(context, place.id) };
}

/** Returns the items among verdicts: grants of accounts, and links of resources. */
export function countItems(verdicts: readonly VerdictCount[]): number {
  return verdicts.reduce((sum, { verdict, grants }) => sum + (verdict === 'IN' ? grants : 0), 0);
}
