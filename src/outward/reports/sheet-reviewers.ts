/** The sheet of reviewers: what each was asked and did, and figures of how they decided. */
import { listReviewerFigures } from '../../governance/reviews/index.ts';
import { countSignatures } from '../../foundation/signatures/index.ts';
import { listReviewersById, listUnsigned } from '../../governance/tasks/index.ts';
import { tellsEmployeeIds } from './items/index.ts';
import type { ReportSheet } from './report-sheet.ts';

/** Reviewers of one piece: the figures of each piece read the decisions of the whole review. */
const reviewersPerPiece = 1_000;

export const reviewersSheet: ReportSheet = {
  name: 'Reviewers',
  isSplit: false,
  columns: ({ report, asksSignatures }) => [
    { heading: 'Reviewer', width: 28 },
    { heading: 'Email', width: 32 },
    ...(tellsEmployeeIds(report) ? [{ heading: 'Employee id' }] : []),
    { heading: 'Id', width: 30 },
    ...[
      'Asked',
      'Open',
      'Decided of those asked',
      'Denied of those asked',
      'Ended otherwise of those asked',
      'Certified by them, with those undone',
      'Denied by them, with those undone',
      'Seconds for a decision, median',
      'Seconds for a decision, quickest tenth',
      'Longest run of certifying',
      'Share decided in bulk',
      'Share in the last hour',
      'Certified against advice',
      'Submissions signed',
      ...(asksSignatures ? ['Undecided, since their submission waited unsigned'] : []),
    ].map((heading) => ({ heading, width: 14 })),
    { heading: 'Figures to look at', width: 28 },
    { heading: 'Last acted on (UTC)' },
    { heading: 'Reminders', width: 10 },
    { heading: 'Delegate' },
  ],
  async read(context, { report, asksSignatures }, after) {
    const people = await listReviewersById(context, report.reviewId, after, reviewersPerPiece);
    const figures = await listReviewerFigures(
      context,
      report.reviewId,
      people.map(({ userId }) => userId),
    );
    const signed = await countSignatures(context, report.reviewId);
    const unsigned = new Map(
      asksSignatures ? (await listUnsigned(context, report.reviewId)).map(({ userId, items }) => [userId, items]) : [],
    );
    const byUser = new Map(figures.map((row) => [row.userId, row]));
    const rows = people.map((person) => {
      const figure = byUser.get(person.userId);
      return [
        person.displayName || (person.email === '' ? 'erased' : ''),
        person.email,
        ...(tellsEmployeeIds(report) ? [person.employeeId] : []),
        person.userId,
        person.asked,
        person.undecided,
        person.decided,
        person.denied,
        person.asked - person.undecided - person.decided,
        person.approvals,
        person.denials,
        figure?.secondsPerDecision ?? null,
        figure?.quickSeconds ?? null,
        figure?.longestRun ?? null,
        figure?.bulkShare ?? null,
        figure?.lastHourShare ?? null,
        figure?.againstAdvice ?? null,
        signed.get(person.userId) ?? 0,
        ...(asksSignatures ? [unsigned.get(person.userId) ?? 0] : []),
        (figure?.flags ?? []).join(', '),
        person.lastActedAt,
        person.reminders,
        person.delegateName,
      ];
    });
    return { rows, after: people.length < reviewersPerPiece ? undefined : people.at(-1)?.userId };
  },
};
