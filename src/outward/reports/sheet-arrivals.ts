/** Access that came into the scope after the snapshot, as it was when the review closed or is while it is open, and which review asks about it. */
import { type ArrivalCounts, type ArrivalKey, findReview, listArrivals } from '../../governance/reviews/index.ts';
import { rowsPerPiece } from './items/index.ts';
import type { ReportSheet } from './report-sheet.ts';

/** Tells in rows of the first sheet what came after the snapshot, and names the other review of the two. */
export function describeArrivals(counts: ArrivalCounts | undefined): (readonly [string, string | number])[] {
  if (counts === undefined) {
    return [];
  }
  const { counted, arrived, unasked, supplements, supplementOf } = counts;
  const nameOf = ({ displayName, accessReviewId }: ArrivalCounts['supplements'][number]): string => `${displayName} (${accessReviewId})`;
  return [
    ['Came after the snapshot', counted ? arrived || 'none came after the snapshot' : 'not counted'],
    ...(arrived > 0 ? [['Came after the snapshot, and no review asks about it', unasked] as const] : []),
    ...(supplements.length > 0 ? [['Supplementary reviews', supplements.map(nameOf).join('; ')] as const] : []),
    ...(supplementOf === undefined ? [] : [['Supplements the review', nameOf(supplementOf)] as const]),
  ];
}

export const arrivalsSheet: ReportSheet = {
  name: 'After the snapshot',
  isSplit: true,
  columns: () => [
    { heading: 'Application', width: 28 },
    { heading: 'Account', width: 28 },
    { heading: 'Account owner', width: 28 },
    { heading: 'Account owner (id)', width: 30 },
    { heading: 'Entitlement', width: 40 },
    { heading: 'Added on (UTC)', width: 20 },
    { heading: 'Asked about by', width: 30 },
  ],
  async read(context, { report }, after) {
    const key = after === '' ? undefined : (JSON.parse(after) as ArrivalKey);
    const review = await findReview(context, report.reviewId);
    const found = review === undefined || review.preparedRevision === null ? [] : await listArrivals(context, review, key, rowsPerPiece);
    const rows = found.map((row) => [
      row.appName,
      row.accountName,
      row.userName,
      row.userId,
      row.entitlementName,
      row.addedAt,
      row.supplementId || 'no review',
    ]);
    const last = found.at(-1);
    const next = last && JSON.stringify({ appId: last.appId, accountId: last.accountId, entitlementId: last.entitlementId });
    return { rows, after: found.length < rowsPerPiece ? undefined : next };
  },
};
