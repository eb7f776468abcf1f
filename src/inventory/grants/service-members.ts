/** Present and past holders of an entitlement, with manual grants and removals. */
import { AppEntitlementService } from '../../gen/c1/api/app/v1/app_entitlement_service_pb.js';
import { unset } from '../../wire/row.ts';
import { implementPart } from '../../wire/service.ts';
import { loadSight, noPath, requireEntitlement, requireOwnEntitlementOrInventory } from '../catalog/index.ts';
import { addMembers } from './add-members.ts';
import { listOwners, pageOfGrants } from './list-grants.ts';
import { removeMembership } from './remove-membership.ts';
import { shapeUserView, shapeWithExpired } from './view.ts';

/** The part of the entitlement service that is about grants. */
export const memberService = implementPart(AppEntitlementService, {
  listUsers: async (context, request, call) => {
    await requireOwnEntitlementOrInventory(context, request.appId, request.appEntitlementId);
    const { id, appId } = await requireEntitlement(context, request.appId, request.appEntitlementId);
    const { rows, accounts, nextPageToken } = await pageOfGrants(context, call, { appId, entitlementId: id, includeEnded: false });
    const sight = await loadSight(context);
    const list = rows.map((row) => shapeUserView(sight, row, appId, accounts.get(row.accountId), noPath));
    return { list, nextPageToken };
  },
  searchAppEntitlementsWithExpired: async (context, request, call) => {
    await requireOwnEntitlementOrInventory(context, request.appId, request.appEntitlementId);
    const { id, appId } = await requireEntitlement(context, request.appId, request.appEntitlementId);
    const { rows, accounts, nextPageToken } = await pageOfGrants(context, call, { appId, entitlementId: id, includeEnded: true });
    const users = await listOwners(context, accounts);
    const sight = await loadSight(context);
    const list = rows.map((row) => {
      const account = accounts.get(row.accountId);
      return shapeWithExpired(sight, row, appId, account, users.get(account?.userId ?? ''));
    });
    return { list, nextPageToken };
  },
  addManuallyManagedMembers: async (context, request) => {
    const failedUsersErrorMap = await addMembers(context, request.appId, request.appEntitlementId, request.userIds);
    // All is done when it answers, so there is no bulk action to follow.
    return { failedUsersErrorMap, ...unset('bulkActionId') };
  },
  removeEntitlementMembership: async (context, request) => {
    await removeMembership(context, request.appId, request.appEntitlementId, request.appUserId);
    return unset('revokeTaskId');
  },
});
