/** The contract's method about figures of reviewers: it calls its rule and shapes the reply. */
import { ReviewerFigureService } from '../../../gen/countersign/v1/reviewer_figures_pb.js';
import { pageByKey } from '../../../wire/page.ts';
import { implement } from '../../../wire/service.ts';
import { readReviewerFigures, type ReviewerFiguresView } from './reviewer-figures.ts';

const rounded = (seconds: number | null): number => Math.round((seconds ?? 0) * 1000) / 1000;
/** Rounded down: a share is 1 only where it is all. */
const shareOf = (share: number): number => Math.floor(Number((share * 10_000).toFixed(6))) / 10_000;

const shapePace = (decisions: number, rate: number, seconds: number | null) => ({
  decisions,
  approvalRate: shareOf(rate),
  secondsPerDecision: rounded(seconds),
});

function shapeFigures(row: ReviewerFiguresView) {
  const { before, othersRate } = row;
  return {
    ...row,
    approvalRate: shareOf(row.approvalRate),
    secondsPerDecision: rounded(row.secondsPerDecision),
    bulkShare: shareOf(row.bulkShare),
    lastHourShare: shareOf(row.lastHourShare),
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
