/** The contract's service about requests that take a second person: each method calls one rule and shapes the reply. */
import type { Context } from '../../context.ts';
import { SecondPersonRequestState as WireState, SecondPersonService } from '../../gen/countersign/v1/second_persons_pb.js';
import { readPage } from '../../wire/page.ts';
import { implement } from '../../wire/service.ts';
import { confirmRequest, rejectRequest, requireRequest } from './ask.ts';
import type { RequestRow, RequestState } from './slots.ts';
import { listRequests } from './store.ts';
import { shapeRequest, shapeRequests } from './view.ts';

const one = async (context: Context, row: RequestRow) => ({ request: await shapeRequest(context, row) });

const secondPersonService = implement(SecondPersonService, {
  list: async (context, request, call) => {
    const state = request.state === WireState.UNSPECIFIED ? undefined : (WireState[request.state] as RequestState);
    const { rows, nextPageToken } = await readPage(call, (before, limit) => listRequests(context, state, before, limit));
    return { list: await shapeRequests(context, rows), nextPageToken };
  },
  get: async (context, { id }) => one(context, await requireRequest(context, id)),
  confirm: async (context, { id }) => one(context, await confirmRequest(context, id)),
  reject: async (context, { id }) => one(context, await rejectRequest(context, id)),
});

/** Services of the module. */
export const services = [secondPersonService];
