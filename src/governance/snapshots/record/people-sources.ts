/** Sources that reported people when a snapshot was taken, as its event recorded them. */
import type { Context } from '../../../context.ts';
import type { EventMap } from '../../../events/index.ts';
import { findEventData } from '../../../foundation/audit/index.ts';
import { findHead } from './store-digests.ts';

/** The sources with how many of their records were disputed; undefined where an earlier release took the snapshot, or none was taken. */
export async function findPeopleSources(context: Context, snapshotId: string): Promise<EventMap['review.snapshot_taken']['peopleSources']> {
  const head = await findHead(context, snapshotId);
  return head && (await findEventData(context, head.eventId, 'review.snapshot_taken'))?.peopleSources;
}
