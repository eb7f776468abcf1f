/**
 * Who holds an entitlement, who held it, and granting and removing it manually.
 */
import {
  AppEntitlementService,
  ListAppEntitlementUsersResponseSchema,
  ManuallyManagedUsersResponseSchema,
  RemoveEntitlementMembershipResponseSchema,
  SearchAppEntitlementsWithExpiredResponseSchema,
} from '../../gen/c1/api/app/v1/app_entitlement_service_pb.js';
import { shape } from '../../wire/reply.ts';
import { implementPart } from '../../wire/service.ts';
import { noPath, requireEntitlement } from '../catalog/index.ts';
import { addMembers } from './add-members.ts';
import { listOwners, pageOfGrants } from './list-grants.ts';
import { removeMembership } from './remove-membership.ts';
import { shapeUserView, shapeWithExpired } from './view.ts';

/** The part of the entitlement service that is about grants. */
export const memberService = implementPart(AppEntitlementService, {
  listUsers: async (context, request, call) => {
    const { id, appId } = await requireEntitlement(context, request.appId, request.appEntitlementId);
    const { rows, accounts, nextPageToken } = await pageOfGrants(context, call, { appId, entitlementId: id, includeEnded: false });
    const list = rows.map((row) => shapeUserView(row, appId, accounts.get(row.accountId), noPath));
    return shape(ListAppEntitlementUsersResponseSchema, { list, nextPageToken });
  },
  searchAppEntitlementsWithExpired: async (context, request, call) => {
    const { id, appId } = await requireEntitlement(context, request.appId, request.appEntitlementId);
    const { rows, accounts, nextPageToken } = await pageOfGrants(context, call, { appId, entitlementId: id, includeEnded: true });
    const users = await listOwners(context, accounts);
    const list = rows.map((row) => {
      const account = accounts.get(row.accountId);
      return shapeWithExpired(row, appId, account, users.get(account?.userId ?? ''));
    });
    return shape(SearchAppEntitlementsWithExpiredResponseSchema, { list, nextPageToken });
  },
  addManuallyManagedMembers: async (context, request) => {
    const failedUsersErrorMap = await addMembers(context, request.appId, request.appEntitlementId, request.userIds);
    // All is done when it answers, so there is no bulk action to follow.
    return shape(ManuallyManagedUsersResponseSchema, { failedUsersErrorMap: { ...failedUsersErrorMap } });
  },
  removeEntitlementMembership: async (context, request) => {
    await removeMembership(context, request.appId, request.appEntitlementId, request.appUserId);
    return shape(RemoveEntitlementMembershipResponseSchema, {});
  },
});
