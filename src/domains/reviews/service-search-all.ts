/** The contract's method that finds anything by words: it calls one rule and shapes the reply. */
import {
  FoundAccountSchema,
  FoundAppSchema,
  FoundEntitlementSchema,
  FoundPersonSchema,
  FoundReviewSchema,
  SearchAllService,
  SearchAllServiceSearchAllResponseSchema,
} from '../../gen/countersign/v1/search_all_pb.js';
import { shape } from '../../wire/reply.ts';
import { type BoundService, implement } from '../../wire/service.ts';
import { textOf } from './document.ts';
import { searchAll } from './search-all.ts';

/** The search for anything. */
export const searchAllService: BoundService = implement(SearchAllService, {
  async searchAll(context, { query }) {
    const found = await searchAll(context, query);
    return shape(SearchAllServiceSearchAllResponseSchema, {
      people: found.people.rows.map(({ id, ...row }) => shape(FoundPersonSchema, { ...row, userId: id })),
      accounts: found.accounts.rows.map((row) =>
        shape(FoundAccountSchema, {
          appId: row.appId,
          appUserId: row.id,
          account: row.account,
          displayName: row.displayName,
          appDisplayName: row.appName,
          identityUserId: row.userId ?? '',
          person: row.person ?? '',
        }),
      ),
      apps: found.apps.rows.map(({ id, ...row }) => shape(FoundAppSchema, { ...row, appId: id })),
      entitlements: found.entitlements.rows.map((row) =>
        shape(FoundEntitlementSchema, {
          appId: row.appId,
          appEntitlementId: row.id,
          displayName: row.displayName,
          description: row.description,
          resourceDisplayName: row.resource ?? '',
          appDisplayName: row.appName,
        }),
      ),
      reviews: found.reviews.rows.map((row) =>
        shape(FoundReviewSchema, { accessReviewId: row.id, displayName: textOf(row.document, 'displayName'), state: row.state }),
      ),
      more: Object.entries(found).flatMap(([kind, { hasMore }]) => (hasMore ? [kind.toUpperCase()] : [])),
    });
  },
});
