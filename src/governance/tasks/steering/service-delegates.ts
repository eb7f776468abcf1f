/** The contract's method that finds people to decide in the caller's place. */
import { MyDelegateService } from '../../../gen/countersign/v1/preferences_pb.js';
import { type BoundService, implement } from '../../../wire/service.ts';
import { searchDelegates } from './search-reassignees.ts';

/** People the caller may let decide for them. */
export const delegateService: BoundService = implement(MyDelegateService, {
  async search(context, { query }, call) {
    const people = await searchDelegates(context, query, call.page.size);
    return { list: people.map((person) => ({ reassignee: person })), nextPageToken: '' };
  },
});
