/**
 * Figures of the people who decided in a review, for its owners and those who read everything. Figures show where to look: they judge nobody, and
 * no decision or outcome depends on them.
 */
import { type Context, inTransaction } from '../../../context.ts';
import {
  type FigureKey,
  type FlaggedReviewer,
  listFlaggedReviewers,
  listReviewerFigures as listFigures,
  type ReviewerFigureRow,
} from '../../tasks/index.ts';
import { type ReviewRow, findReview, requireEvidence } from '../record/index.ts';

/** The figures of one person, with those of the same person in the review before; null where they decided nothing there. */
export interface ReviewerFiguresView extends ReviewerFigureRow {
  readonly before: Pick<ReviewerFigureRow, 'decisions' | 'approvalRate' | 'secondsPerDecision'> | null;
}

/** Finds when the time to decide was over or will be: at the due date or the close, whichever comes first. */
function endOfDeciding(review: Pick<ReviewRow, 'document' | 'closedAt'>): Date | undefined {
  const due = review.document.completionDate ?? '';
  const ends = [...(due === '' ? [] : [new Date(due)]), ...(review.closedAt === null ? [] : [review.closedAt])];
  return ends.length === 0 ? undefined : new Date(Math.min(...ends.map((end) => end.getTime())));
}

/** A page of the people who decided in a review, those with most decisions first. */
export async function readReviewerFigures(
  context: Context,
  reviewId: string,
  after: FigureKey | undefined,
  limit: number,
): Promise<ReviewerFiguresView[]> {
  const review = await requireEvidence(context, reviewId, 'read figures of its reviewers');
  const before = review.predecessorId === null ? undefined : await findReview(context, review.predecessorId);
  return inTransaction(context, async (inside) => {
    const rows = await listFigures(inside, { reviewId: review.id, endsAt: endOfDeciding(review) }, after, limit);
    const userIds = rows.map(({ userId }) => userId);
    const earlier =
      before === undefined || before.state === 'DELETED' || rows.length === 0
        ? []
        : await listFigures(inside, { reviewId: before.id, endsAt: endOfDeciding(before), userIds }, undefined, userIds.length);
    const byUser = new Map(earlier.map((row) => [row.userId, row]));
    return rows.map((row) => ({ ...row, before: byUser.get(row.userId) ?? null }));
  });
}

/** The figures of these people in a review. */
export async function listReviewerFigures(context: Context, reviewId: string, userIds: readonly string[]): Promise<ReviewerFigureRow[]> {
  const review = await findReview(context, reviewId);
  if (review === undefined || userIds.length === 0) {
    return [];
  }
  return inTransaction(context, (inside) =>
    listFigures(inside, { reviewId, endsAt: endOfDeciding(review), userIds }, undefined, userIds.length),
  );
}

/** Finds people whose decisions deserve a look, and counts all who decided. */
export function findFlagged(
  context: Context,
  review: Pick<ReviewRow, 'id' | 'document' | 'closedAt'>,
): Promise<{ readonly reviewers: number; readonly flagged: readonly FlaggedReviewer[] }> {
  return inTransaction(context, (inside) => listFlaggedReviewers(inside, { reviewId: review.id, endsAt: endOfDeciding(review) }));
}
