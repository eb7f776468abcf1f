/** The contract's method about figures of reviewers: it calls its rule and shapes the reply. */
import { ReviewerFigureService } from '../../../gen/countersign/v1/reviewer_figures_pb.js';
import { pageByKey } from '../../../wire/page.ts';
import { implement } from '../../../wire/service.ts';
import { readReviewerFigures, type ReviewerFiguresView } from './reviewer-figures.ts';

const rounded = (value: number | null, digits: number): number => Math.round((value ?? 0) * 10 ** digits) / 10 ** digits;

const shapePace = (decisions: number, rate: number, seconds: number | null) => ({
  decisions,
  approvalRate: rounded(rate, 4),
  secondsPerDecision: rounded(seconds, 3),
});

function shapeFigures(row: ReviewerFiguresView) {
  const { before, othersRate } = row;
  return {
    ...row,
    approvalRate: rounded(row.approvalRate, 4),
    secondsPerDecision: rounded(row.secondsPerDecision, 3),
    bulkShare: rounded(row.bulkShare, 4),
    lastHourShare: rounded(row.lastHourShare, 4),
    before: before && shapePace(before.decisions, before.approvalRate, before.secondsPerDecision),
    others: othersRate === null ? undefined : shapePace(0, othersRate, row.othersSeconds),
  };
}

/** Figures of reviewers. */
export const reviewerFigureService = implement(ReviewerFigureService, {
  list: async (context, request, call) => {
    const { rows, nextPageToken } = await pageByKey(
      call,
      (after, limit) => {
        const [decisions, userId = ''] = after ?? [];
        const key = decisions === undefined ? undefined : { decisions: Number(decisions), userId };
        return readReviewerFigures(context, request.accessReviewId, key, limit);
      },
      (row) => [String(row.decisions), row.userId],
    );
    return { list: rows.map(shapeFigures), nextPageToken };
  },
});
