/** The contract's service about legal holds: each method calls one rule and shapes the reply. */
import type { Context } from '../../context.ts';
import { type LegalHold, LegalHoldService } from '../../gen/countersign/v1/holds_pb.js';
import { readPage } from '../../wire/page.ts';
import { implement } from '../../wire/service.ts';
import type { Row } from '../../wire/row.ts';
import { listNamesAt } from '../directory/index.ts';
import { shapeRequest } from '../second-persons/index.ts';
import { askLift, setHold } from './holds.ts';
import { holdSlot } from './slots.ts';
import { type HoldRow, listHolds } from './store.ts';

async function shapeHolds(context: Context, rows: readonly HoldRow[]): Promise<Row<LegalHold>[]> {
  const setters = await listNamesAt(
    context,
    rows.map(({ setById, setAt }) => ({ id: setById, at: setAt })),
  );
  const reviews = await holdSlot.get().listReviewNames(
    context,
    rows.map(({ reviewId }) => reviewId),
  );
  return rows.map((row, index) => ({
    ...row,
    accessReviewId: row.reviewId,
    accessReviewDisplayName: reviews.get(row.reviewId),
    setByDisplayName: setters[index],
  }));
}

const holdService = implement(LegalHoldService, {
  list: async (context, { accessReviewId, standingOnly }, call) => {
    const { rows, nextPageToken } = await readPage(call, (before, limit) =>
      listHolds(context, { reviewId: accessReviewId, standingOnly }, before, limit),
    );
    return { list: await shapeHolds(context, rows), nextPageToken };
  },
  set: async (context, { accessReviewId, reason }) => {
    const [hold] = await shapeHolds(context, [await setHold(context, accessReviewId, reason)]);
    return { hold };
  },
  lift: async (context, { id, reason }) => ({ request: await shapeRequest(context, await askLift(context, id, reason)) }),
});

/** Services of the module. */
export const services = [holdService];
