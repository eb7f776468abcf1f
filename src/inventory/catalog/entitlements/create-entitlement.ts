/**
 * Making an entitlement manually: its grants are granted and removed manually, and no import touches either.
 */
import type { FieldViolation } from '../../../errors.ts';
import type { CreateAppEntitlementRequestJson } from '../../../gen/c1/api/app/v1/app_entitlement_service_pb.js';
import { inTransaction, type Context } from '../../../context.ts';
import { newId } from '../../../wire/ids.ts';
import { recordEvent } from '../../../foundation/audit/index.ts';
import { keepValues } from '../../classifications/index.ts';
import { requireOwners } from '../owners/index.ts';
import { entitlementContent, requireContent, tidy, withoutDoubles } from './entitlement-content.ts';
import {
  type EntitlementRow,
  findResource,
  insertEntitlement,
  insertOwners,
  requireEntitlement,
  requireLockedApp,
} from '../record/index.ts';

/**
 * Makes an entitlement of an app, of one of its resources where both ids of one are given, and returns it. `sent` is the request as it was
 * sent. Waits for an import into the app. NOT_FOUND for no such app; INVALID_ARGUMENT for what is wrong, and for owners that are nobody.
 */
export function createEntitlement(
  context: Context,
  appId: string,
  sent: CreateAppEntitlementRequestJson,
  ownerIds: readonly string[],
): Promise<EntitlementRow> {
  // The request calls it otherwise than the entitlement does.
  const { provisionPolicy, appResourceId: resourceId = '', appResourceTypeId: resourceTypeId = '', ...members } = sent;
  const json = tidy({ ...members, ...(provisionPolicy !== undefined && { provisionerPolicy: provisionPolicy }) });
  return inTransaction(context, async (inside) => {
    // Or the app, or the resource, could go while this comes to be in it.
    await requireLockedApp(inside, appId);
    await keepValues(inside);
    const wrong = await findWrongResource(inside, appId, resourceTypeId, resourceId);
    await requireContent(inside, json, new Set(Object.keys(json)), '', wrong);
    await requireOwners(inside, ownerIds, 'appEntitlementOwnerIds');
    const id = newId(inside.now);
    const content = entitlementContent(withoutDoubles(json), '');
    await insertEntitlement(inside, { ...content, id, appId, resourceTypeId, resourceId });
    await insertOwners(inside, { kind: 'entitlement', appId, id }, ownerIds);
    await recordEvent(inside, {
      kind: 'entitlement.created',
      targetId: id,
      data: { appId, resourceTypeId, resourceId, displayName: content.displayName, ownerIds: [...new Set(ownerIds)] },
    });
    return requireEntitlement(inside, appId, id);
  });
}

/** Both ids or none, and a resource of that type in this app. */
async function findWrongResource(context: Context, appId: string, typeId: string, id: string): Promise<FieldViolation[]> {
  if (id === '' && typeId === '') {
    return [];
  }
  if (id === '' || typeId === '') {
    const field = id === '' ? 'appResourceId' : 'appResourceTypeId';
    return [{ field, description: 'is missing: a resource is named by its type and its id, or by neither' }];
  }
  const resource = await findResource(context, appId, typeId, id);
  return resource === undefined
    ? [{ field: 'appResourceId', description: `this app has no resource ${JSON.stringify(id.slice(0, 64))} of that type` }]
    : [];
}
