/** Items that no person decided: open ones, and those that the policy, the close or the end of the access ended. The PDF file lists them. */
import { describeEnd, describeOutcome, rowsPerPiece } from './items/index.ts';
import type { ReportSheet } from './report-sheet.ts';
import { listExceptions } from './store-left.ts';

export const exceptionsSheet: ReportSheet = {
  name: 'Exceptions',
  isSplit: true,
  columns: () => [
    { heading: 'Task', width: 10 },
    { heading: 'Account', width: 28 },
    { heading: 'Application', width: 28 },
    { heading: 'Entitlement', width: 40 },
    { heading: 'Outcome' },
    { heading: 'Why', width: 60 },
  ],
  async read(context, { report }, after) {
    const found = await listExceptions(context, report.reviewId, after, rowsPerPiece);
    const rows = found.map((row) => [
      row.number,
      row.account,
      row.appName,
      row.entitlement,
      describeOutcome(row.outcome),
      row.endReason === 'DECIDED' ? 'Its policy decided.' : describeEnd(row),
    ]);
    return { rows, after: found.length < rowsPerPiece ? undefined : found.at(-1)?.taskId };
  },
};
