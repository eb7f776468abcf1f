/**
 * Pace of a review and what is left, for those who see it: from counters alone, whatever its size. The work behind its last action is in
 * progress.ts.
 */
import type { Context } from '../../../context.ts';
import {
  countDecisions,
  countUnassigned,
  foldWhereMany,
  type DayCounts,
  type KeyCounts,
  listCounts,
  listDays,
  listReviewerCounts,
  type OpenKey,
  type ReviewerCounts,
  type TaskCounts,
} from '../../tasks/index.ts';
import { type ReviewRow, requireReview } from '../record/index.ts';

const msPerDay = 86_400_000;

/** Course of a review as a whole. Rates are per day. */
export interface Figures {
  readonly counts: TaskCounts;
  readonly dueAt: Date | undefined;
  readonly overdue: number;
  readonly unassigned: number;
  readonly decisions: number;
  readonly reviewers: number;
  readonly decisionsPerDay: number;
  readonly neededPerDay: number;
  readonly lastActedAt: Date | null;
  readonly history: readonly DayCounts[];
}

function dueOf(review: ReviewRow): Date | undefined {
  const text = review.document.completionDate ?? '';
  return text === '' ? undefined : new Date(text);
}

/** True if what is open in a review is late. What a staged review asks is not: nobody was asked yet. */
function isLate(context: Context, review: ReviewRow): boolean {
  const due = dueOf(review);
  return review.state === 'OPEN' && due !== undefined && due.getTime() < context.now.getTime();
}

/** Days a review has run: to now, or to its end. At least one, so that its first minutes promise nothing. */
function daysRun(context: Context, review: ReviewRow): number {
  const end = review.closedAt ?? context.now;
  return review.startedAt === null ? 1 : Math.max(1, (end.getTime() - review.startedAt.getTime()) / msPerDay);
}

const rounded = (rate: number): number => Math.round(rate * 100) / 100;

const noTasks: TaskCounts = {
  total: 0,
  undecided: 0,
  certified: 0,
  revoked: 0,
  cancelled: 0,
  withoutOutcome: 0,
  byPeople: 0,
  deniedByPeople: 0,
  byPolicy: 0,
  carried: 0,
  skipped: 0,
};

/** Each day with how the tasks stood at its end, from what changed on it. */
export function accumulateDays(days: readonly DayCounts[]): DayCounts[] {
  const sum = { ...noTasks };
  return days.map(({ day, ...change }) => {
    for (const name of Object.keys(sum) as (keyof TaskCounts)[]) {
      sum[name] += change[name];
    }
    return { day, ...sum };
  });
}

/** The figures of a review that the caller may see. */
export async function readFigures(context: Context, review: ReviewRow): Promise<Figures> {
  await foldWhereMany(context, review.id);
  const history = accumulateDays(await listDays(context, review.id));
  const counts = history.at(-1) ?? noTasks;
  const { decisions, reviewers, lastAt } = await countDecisions(context, review.id);
  const dueAt = dueOf(review);
  const daysLeft = dueAt === undefined ? 0 : (dueAt.getTime() - context.now.getTime()) / msPerDay;
  return {
    counts,
    dueAt,
    overdue: isLate(context, review) ? counts.undecided : 0,
    unassigned: await countUnassigned(context, review.id),
    decisions,
    reviewers,
    decisionsPerDay: rounded(decisions / daysRun(context, review)),
    neededPerDay: daysLeft > 0 ? rounded(counts.undecided / Math.max(1, daysLeft)) : 0,
    lastActedAt: lastAt,
    history,
  };
}

/** Work a reviewer has left and their pace. */
export type ReviewerFigures = ReviewerCounts & { readonly overdue: number; readonly decisionsPerDay: number };

/** A page of the reviewers of a review that the caller may see, those with most left first. */
export async function listReviewerFigures(
  context: Context,
  reviewId: string,
  after: OpenKey | undefined,
  limit: number,
): Promise<ReviewerFigures[]> {
  const review = await requireReview(context, reviewId, 'read');
  const late = isLate(context, review);
  const days = daysRun(context, review);
  return (await listReviewerCounts(context, review.id, after, limit)).map((row) => ({
    ...row,
    overdue: late ? row.undecided : 0,
    decisionsPerDay: rounded((row.approvals + row.denials) / days),
  }));
}

/** A page of the apps or departments of a review that the caller may see, those with most left first. */
export async function listPartFigures(
  context: Context,
  reviewId: string,
  dimension: 'APP' | 'DEPARTMENT',
  after: OpenKey | undefined,
  limit: number,
): Promise<(KeyCounts & { readonly overdue: number })[]> {
  const review = await requireReview(context, reviewId, 'read');
  const late = isLate(context, review);
  return (await listCounts(context, review.id, dimension, after, limit)).map((row) => ({ ...row, overdue: late ? row.undecided : 0 }));
}
