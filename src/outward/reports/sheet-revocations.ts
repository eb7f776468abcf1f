/** The sheet of revocations: what became of each access that was denied, as far as evidence goes. */
import { nameBy } from '../../lib/names/name-by.ts';
import { describeRemoval, describeResidual, listRevocations, provenRemovalStates } from '../../governance/revocations/index.ts';
import { rowsPerPiece } from './items/index.ts';
import type { ReportSheet } from './report-sheet.ts';
import { listTaskWords } from './store.ts';

const dayMs = 86_400_000;

export const revocationsSheet: ReportSheet = {
  name: 'Revocations',
  isSplit: true,
  columns: ({ asksSignatures }) => [
    { heading: 'Task', width: 10 },
    { heading: 'Account' },
    { heading: 'Person' },
    { heading: 'Application' },
    { heading: 'Resource' },
    { heading: 'Entitlement' },
    { heading: 'Denied by' },
    { heading: 'Denied on (UTC)' },
    { heading: 'Requested on (UTC)' },
    { heading: 'Due on (UTC)' },
    { heading: 'Said removed on (UTC)' },
    { heading: 'Said removed by' },
    { heading: 'State', width: 16 },
    { heading: 'Since (UTC)' },
    { heading: 'Sync', width: 30 },
    { heading: 'Days until removed', width: 12 },
    { heading: 'Outcome', width: 48 },
    { heading: 'Also held', width: 40 },
    { heading: 'Person (id)', width: 30 },
    { heading: 'Denied by (id)', width: 30 },
    { heading: 'Said removed by (id)', width: 30 },
    ...(asksSignatures ? [{ heading: 'Denied by signature (id)', width: 30 }] : []),
  ],
  async read(context, { report, asksSignatures }, after) {
    const key = after === '' ? undefined : (JSON.parse(after) as string[]);
    const removals = await listRevocations(context, true, { reviewId: report.reviewId }, key, rowsPerPiece);
    const words = await listTaskWords(
      context,
      removals.map(({ certifyTaskId }) => certifyTaskId),
    );
    // What was denied is named as it was when it was denied.
    const rows = removals
      .map((row) => [row, words.get(row.certifyTaskId)] as const)
      .map(([row, said]) => [
        said?.number ?? null,
        said?.account || row.account || 'erased',
        row.userDisplayName || (row.userId ? 'erased' : ''),
        said?.appName ?? row.appDisplayName,
        said?.resource ?? row.resourceDisplayName,
        said?.entitlement ?? row.entitlementDisplayName,
        nameBy(row.reviewerName, row.reviewerIssuerName),
        row.createdAt,
        row.requestedAt,
        row.dueAt,
        row.claimedAt,
        nameBy(row.claimedByName, row.claimedIssuerName),
        row.state,
        row.stateAt,
        row.syncId,
        provenRemovalStates.includes(row.state) ? Math.ceil((row.stateAt.getTime() - row.createdAt.getTime()) / dayMs) : null,
        describeRemoval(row),
        describeResidual(row.residual),
        row.userId ?? '',
        nameBy(row.reviewerId, row.reviewerIssuerId),
        nameBy(row.claimedById, row.claimedIssuerId),
        ...(asksSignatures ? [said?.signatureId ?? 'none'] : []),
      ]);
    const last = removals.length < rowsPerPiece ? undefined : removals.at(-1);
    return { rows, after: last && JSON.stringify([last.createdAt.toISOString(), last.id]) };
  },
};
