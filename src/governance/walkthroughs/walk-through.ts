/** One item from the file that brought it to the file that proves it gone, with the events of the log that prove each. */
import { orThrow } from '../../errors.ts';
import type { Context } from '../../context.ts';
import { type EventPlace, type EventsMeant, listEventPlaces } from '../../foundation/audit/index.ts';
import { checkTaskEvents, checkReviewEvents, sealFirst, type SomeChecked } from '../../foundation/log-proofs/index.ts';
import { requireEvidence, type ReviewRow } from '../reviews/index.ts';
import { findSync, listSyncsAt, type SyncRow } from '../../inventory/syncs/index.ts';
import { findItem, type ItemRow, listSourceNames } from './store-item.ts';

/** Most events that are named. */
const maxEvents = 100;
/** Events of the whole review that each of its items rests on. */
const kindsOfReview = ['review.snapshot_taken', 'review.prepared', 'review.started', 'review.closed', 'revocations.requested'] as const;

/** A file that was imported, by the name of its source. */
export interface NamedSync extends SyncRow {
  readonly sourceName: string;
}

/** An item with the files and the events that it rests on; a file is undefined where there was none. */
export interface Walkthrough {
  readonly review: ReviewRow;
  readonly item: ItemRow;
  readonly addedBy: NamedSync | undefined;
  readonly heldBy: NamedSync | undefined;
  readonly endedBy: NamedSync | undefined;
  readonly seenIn: NamedSync | undefined;
  readonly events: readonly EventPlace[];
  readonly checked: SomeChecked;
}

function eventsOf(reviewId: string, { taskId, grant, removal, submissionIds, appId }: ItemRow, syncs: readonly SyncRow[]): EventsMeant[] {
  return [
    { targetId: taskId },
    ...syncs.map(({ id }) => ({ targetId: id })),
    ...kindsOfReview.map((kind) => ({ targetId: reviewId, kind })),
    ...submissionIds.map((submissionId) => ({ targetId: reviewId, kind: 'review.submitted', data: { submissionId } })),
    ...(removal === null ? [] : [{ targetId: removal.id }]),
    // A file proves many removals at once, in one event of the app.
    ...(removal === null || removal.syncId === '' ? [] : [{ targetId: appId, data: { syncId: removal.syncId } }]),
    ...(grant === null || grant.sourceId !== '' ? [] : [{ targetId: appId, data: { revision: grant.addedRevision } }]),
  ];
}

/** Returns the walkthrough of an item, for the review's owners and those who read everything; NOT_FOUND for an item of another review. */
export async function walkThrough(context: Context, reviewId: string, taskId: string): Promise<Walkthrough> {
  const review = await requireEvidence(context, reviewId, 'walk through its items');
  const item = orThrow(await findItem(context, review.id, taskId), 'NOT_FOUND', 'This access review has no item with this id.');
  const { grant, removal } = item;
  const find = async (id: string | null | undefined): Promise<SyncRow | undefined> => (id ? findSync(context, id) : undefined);
  const frozenAt = review.sourcesFrozenAt;
  const held =
    grant === null || grant.sourceId === '' || frozenAt === null
      ? undefined
      : (await listSyncsAt(context, [grant.sourceId], frozenAt)).get(grant.sourceId);
  const [added, ended, seen] = [await find(grant?.addedBySyncId), await find(grant?.endedBySyncId), await find(removal?.syncId)];
  const syncs = [added, held, ended, seen].filter((sync) => sync !== undefined);
  const names = await listSourceNames(context, [...new Set(syncs.map(({ sourceId }) => sourceId))]);
  const named = (sync: SyncRow | undefined): NamedSync | undefined =>
    sync && { ...sync, sourceName: names.get(sync.sourceId) ?? sync.source };
  await sealFirst(context);
  const events = await listEventPlaces(context, eventsOf(review.id, item, syncs), maxEvents);
  return {
    review,
    item,
    addedBy: named(added),
    heldBy: named(held),
    endedBy: named(ended),
    seenIn: named(seen),
    events,
    checked: await checkTaskEvents(
      context,
      item.taskId,
      events.map(({ id }) => id),
      new Set(events.filter(({ kind }) => recordsItem(kind)).map(({ id }) => id)),
    ),
  };
}

/** True if an event recorded rows of single items: those of whole reviews and of whole files may be very many. */
function recordsItem(kind: string): boolean {
  return kind.startsWith('task.') || kind === 'review.submitted';
}

/** Holds a piece of a review's events, and the rows that they recorded, against the log. For whoever may walk through its items. */
export async function checkEvents(
  context: Context,
  reviewId: string,
  from: number,
): Promise<SomeChecked & { readonly next: number | undefined }> {
  const { id } = await requireEvidence(context, reviewId, 'check its events');
  await sealFirst(context);
  return checkReviewEvents(context, id, from);
}
