/**
 * Single grants: those of one person, and until when one is given.
 */
import { AppEntitlementUserBindingService } from '../../gen/c1/api/app/v1/app_entitlement_user_binding_service_pb.js';
import type { AppEntitlementUserBinding } from '../../gen/c1/api/app/v1/binding_pb.js';
import { AppError, invalidField } from '../../errors.ts';
import type { Context } from '../../context.ts';
import type { Row } from '../../wire/row.ts';
import { implement } from '../../wire/service.ts';
import { parseDate } from '../../wire/timestamps.ts';
import { requireConcernInEntitlement, requireEntitlement, requireOwnOrInventory } from '../catalog/index.ts';
import { findUser } from '../../foundation/directory/index.ts';
import { changeDuration } from './change-duration.ts';
import type { Pair } from '../ledger/index.ts';
import { listGrants, listStart } from './store-list.ts';
import { shapeBinding } from './view.ts';

/** More accounts of one person in one app than anybody has; the answer has no pages. */
const maxBindings = 1000;

async function bindingOf(context: Context, appId: string, pair: Pair): Promise<Row<AppEntitlementUserBinding> | undefined> {
  const [row] = await listGrants(context, { appId, ...pair, includeEnded: false }, listStart, 1);
  return row && shapeBinding(appId, row);
}

/** Grants of a person, and their durations. */
export const bindingService = implement(AppEntitlementUserBindingService, {
  listAppUsersForIdentityWithGrant: async (context, request) => {
    requireOwnOrInventory(context, request.identityUserId, 'There is no such user.');
    await requireConcernInEntitlement(context, request.appId, request.appEntitlementId);
    const { id, appId } = await requireEntitlement(context, request.appId, request.appEntitlementId);
    if ((await findUser(context, request.identityUserId)) === undefined) {
      throw new AppError('NOT_FOUND', 'There is no such user.');
    }
    const filter = { appId, entitlementId: id, userId: request.identityUserId, includeEnded: false };
    const rows = await listGrants(context, filter, listStart, maxBindings);
    return { bindings: rows.map((row) => shapeBinding(appId, row)) };
  },
  updateGrantDuration: async (context, request, call) => {
    const { newDeprovisionAt } = call.sent;
    const until = parseDate(typeof newDeprovisionAt === 'string' ? newDeprovisionAt : undefined);
    if (until === undefined) {
      throw invalidField('newDeprovisionAt', 'must be the time when the grant expires; to remove it, use remove-grant-duration');
    }
    const pair = { entitlementId: request.appEntitlementId, accountId: request.appUserId };
    await changeDuration(context, request.appId, pair, until);
    return { binding: await bindingOf(context, request.appId, pair) };
  },
  removeGrantDuration: async (context, request) => {
    const pair = { entitlementId: request.appEntitlementId, accountId: request.appUserId };
    await changeDuration(context, request.appId, pair, null);
    return { binding: await bindingOf(context, request.appId, pair) };
  },
});
