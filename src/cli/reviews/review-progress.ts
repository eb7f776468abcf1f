/** `countersign review progress`: how far a review is as a whole, and by reviewer, app or department. */
import { ReviewActionsService, type ReviewActionsServiceGetProgressResponseJson } from '../../gen/countersign/v1/review_pb.js';
import { type PartProgressJson, type ReviewerProgressJson, ReviewProgressService } from '../../gen/countersign/v1/review_progress_pb.js';
import type { Commands } from '../frame/commands.ts';
import { count, formatTable } from '../frame/io.ts';
import { listAll } from '../frame/list.ts';
import { readArrivals, sayArrivals } from './review-arrivals.ts';

/** Adds `review progress`. */
export function addProgressCommand(group: Commands): void {
  group.run('progress', {
    description: 'show what is decided and what is left, whose it is, and how fast it goes',
    operands: { '<review>': 'id of the review' },
    options: {
      '--by <what>': { text: 'what the list below counts', choices: ['reviewer', 'app', 'department'], fallback: 'reviewer' },
      '--limit <rows>': { text: 'rows of the list, those with most left first', parse: Number, fallback: 20 },
    },
    act: async ({ review: accessReviewId, by, limit }, { client }) => {
      const { listReviewers, listApps, listDepartments } = ReviewProgressService.method;
      const progress = await client.call(ReviewActionsService.method.getProgress, { accessReviewId });
      // Before it is prepared nothing comes after a snapshot.
      const arrivals = Number(progress.counts?.total ?? 0) > 0 ? await readArrivals(client, accessReviewId) : undefined;
      const whole = { ...progress, arrivals };
      const lines = [...formatWhole(progress), ...(arrivals === undefined ? [] : sayArrivals(accessReviewId, arrivals))];
      if (by === 'reviewer') {
        const list = await listAll(client.pages(listReviewers, { accessReviewId }), limit);
        const headings = ['REVIEWER', 'ASKED', 'OPEN', 'OVERDUE', 'DECIDED', 'A DAY', 'LAST ACT'];
        return { json: { ...whole, by, list }, text: [...lines, '', formatTable(headings, list.map(reviewerRow))] };
      }
      // Apps and departments are counted in the same way.
      const method = by === 'app' ? listApps : (listDepartments as unknown as typeof listApps);
      const list = await listAll(client.pages(method, { accessReviewId }), limit);
      const headings = [by.toUpperCase(), 'ITEMS', 'OPEN', 'OVERDUE', 'CERTIFIED', 'REVOKED'];
      return { json: { ...whole, by, list }, text: [...lines, '', formatTable(headings, list.map(partRow))] };
    },
  });
}

function formatWhole({ counts = {}, pace = {}, removals = {} }: ReviewActionsServiceGetProgressResponseJson): string[] {
  const decided = Number(counts.total ?? 0) - Number(counts.undecided ?? 0);
  const ended = Number(counts.cancelled ?? 0) + Number(counts.withoutOutcome ?? 0);
  const lines = [
    `${count(decided)} of ${count(counts.total)} items ended: ${count(counts.certified)} certified, ${count(counts.revoked)} revoked, ${count(ended)} without a decision; ${count(counts.undecided)} open`,
    `${count(counts.byPeople)} of the outcomes are decisions of people, ${count(counts.byPolicy)} of a policy, ${count(counts.carried)} of an earlier review, ${count(counts.revokedAtClose)} of the close`,
    `${count(pace.decisions)} decisions of ${count(pace.reviewers)} people, ${pace.decisionsPerDay ?? 0} a day`,
  ];
  if (pace.dueAt !== undefined) {
    const late = Number(pace.overdue ?? 0) > 0;
    lines.push(
      late
        ? `overdue since ${pace.dueAt}: ${count(pace.overdue)} open items`
        : `due ${pace.dueAt}, which needs ${pace.neededPerDay ?? 0} a day`,
    );
  }
  if (Number(pace.unassigned ?? 0) > 0) {
    lines.push(`${count(pace.unassigned)} open items ask nobody now: they wait, or have to be reassigned`);
  }
  if (Number(removals.total ?? 0) > 0) {
    lines.push(
      `${count(removals.total)} removal${Number(removals.total) === 1 ? '' : 's'}: ${count(removals.held)} held until the close, ${count(removals.open)} open, ${count(removals.overdue)} of them overdue, ${count(removals.proven)} proven`,
    );
  }
  return lines;
}

function reviewerRow(row: ReviewerProgressJson): string[] {
  const decided = Number(row.approvals ?? 0) + Number(row.denials ?? 0);
  return [
    row.email || row.displayName || row.userId || '',
    count(row.asked),
    count(row.open),
    count(row.overdue),
    count(decided),
    String(row.decisionsPerDay ?? 0),
    row.lastActedAt ?? 'never',
  ];
}

function partRow(row: PartProgressJson): string[] {
  return [row.displayName || '(none)', count(row.total), count(row.open), count(row.overdue), count(row.certified), count(row.revoked)];
}
