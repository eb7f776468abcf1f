/** The contract's method that finds anything by words: it calls one rule and shapes the reply. */
import { SearchAllService } from '../../../gen/countersign/v1/search_all_pb.js';
import { type BoundService, implement } from '../../../wire/service.ts';
import { searchAll } from './search-all.ts';

/** The search for anything. */
export const searchAllService: BoundService = implement(SearchAllService, {
  async searchAll(context, { query }) {
    const found = await searchAll(context, query);
    return {
      people: found.people.rows.map(({ id, ...row }) => ({ ...row, userId: id })),
      accounts: found.accounts.rows.map((row) => ({ ...row, appUserId: row.id, appDisplayName: row.appName, identityUserId: row.userId })),
      apps: found.apps.rows.map(({ id, ...row }) => ({ ...row, appId: id })),
      entitlements: found.entitlements.rows.map((row) => ({
        ...row,
        appEntitlementId: row.id,
        resourceDisplayName: row.resource,
        appDisplayName: row.appName,
      })),
      reviews: found.reviews.rows.map((row) => ({ accessReviewId: row.id, displayName: row.document.displayName, state: row.state })),
      more: Object.entries(found).flatMap(([kind, { hasMore }]) => (hasMore ? [kind.toUpperCase()] : [])),
    };
  },
});
