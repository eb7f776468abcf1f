/** Use of the entitlements of an app, and changes to them: our own list, beside the public ones. */
import { EntitlementActivityService } from '../../gen/countersign/v1/entitlement_activity_pb.js';
import { invalidField } from '../../errors.ts';
import { some } from '../../lib/where.ts';
import { implement } from '../../wire/service.ts';
import { parseDate } from '../../wire/timestamps.ts';
import { pageByKey, requireApp, requireOwnAppOrInventory } from '../catalog/index.ts';
import { countChanges, listUses } from './store-activity.ts';

const maxIds = 100;
/** More changes than this are not counted: it would be of no use to whoever reads it, and takes long. */
const maxChanges = 100_000;

/** Last use of entitlements, and what came and went. */
export const activityService = implement(EntitlementActivityService, {
  list: async (context, request, call) => {
    await requireOwnAppOrInventory(context, request.appId);
    const app = await requireApp(context, request.appId);
    if (request.entitlementIds.length > maxIds) {
      throw invalidField('entitlementIds', `must hold at most ${maxIds} ids, holds ${request.entitlementIds.length}`);
    }
    const { rows, nextPageToken } = await pageByKey(
      call,
      (after, limit) => listUses(context, { appId: app.id, ids: some(request.entitlementIds) }, after?.[0] ?? '', limit),
      (row) => [row.id],
    );
    const since = parseDate(typeof call.sent['since'] === 'string' ? call.sent['since'] : undefined);
    const counts = since === undefined || rows.length === 0 ? [] : await countChanges(context, app.id, since, maxChanges);
    const byId = new Map(counts?.map((count) => [count.id, count]));
    const list = rows.map(({ id, lastUsedAt }) => ({
      appEntitlementId: id,
      lastUsedAt,
      added: byId.get(id)?.added,
      ended: byId.get(id)?.ended,
    }));
    return { list, nextPageToken, tooManyChanges: counts === undefined };
  },
});
