/** `countersign review progress`: how far a review is as a whole, and by reviewer, app or department. */
import { ReviewActionsService, type ReviewActionsServiceGetProgressResponseJson } from '../../gen/countersign/v1/review_pb.js';
import { type PartProgressJson, type ReviewerProgressJson, ReviewProgressService } from '../../gen/countersign/v1/review_progress_pb.js';
import type { Commands } from '../frame/commands.ts';
import { count, formatTable } from '../frame/io.ts';
import { listAll } from '../frame/list.ts';
import { readArrivals, sayArrivals } from './review-arrivals.ts';
import { countOf, countOtherwise, sayCounts } from './say-counts.ts';

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
        const headings = ['REVIEWER', 'ASKED', 'OPEN', 'OVERDUE', 'DECIDED', 'DENIED', 'OTHERWISE', 'DECISIONS', 'A DAY', 'LAST ACT'];
        return { json: { ...whole, by, list }, text: [...lines, '', formatTable(headings, list.map(reviewerRow))] };
      }
      // Apps and departments are counted in the same way.
      const parts = by === 'app' ? client.pages(listApps, { accessReviewId }) : client.pages(listDepartments, { accessReviewId });
      const list = await listAll(parts, limit);
      const headings = [by.toUpperCase(), 'ITEMS', 'OPEN', 'OVERDUE', 'DECIDED', 'DENIED', 'OTHERWISE'];
      return { json: { ...whole, by, list }, text: [...lines, '', formatTable(headings, list.map(partRow))] };
    },
  });
}

function formatWhole({ counts = {}, pace = {}, removals = {}, signatures }: ReviewActionsServiceGetProgressResponseJson): string[] {
  const lines = [
    ...sayCounts(counts),
    `${countOf(pace.decisions, 'decision')} made by ${countOf(pace.reviewers, 'person', 'people')}, those undone or changed later too; ${pace.decisionsPerDay ?? 0} a day`,
  ];
  if (signatures !== undefined) {
    const { submissions, decisions, signers, waitingSubmissions, waitingDecisions, waitingSigners } = signatures;
    lines.push(
      `signed: ${countOf(submissions, 'submission')} of ${countOf(signers, 'person', 'people')} with ${countOf(decisions, 'decision')}; ${countOf(waitingSubmissions, 'submission')} of ${countOf(waitingSigners, 'person', 'people')} with ${countOf(waitingDecisions, 'decision')} ${Number(waitingSubmissions ?? 0) === 1 ? 'waits' : 'wait'} for a signature`,
    );
  }
  if (pace.dueAt !== undefined) {
    const late = Number(pace.overdue ?? 0) > 0;
    lines.push(
      late
        ? `overdue since ${pace.dueAt}: ${countOf(pace.overdue, 'open item')}`
        : `due ${pace.dueAt}, which needs ${pace.neededPerDay ?? 0} a day`,
    );
  }
  if (Number(pace.unassigned ?? 0) > 0) {
    lines.push(
      Number(pace.unassigned) === 1
        ? '1 open item asks nobody now: it waits, or has to be reassigned'
        : `${count(pace.unassigned)} open items ask nobody now: they wait, or have to be reassigned`,
    );
  }
  if (Number(removals.total ?? 0) > 0) {
    lines.push(
      `${countOf(removals.total, 'removal')}: ${count(removals.held)} held until the close, ${count(removals.open)} open, ${count(removals.overdue)} of them overdue, ${count(removals.proven)} proven${Number(removals.withdrawn ?? 0) > 0 ? `, ${count(removals.withdrawn)} withdrawn` : ''}`,
    );
  }
  return lines;
}

function reviewerRow(row: ReviewerProgressJson): string[] {
  const decisions = Number(row.approvals ?? 0) + Number(row.denials ?? 0);
  return [
    row.email || row.displayName || row.userId || '',
    count(row.asked),
    count(row.open),
    count(row.overdue),
    count(row.decided),
    count(row.denied),
    count(Number(row.asked ?? 0) - Number(row.open ?? 0) - Number(row.decided ?? 0)),
    count(decisions),
    String(row.decisionsPerDay ?? 0),
    row.lastActedAt ?? 'never',
  ];
}

function partRow(row: PartProgressJson): string[] {
  const otherwise = count(countOtherwise(row, row.open));
  const { displayName, total, open, overdue, byPeople, deniedByPeople } = row;
  return [displayName || '(none)', ...[total, open, overdue, byPeople, deniedByPeople].map((value) => count(value)), otherwise];
}
