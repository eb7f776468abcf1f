/** The contract's methods that show how far the parts of a review are: each calls one rule and shapes the reply. */
import { PartProgressSchema, ReviewerProgressSchema, ReviewProgressService } from '../../gen/countersign/v1/review_progress_pb.js';
import {
  type ReviewActionsServiceGetProgressResponseJson,
  ReviewCountsSchema,
  ReviewDaySchema,
  ReviewPaceSchema,
} from '../../gen/countersign/v1/review_pb.js';
import type { Context } from '../../context.ts';
import { pageByKey } from '../../wire/page.ts';
import { shape, timestamp } from '../../wire/reply.ts';
import { type Call, implement } from '../../wire/service.ts';
import type { OpenKey, TaskCounts } from '../tasks/index.ts';
import { type Figures, listPartFigures, listReviewerFigures } from './figures.ts';

/** 64-bit counts as they look on the wire. */
export function shapeCounts(counts: TaskCounts & { readonly droppedPending?: number }) {
  return shape(ReviewCountsSchema, {
    total: String(counts.total),
    undecided: String(counts.undecided),
    certified: String(counts.certified),
    revoked: String(counts.revoked),
    cancelled: String(counts.cancelled),
    withoutOutcome: String(counts.withoutOutcome),
    droppedPending: String(counts.droppedPending ?? 0),
  });
}

/** The figures of a review beside the progress of its last action. */
export function shapeFigures(figures: Figures): Pick<ReviewActionsServiceGetProgressResponseJson, 'counts' | 'pace' | 'history'> {
  return {
    counts: shapeCounts(figures.counts),
    pace: shape(ReviewPaceSchema, {
      dueAt: timestamp(figures.dueAt),
      overdue: String(figures.overdue),
      unassigned: String(figures.unassigned),
      decisions: String(figures.decisions),
      reviewers: String(figures.reviewers),
      decisionsPerDay: figures.decisionsPerDay,
      neededPerDay: figures.neededPerDay,
      lastActedAt: timestamp(figures.lastActedAt),
    }),
    history: figures.history.map(({ undecided, ...day }) => {
      const { droppedPending: _ofTheEnd, ...counts } = shapeCounts({ undecided, ...day });
      return shape(ReviewDaySchema, { ...counts, day: day.day, open: String(undecided) });
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
    return shape(PartProgressSchema, {
      ...counts,
      key: row.key,
      displayName: row.displayName,
      open: undecided,
      overdue: String(row.overdue),
    });
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
      list: rows.map((row) =>
        shape(ReviewerProgressSchema, {
          userId: row.userId,
          displayName: row.displayName,
          email: row.email,
          asked: String(row.asked),
          open: String(row.undecided),
          overdue: String(row.overdue),
          approvals: String(row.approvals),
          denials: String(row.denials),
          decisionsPerDay: row.decisionsPerDay,
          lastActedAt: timestamp(row.lastActedAt),
          lastSeenAt: timestamp(row.lastSeenAt),
          reminders: String(row.reminders),
          delegateUserId: row.delegateId ?? '',
          delegate: row.delegateName ?? '',
          delegateUntil: timestamp(row.delegateUntil),
        }),
      ),
      nextPageToken,
    };
  },
  listApps: (context, request, call) => listParts(context, request.accessReviewId, 'APP', call),
  listDepartments: (context, request, call) => listParts(context, request.accessReviewId, 'DEPARTMENT', call),
});
