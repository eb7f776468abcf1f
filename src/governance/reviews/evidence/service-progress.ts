/** The contract's methods that show how far the parts of a review are: each calls one rule and shapes the reply. */
import { ReviewProgressService } from '../../../gen/countersign/v1/review_progress_pb.js';
import type { ReviewActionsServiceGetProgressResponse } from '../../../gen/countersign/v1/review_pb.js';
import type { Context } from '../../../context.ts';
import { pageByKey } from '../../../wire/page.ts';
import type { Row } from '../../../wire/row.ts';
import { type Call, implement } from '../../../wire/service.ts';
import { countRevokedAtClose, type OpenKey, type TaskCounts } from '../../tasks/index.ts';
import { type Figures, listPartFigures, listReviewerFigures } from './figures.ts';

/** Splits tasks by who or what ended them. */
function shapeDeciders(counts: TaskCounts) {
  const { byPeople, deniedByPeople, byPolicy, carried, skipped } = counts;
  return { byPeople, deniedByPeople, byPolicy, carried, revokedAtClose: countRevokedAtClose(counts), skipped };
}

/** 64-bit counts as they look on the wire. */
export function shapeCounts(counts: TaskCounts & { readonly droppedPending?: number }) {
  return {
    total: counts.total,
    undecided: counts.undecided,
    certified: counts.certified,
    revoked: counts.revoked,
    cancelled: counts.cancelled,
    withoutOutcome: counts.withoutOutcome,
    droppedPending: counts.droppedPending,
    ...shapeDeciders(counts),
  };
}

/** The figures of a review beside the progress of its last action. */
export function shapeFigures(figures: Figures): Pick<Row<ReviewActionsServiceGetProgressResponse>, 'counts' | 'pace' | 'history'> {
  return {
    counts: shapeCounts(figures.counts),
    pace: figures,
    history: figures.history.map(({ undecided, ...day }) => {
      const { droppedPending: _ofTheEnd, ...counts } = shapeCounts({ undecided, ...day });
      return { ...counts, day: day.day, open: undecided };
    }),
  };
}

function keyOf(after: readonly string[] | undefined): OpenKey | undefined {
  return after === undefined ? undefined : { undecided: Number(after[0] ?? 0), key: after[1] ?? '' };
}

async function listParts(context: Context, reviewId: string, dimension: 'APP' | 'DEPARTMENT', call: Call) {
  const { rows, nextPageToken } = await pageByKey(
    call,
    (after, limit) => listPartFigures(context, reviewId, dimension, keyOf(after), limit),
    (row) => [String(row.undecided), row.key],
  );
  const list = rows.map((row) => {
    const { undecided, ...counts } = shapeCounts(row);
    return {
      ...counts,
      key: row.key,
      displayName: row.displayName,
      open: undecided,
      overdue: row.overdue,
    };
  });
  return { list, nextPageToken };
}

/** Progress by reviewer, app and department. */
export const reviewProgressService = implement(ReviewProgressService, {
  async listReviewers(context, request, call) {
    const { rows, nextPageToken } = await pageByKey(
      call,
      (after, limit) => listReviewerFigures(context, request.accessReviewId, keyOf(after), limit),
      (row) => [String(row.undecided), row.userId],
    );
    return {
      list: rows.map((row) => ({ ...row, open: row.undecided, delegateUserId: row.delegateId, delegate: row.delegateName })),
      nextPageToken,
    };
  },
  listApps: (context, request, call) => listParts(context, request.accessReviewId, 'APP', call),
  listDepartments: (context, request, call) => listParts(context, request.accessReviewId, 'DEPARTMENT', call),
});
