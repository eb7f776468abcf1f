/**
 * The contract's service about the owners of entitlements: each method calls one rule and shapes the reply.
 */
import { AppEntitlementOwnerService } from '../../../gen/c1/api/app/v1/app_entitlement_owner_service_pb.js';
import { invalidField } from '../../../errors.ts';
import { implement } from '../../../wire/service.ts';
import { changeOwners, exactly, oneFewer, oneMore } from './change-owners.ts';
import { noSuchUser, ownedEntitlement } from './ownables.ts';
import { pageOfOwners } from './page-owners.ts';
import { listOwnerIds, requireEntitlement } from '../record/index.ts';

const ownerService = implement(AppEntitlementOwnerService, {
  list: async (context, request, call) => {
    const { id, appId } = await requireEntitlement(context, request.appId, request.entitlementId);
    return pageOfOwners(context, call, { kind: 'entitlement', appId, id });
  },
  listOwnerIDs: async (context, request) => {
    const { id, appId } = await requireEntitlement(context, request.appId, request.entitlementId);
    return { userIds: await listOwnerIds(context, { kind: 'entitlement', appId, id }) };
  },
  add: async (context, { appId, entitlementId, userId }) => {
    // The person stands in the body here: a wrong one is a wrong field, as with `set`.
    const refuse = () => invalidField('userId', `no user has the id ${JSON.stringify(userId.slice(0, 64))}`);
    await changeOwners(context, ownedEntitlement(appId, entitlementId), oneMore(userId, refuse));
    return {};
  },
  remove: async (context, { appId, entitlementId, userId }) => {
    await changeOwners(context, ownedEntitlement(appId, entitlementId), oneFewer(userId, noSuchUser));
    return {};
  },
  set: async (context, { appId, entitlementId, userIds }) => {
    await changeOwners(context, ownedEntitlement(appId, entitlementId), exactly(userIds));
    return {};
  },
  // It names nobody: all of them go.
  delete: async (context, { appId, entitlementId }) => {
    await changeOwners(context, ownedEntitlement(appId, entitlementId), exactly([]));
    return {};
  },
});

/** Ownership. */
export const entitlementOwnerServices = [ownerService];
