/** How the entitlements of an app are used, and what changed about them: our own list, beside the public ones. */
import {
  EntitlementActivitySchema,
  EntitlementActivityService,
  EntitlementActivityServiceListResponseSchema,
} from '../../gen/countersign/v1/entitlement_activity_pb.js';
import { invalidField } from '../../errors.ts';
import { some } from '../../lib/where.ts';
import { shape, timestamp } from '../../wire/reply.ts';
import { implement } from '../../wire/service.ts';
import { dateOf } from '../../wire/timestamps.ts';
import { pageByKey, requireApp } from '../catalog/index.ts';
import { countChanges, listUses } from './store-activity.ts';

const mostIds = 100;
/** More changes than this are not counted: it would be of no use to whoever reads it, and takes long. */
const mostChanges = 100_000;

/** When entitlements were last used, and what came and went. */
export const activityService = implement(EntitlementActivityService, {
  list: async (context, request, call) => {
    const app = await requireApp(context, request.appId);
    if (request.entitlementIds.length > mostIds) {
      throw invalidField('entitlementIds', `must hold at most ${mostIds} ids, holds ${request.entitlementIds.length}`);
    }
    const { rows, nextPageToken } = await pageByKey(
      call,
      (after, limit) => listUses(context, { appId: app.id, ids: some(request.entitlementIds) }, after?.[0] ?? '', limit),
      (row) => [row.id],
    );
    const since = dateOf(typeof call.sent['since'] === 'string' ? call.sent['since'] : undefined);
    const counts = since === undefined || rows.length === 0 ? [] : await countChanges(context, app.id, since, mostChanges);
    const byId = new Map(counts?.map((count) => [count.id, count]));
    const list = rows.map(({ id, lastUsedAt }) =>
      shape(EntitlementActivitySchema, {
        appEntitlementId: id,
        lastUsedAt: timestamp(lastUsedAt),
        added: String(byId.get(id)?.added ?? 0),
        ended: String(byId.get(id)?.ended ?? 0),
      }),
    );
    return shape(EntitlementActivityServiceListResponseSchema, { list, nextPageToken, tooManyChanges: counts === undefined });
  },
});
