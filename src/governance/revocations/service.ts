/** The contract's service about removals, and asking for one: each method calls one rule and shapes the reply. */
import { RevocationService, RevocationState as WireState } from '../../gen/countersign/v1/revocations_pb.js';
import { TaskService } from '../../gen/c1/api/task/v1/task_service_pb.js';
import { invalidField } from '../../errors.ts';
import { some, wantedText } from '../../lib/where.ts';
import { pageByKey } from '../../wire/page.ts';
import { type BoundService, implement, implementPart } from '../../wire/service.ts';
import { viewOne } from '../tasks/index.ts';
import { claimRemoval, confirmRemoval, getRevocation, retryRemoval, seesAllRevocations } from './act.ts';
import { requestRemoval } from './create.ts';
import {
  countRevocations,
  listChanges,
  listRevocations,
  myOutcomeService,
  openStates,
  shapeChange,
  shapeRevocation,
  states,
} from './record/index.ts';
import { removalService } from './sending/index.ts';

const longestQuery = 1_000;

const revocationService = implement(RevocationService, {
  list: async (context, request, call) => {
    if (request.query.length > longestQuery) {
      throw invalidField('query', `must have at most ${longestQuery} characters`);
    }
    const filter = {
      states: some(states.filter((state) => request.states.includes(WireState[state]))),
      reviewId: wantedText(request.accessReviewId),
      appId: wantedText(request.appId),
      mine: request.mine || undefined,
      asksMe: request.asksMe || undefined,
      overdue: request.overdue || undefined,
      query: wantedText(request.query),
    };
    const { rows, nextPageToken } = await pageByKey(
      call,
      (after, limit) => listRevocations(context, seesAllRevocations(context.actor), filter, after, limit),
      (row) => [row.createdAt.toISOString(), row.id],
    );
    return { list: rows.map((row) => shapeRevocation(row, context.now)), nextPageToken };
  },
  count: async (context, request) => {
    const filter = {
      reviewId: wantedText(request.accessReviewId),
      appId: wantedText(request.appId),
      mine: request.mine || undefined,
      asksMe: request.asksMe || undefined,
    };
    const counts = await countRevocations(context, seesAllRevocations(context.actor), filter);
    return {
      list: counts.map(({ state, total, underSevenDays, underThirtyDays, older, overdue }) => ({
        state,
        total,
        underSevenDays,
        underThirtyDays,
        older,
        overdue,
      })),
      open: counts.reduce((sum, { state, total }) => sum + (openStates.includes(state) ? total : 0), 0),
    };
  },
  get: async (context, request) => {
    const row = await getRevocation(context, request.id);
    return { revocation: shapeRevocation(row, context.now), history: (await listChanges(context, row.id)).map(shapeChange) };
  },
  claim: async (context, { id, comment }) => ({ revocation: shapeRevocation(await claimRemoval(context, id, comment), context.now) }),
  confirm: async (context, { id, comment }) => ({ revocation: shapeRevocation(await confirmRemoval(context, id, comment), context.now) }),
  retry: async (context, { id, comment }) => ({ revocation: shapeRevocation(await retryRemoval(context, id, comment), context.now) }),
});

const taskService = implementPart(TaskService, {
  async createRevokeTask(context, request, call) {
    const taskId = await requestRemoval(context, {
      appId: request.appId,
      entitlementId: request.appEntitlementId,
      accountId: request.appUserId,
      userId: request.identityUserId,
      description: request.description,
    });
    return viewOne(context, call, taskId, request.expandMask?.paths);
  },
});

/** The contract's services that this module offers. */
export const services: readonly BoundService[] = [revocationService, myOutcomeService, taskService, removalService];
