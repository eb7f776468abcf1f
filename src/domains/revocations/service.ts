/** The contract's service about removals: each method calls one rule and shapes the reply. */
import {
  RevocationCountSchema,
  RevocationService,
  RevocationServiceClaimResponseSchema,
  RevocationServiceConfirmResponseSchema,
  RevocationServiceCountResponseSchema,
  RevocationServiceGetResponseSchema,
  RevocationServiceListResponseSchema,
  RevocationServiceRetryResponseSchema,
  RevocationState as WireState,
} from '../../gen/countersign/v1/revocations_pb.js';
import { invalidField } from '../../errors.ts';
import { some, textOf } from '../../lib/where.ts';
import { pageByKey } from '../../wire/page.ts';
import { shape } from '../../wire/reply.ts';
import { type BoundService, implement } from '../../wire/service.ts';
import { claimRemoval, confirmRemoval, getRevocation, retryRemoval, seesAllRevocations } from './act.ts';
import { myOutcomeService } from './service-mine.ts';
import { taskParts } from './service-tasks.ts';
import { openStates } from './store-states.ts';
import { listChanges } from './store-changes.ts';
import { countRevocations, listRevocations } from './store.ts';
import { shapeChange, shapeRevocation } from './view.ts';

const longestQuery = 1_000;

const revocationService = implement(RevocationService, {
  list: async (context, request, call) => {
    if (request.query.length > longestQuery) {
      throw invalidField('query', `must have at most ${longestQuery} characters`);
    }
    const filter = {
      states: some(request.states.filter((state) => state !== WireState.UNSPECIFIED).map((state) => WireState[state] ?? '')),
      reviewId: textOf(request.accessReviewId),
      appId: textOf(request.appId),
      mine: request.mine || undefined,
      asksMe: request.asksMe || undefined,
      overdue: request.overdue || undefined,
      query: textOf(request.query),
    };
    const { rows, nextPageToken } = await pageByKey(
      call,
      (after, limit) => listRevocations(context, seesAllRevocations(context.actor), filter, after, limit),
      (row) => [row.createdAt.toISOString(), row.id],
    );
    return shape(RevocationServiceListResponseSchema, { list: rows.map((row) => shapeRevocation(row, context.now)), nextPageToken });
  },
  count: async (context, request) => {
    const filter = {
      reviewId: textOf(request.accessReviewId),
      appId: textOf(request.appId),
      mine: request.mine || undefined,
      asksMe: request.asksMe || undefined,
    };
    const counts = await countRevocations(context, seesAllRevocations(context.actor), filter);
    return shape(RevocationServiceCountResponseSchema, {
      list: counts.map(({ state, total, underSevenDays, underThirtyDays, older, overdue }) =>
        shape(RevocationCountSchema, {
          state: `REVOCATION_STATE_${state}`,
          total: String(total),
          underSevenDays: String(underSevenDays),
          underThirtyDays: String(underThirtyDays),
          older: String(older),
          overdue: String(overdue),
        }),
      ),
      open: String(counts.reduce((sum, { state, total }) => sum + (openStates.includes(state) ? total : 0), 0)),
    });
  },
  get: async (context, request) => {
    const row = await getRevocation(context, request.id);
    return shape(RevocationServiceGetResponseSchema, {
      revocation: shapeRevocation(row, context.now),
      history: (await listChanges(context, row.id)).map(shapeChange),
    });
  },
  claim: async (context, { id, comment }) =>
    shape(RevocationServiceClaimResponseSchema, { revocation: shapeRevocation(await claimRemoval(context, id, comment), context.now) }),
  confirm: async (context, { id, comment }) =>
    shape(RevocationServiceConfirmResponseSchema, { revocation: shapeRevocation(await confirmRemoval(context, id, comment), context.now) }),
  retry: async (context, { id, comment }) =>
    shape(RevocationServiceRetryResponseSchema, { revocation: shapeRevocation(await retryRemoval(context, id, comment), context.now) }),
});

/** What the module revocations serves. */
export const services: readonly BoundService[] = [revocationService, myOutcomeService, ...taskParts];
