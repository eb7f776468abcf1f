/**
 * Closing a review that came by date and whose scope was empty at that moment: there is nobody to ask, and that it was looked at is evidence. It keeps its
 * snapshot with the sums and digests of any other, and no items.
 */
import type { Context } from '../../../context.ts';
import { newId } from '../../../wire/ids.ts';
import { recordEvent } from '../../../foundation/audit/index.ts';
import { listPeopleSources } from '../../../inventory/people/index.ts';
import { findItemsHash, keepRecord, snapshotItems } from '../../snapshots/index.ts';
import { insertTaskReview, updateTasksState } from '../../tasks/index.ts';
import { findSnapshotAccuracy } from '../evidence/index.ts';
import { findPredecessorId, freshSchedule, type ReviewRow, updateReview } from '../record/index.ts';
import { hashReview, readChosen } from '../scope/index.ts';

/** Keeps the snapshot that was just frozen, in which nothing is, and closes the review. `why` says why nothing is in it. */
export async function closeEmpty(context: Context, review: ReviewRow, revision: number, why: string): Promise<void> {
  const { id } = review;
  const eventId = newId(context.now);
  await insertTaskReview(context, id, review.ownerIds);
  await updateTasksState(context, id, 'CLOSED');
  const items = snapshotItems(context, { id, revision }, await readChosen(context, review), context.now, true);
  const kept = await keepRecord(context, { id, revision }, items, eventId);
  await updateReview(context, id, {
    ...freshSchedule,
    state: 'CLOSED',
    preparedRevision: revision,
    sourcesFrozenAt: context.now,
    scopeHash: await hashReview(context, review, revision, context.now),
    itemsHash: await findItemsHash(context, id),
    expectedTicketCount: 0,
    accuracy: await findSnapshotAccuracy(context, id),
    errorState: '',
    predecessorId: (await findPredecessorId(context, id)) ?? null,
    startedAt: context.now,
    closedAt: context.now,
    closeDecision: 'SKIP',
    arrived: 0,
    insights: `- **0 items:** ${why}. The review closed without asking anybody.`,
  });
  await recordEvent(context, {
    id: eventId,
    kind: 'review.snapshot_taken',
    targetId: id,
    data: { revision, items: 0, fallbackSubjects: 0, unassignedSubjects: 0, peopleSources: await listPeopleSources(context) },
    evidence: kept.digests,
  });
  await recordEvent(context, { kind: 'review.closed', targetId: id, data: { decision: 'SKIP', undecided: 0, arrived: 0, empty: why } });
}
