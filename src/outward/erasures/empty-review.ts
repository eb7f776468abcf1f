/**
 * Empties one review, a piece at a time: names in its snapshot, comments, signatures, notes, mails, files of reports and the content of its events. Ids,
 * decisions, times and hashes stay, and so does every leaf of the log. Removals that belong to no review are emptied the same way.
 */
import type { Context } from '../../context.ts';
import { emptyEventsOfReview, recordEvent } from '../../foundation/audit/index.ts';
import { emptyMailsOfReview } from '../notifications/index.ts';
import { findReportOfReview, removeReportFile } from '../reports/index.ts';
import { emptyReviewRow } from '../../governance/reviews/index.ts';
import { emptyNotes } from '../../governance/revocations/index.ts';
import { emptySecondComments } from '../../governance/second-reviews/index.ts';
import { emptySignatures } from '../../foundation/signatures/index.ts';
import { emptySnapshotAccounts, emptySnapshotPeople } from '../../governance/snapshots/index.ts';
import { emptyComments, emptyItemKeys, listRemovalBatches, removePending } from '../../governance/tasks/index.ts';

/** Rows of one piece. */
const maxAtOnce = 2_000;
/** Events are emptied once they have their positions, which takes a moment. */
export const untilSealedMs = 2_000;

/** Progress in a review. */
export interface ReviewPlace {
  readonly step: number;
  readonly after: string;
  /** True where the rest needs events to be sealed first. */
  readonly waits?: boolean;
}

/** Does a piece; returns where it goes on in this step, '' where the step is done. */
type Step = (context: Context, reviewId: string, after: string) => Promise<string>;

const untilFewer =
  (work: (context: Context, reviewId: string, limit: number) => Promise<number>): Step =>
  async (context, reviewId) =>
    (await work(context, reviewId, maxAtOnce)) < maxAtOnce ? '' : 'more';

/** Does a step for a review, then for each batch of its removals: they freeze accounts under ids of their own. */
const withRemovals =
  (step: Step): Step =>
  async (context, reviewId, after) => {
    const [id = '', place = ''] = after === '' ? [reviewId] : after.split(' ');
    const next = await step(context, id, place);
    if (next !== '') {
      return `${id} ${next}`;
    }
    const ids = [reviewId, ...(await listRemovalBatches(context, reviewId))];
    return ids[ids.indexOf(id) + 1] ?? '';
  };

const steps: readonly Step[] = [
  withRemovals((context, id, after) => emptySnapshotAccounts(context, id, after, maxAtOnce)),
  (context, reviewId, after) => emptySnapshotPeople(context, reviewId, after, maxAtOnce),
  withRemovals(untilFewer(emptyComments)),
  untilFewer(emptySignatures),
  withRemovals(untilFewer(emptyItemKeys)),
  untilFewer(emptyNotes),
  untilFewer(emptyMailsOfReview),
  async (context, reviewId) => {
    await removePending(context, reviewId);
    await emptySecondComments(context, reviewId);
    const report = await findReportOfReview(context, reviewId);
    if (report === undefined) {
      return '';
    }
    await removeReportFile(context, report.id, 'The file was removed with the content of its review.');
    return 'more';
  },
];

/** Empties the batch of a removal that belongs to no review. */
export async function emptyRemoval(context: Context, removalId: string): Promise<void> {
  for (const id of await listRemovalBatches(context, removalId)) {
    await emptySnapshotAccounts(context, id, '', maxAtOnce);
    await emptyItemKeys(context, id, maxAtOnce);
    while ((await emptyComments(context, id, maxAtOnce)) === maxAtOnce);
  }
}

/** Does the next piece of a review; undefined where the review is empty. */
export async function emptyNextOf(context: Context, reviewId: string, place: ReviewPlace): Promise<ReviewPlace | undefined> {
  const step = steps[place.step];
  if (step !== undefined) {
    const after = await step(context, reviewId, place.after);
    return after === '' ? { step: place.step + 1, after: '' } : { step: place.step, after };
  }
  const { count, unsealed } = await emptyEventsOfReview(context, reviewId, maxAtOnce);
  if (count + unsealed === maxAtOnce) {
    return place;
  }
  if (unsealed > 0) {
    return { ...place, waits: true };
  }
  await emptyReviewRow(context, reviewId);
  // It belongs to the tenant: an event of the review would have to be emptied, too.
  await recordEvent(context, { kind: 'reviews.emptied', targetId: context.tenantId, data: { reviewId } });
  return undefined;
}
