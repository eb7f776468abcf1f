/**
 * `countersign review arrivals` and `review supplement`: what came into the scope of a review after its snapshot, and the supplementary review of it.
 */
import type { Client } from '../../client/index.ts';
import { type ReviewArrivalCountsJson, type ReviewArrivalJson, ReviewArrivalService } from '../../gen/countersign/v1/review_arrivals_pb.js';
import type { Commands } from '../frame/commands.ts';
import { type CsvColumn, printCsv } from '../frame/csv.ts';
import { count, formatTable } from '../frame/io.ts';
import { listAll } from '../frame/list.ts';

/** Adds both commands. */
export function addArrivalCommands(group: Commands): void {
  group.run('arrivals', {
    description: 'show what came into the scope after the snapshot, about which the review asks nobody',
    operands: { '<review>': 'id of the review' },
    options: {
      '--limit <rows>': { text: 'grants that are shown', parse: Number, fallback: 50 },
      '--csv': 'print every grant as CSV',
    },
    act: async ({ review: accessReviewId, limit, csv }, { io, client }) => {
      const pages = client.pages(ReviewArrivalService.method.list, { accessReviewId, pageSize: csv === true ? 1000 : 100 });
      if (csv === true) {
        return printCsv(io, pages, csvColumns);
      }
      const counts = await readArrivals(client, accessReviewId);
      const list = await listAll(pages, limit);
      const rows = formatTable(['ADDED', 'ACCOUNT', 'OWNER', 'ENTITLEMENT', 'ASKED ABOUT BY'], list.map(formatRow));
      return { json: { counts, list }, text: [...sayArrivals(accessReviewId, counts), ...(list.length > 0 ? ['', rows] : [])] };
    },
  });
  group.run('supplement', {
    description: 'make a supplementary review of what came after the snapshot and no review asks about; it starts by itself',
    operands: { '<review>': 'id of the review, which is open or closed' },
    act: async ({ review: accessReviewId }, { client }) => {
      const made = await client.call(ReviewArrivalService.method.supplement, { accessReviewId });
      const left = Number(made.left ?? 0);
      const rest = left > 0 ? [`${count(left)} more are left: repeat the command for them.`] : [];
      return { json: made, text: [`${made.accessReviewId ?? ''}  ${made.displayName ?? ''}, ${items(made.items)}`, ...rest] };
    },
  });
}

const items = (number: string | undefined): string => `${count(number)} item${number === '1' ? '' : 's'}`;

const csvColumns = (
  [
    'appId',
    'appDisplayName',
    'appUserId',
    'appUserDisplayName',
    'userId',
    'userDisplayName',
    'appEntitlementId',
    'appEntitlementDisplayName',
    'revision',
    'addedAt',
    'syncId',
    'supplementAccessReviewId',
  ] as const satisfies readonly (keyof ReviewArrivalJson)[]
).map((column): CsvColumn<ReviewArrivalJson> => [column, (row) => row[column]]);

function formatRow(row: ReviewArrivalJson): string[] {
  return [
    row.addedAt ?? '',
    row.appUserDisplayName ?? '',
    row.userDisplayName || 'nobody',
    `${row.appDisplayName ?? ''}: ${row.appEntitlementDisplayName ?? ''}`,
    row.supplementAccessReviewId || 'no review',
  ];
}

function sayCame(reviewId: string, { counted, arrived, unasked }: ReviewArrivalCountsJson): string[] {
  const [came, open] = [Number(arrived ?? 0), Number(unasked ?? 0)];
  if (counted !== true) {
    return ['nobody counted what came after the snapshot'];
  }
  if (came === 0) {
    return ['none came after the snapshot'];
  }
  const whole = `${count(came)} came after the snapshot, and this review asks nobody about ${came === 1 ? 'it' : 'them'}`;
  return open === 0
    ? [`${whole}; supplementary reviews ask about all`]
    : [
        `${whole}; no review asks about ${count(open)}`,
        `to ask about ${open === 1 ? 'it' : 'them'}: countersign review supplement ${reviewId}`,
      ];
}

/** Tells in lines what came after the snapshot, what to do about it, and which reviews belong together. */
export function sayArrivals(reviewId: string, counts: ReviewArrivalCountsJson): string[] {
  const { supplements = [], supplementOf } = counts;
  return [
    ...sayCame(reviewId, counts),
    ...supplements.map((one) => `supplementary review ${one.accessReviewId ?? ''}  ${one.displayName ?? ''}, ${items(one.items)}`),
    ...(supplementOf === undefined
      ? []
      : [`supplements the review ${supplementOf.accessReviewId ?? ''}  ${supplementOf.displayName ?? ''}`]),
  ];
}

/** Reads what came after the snapshot of a review that has one. */
export async function readArrivals(client: Client, accessReviewId: string): Promise<ReviewArrivalCountsJson> {
  return (await client.call(ReviewArrivalService.method.get, { accessReviewId })).counts ?? {};
}
