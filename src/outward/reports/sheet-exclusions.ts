/** The sheet of exclusions: accounts and entitlements of the chosen apps that the review left out, each with the first filter that did. */
import type { ReportSheet } from './report-sheet.ts';
import { type ExclusionKey, listExclusions } from './store-left.ts';

/** Exclusions of one piece. */
const exclusionsPerPiece = 1_000;

const reasons: Readonly<Record<string, string>> = {
  EXCLUDED_BY_LIST: 'on the list of what is left out',
  EXCLUSION_SCOPE: 'in the exclusion scope',
  LEGACY: 'kind of account or person that was not chosen',
  ACCOUNT: 'filter of accounts',
  ACCOUNT_CEL: 'expression over accounts',
  UNOWNED: 'account without an owner',
  USER: 'filter of people',
  USER_CEL: 'expression over people',
  CEL_ERROR: 'an expression could not be evaluated',
};

export const exclusionsSheet: ReportSheet = {
  name: 'Exclusions',
  isSplit: true,
  columns: () => [
    { heading: 'Application', width: 28 },
    { heading: 'Account', width: 28 },
    { heading: 'Account owner', width: 28 },
    { heading: 'Entitlement', width: 28 },
    { heading: 'Reason', width: 40 },
    { heading: 'Account owner (id)', width: 30 },
  ],
  async read(context, { report }, after) {
    const key = after === '' ? undefined : (JSON.parse(after) as ExclusionKey);
    const found = await listExclusions(context, report.reviewId, key, exclusionsPerPiece);
    const rows = found.map((row) => [
      row.appName,
      row.kind === 'ACCOUNT' ? row.account : 'all',
      row.owner,
      row.kind === 'ACCOUNT' ? 'all' : row.entitlement,
      reasons[row.reason] ?? row.reason,
      row.ownerId,
    ]);
    const last = found.length < exclusionsPerPiece ? undefined : found.at(-1);
    return { rows, after: last && JSON.stringify({ kind: last.kind, appId: last.appId, id: last.id } satisfies ExclusionKey) };
  },
};
