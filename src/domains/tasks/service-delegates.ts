/** The contract's method that finds people to decide in the caller's place. */
import { MyDelegateService, MyDelegateServiceSearchResponseSchema } from '../../gen/countersign/v1/preferences_pb.js';
import { ReassigneeSchema, ReassigneeViewSchema } from '../../gen/countersign/v1/tasks_pb.js';
import { shape } from '../../wire/reply.ts';
import { type BoundService, implement } from '../../wire/service.ts';
import { searchDelegates } from './search-reassignees.ts';

/** Whom the caller may let decide in their place. */
export const delegateService: BoundService = implement(MyDelegateService, {
  async search(context, { query }, call) {
    const { people, nextKey } = await searchDelegates(context, query, call.page);
    return shape(MyDelegateServiceSearchResponseSchema, {
      list: people.map((person) => shape(ReassigneeViewSchema, { reassignee: shape(ReassigneeSchema, person) })),
      nextPageToken: call.nextPageToken(nextKey),
    });
  },
});
