/**
 * Deleting what access is given in or of: the parts of the catalog's services that end grants.
 */
import { AppEntitlementService } from '../../../gen/c1/api/app/v1/app_entitlement_service_pb.js';
import { AppService } from '../../../gen/c1/api/app/v1/app_service_pb.js';
import { implementPart } from '../../../wire/service.ts';
import { deleteApp } from './delete-app.ts';
import { deleteEntitlement } from './delete-entitlement.ts';

const appService = implementPart(AppService, {
  delete: async (context, request) => {
    await deleteApp(context, request.id);
    return {};
  },
});

const entitlementService = implementPart(AppEntitlementService, {
  delete: async (context, request) => {
    await deleteEntitlement(context, request.appId, request.id);
    return {};
  },
});

/** Apps and entitlements that go. */
export const deleteServices = [appService, entitlementService];
