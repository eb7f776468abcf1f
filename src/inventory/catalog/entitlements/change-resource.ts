/**
 * Making, changing and deleting resources manually. Those that imports brought can be changed in what people write, which syncs leave alone;
 * only manual ones can be deleted, since the next file would bring the others back.
 */
import { AppError, invalidField } from '../../../errors.ts';
import { type AppResourceJson, AppResourceSchema } from '../../../gen/c1/api/app/v1/app_pb.js';
import { compareDocuments } from '../../../lib/compare-documents.ts';
import { inTransaction, type Context } from '../../../context.ts';
import { newId } from '../../../wire/ids.ts';
import { applyUpdate } from '../../../wire/mask.ts';
import { recordEvent } from '../../../foundation/audit/index.ts';
import { requireOwners } from '../owners/index.ts';
import { type ResourceRow, insertOwners, requireLockedApp, requireResource, requireResourceType } from '../record/index.ts';
import { checkResourceMask, pickWritable, readResource, resourceJson, type ResourceText } from './resource-content.ts';
import { findParent, insertResource, listAncestorIds, removeResource, updateResource } from './store-manual-resources.ts';

/** Makes a resource of a type, made manually or not. NOT_FOUND for no such app or type, INVALID_ARGUMENT for bad texts and owners that are nobody. */
export function createResource(
  context: Context,
  appId: string,
  resourceTypeId: string,
  sent: AppResourceJson,
  ownerIds: readonly string[],
): Promise<ResourceRow> {
  return inTransaction(context, async (inside) => {
    await requireLockedApp(inside, appId);
    await requireResourceType(inside, appId, resourceTypeId);
    const { annotations, description, displayName, matchBatonId } = sent;
    const content = readResource(pickWritable({ annotations, description, displayName, matchBatonId }), {}, '');
    await requireOwners(inside, ownerIds, 'resourceOwnerUserIds');
    const id = newId(inside.now);
    await insertResource(inside, { appId, id, resourceTypeId, ...content });
    await insertOwners(inside, { kind: 'resource', appId, id }, ownerIds);
    await recordEvent(inside, {
      kind: 'resource.created',
      targetId: id,
      data: { appId, resourceTypeId, displayName: content.displayName, ownerIds: [...new Set(ownerIds)] },
    });
    return requireResource(inside, appId, resourceTypeId, id);
  });
}

/** The content with the type of its parent. INVALID_ARGUMENT for a parent that is not there, of another type, or below the resource. */
async function withParent(context: Context, row: ResourceRow, content: ResourceText): Promise<ResourceText> {
  const { parentAppResourceId: id, parentAppResourceTypeId: typeId } = content.document;
  if (id === '' || id === undefined) {
    return { ...content, document: { ...content.document, parentAppResourceTypeId: '' } };
  }
  const { parentId: idBefore, parentTypeId: typeBefore } = row;
  if (id === idBefore && typeId === typeBefore) {
    return content;
  }
  const parent = await findParent(context, row.appId, id);
  if (parent === undefined) {
    throw invalidField('appResource.parentAppResourceId', 'no resource of this app has this id');
  }
  // A type that was only left as it was follows the new parent.
  if (typeId !== '' && typeId !== undefined && typeId !== typeBefore && typeId !== parent.resourceTypeId) {
    throw invalidField('appResource.parentAppResourceTypeId', 'is not the type of the parent; leave it out');
  }
  if ((await listAncestorIds(context, row.appId, id)).includes(row.id)) {
    throw invalidField('appResource.parentAppResourceId', 'a resource cannot be its own parent, directly or through others');
  }
  return { ...content, document: { ...content.document, parentAppResourceTypeId: parent.resourceTypeId } };
}

/** Leaves what people say of it: a parent that only its source names, and that stays, is not among that. */
function withoutSourceParent(row: ResourceRow, after: ResourceText): ResourceText {
  const isOfSource = row.parentId !== '' && row.document.parentAppResourceId !== row.parentId;
  return isOfSource && after.document.parentAppResourceId === row.parentId
    ? { ...after, document: { ...after.document, parentAppResourceId: '', parentAppResourceTypeId: '' } }
    : after;
}

/**
 * Changes the members the mask names, or those that were sent where there is none, and returns the resource. NOT_FOUND for none,
 * INVALID_ARGUMENT for a bad mask, text or parent.
 */
export function changeResource(
  context: Context,
  path: { readonly appId: string; readonly appResourceTypeId: string; readonly id: string },
  sent: AppResourceJson,
  mask: readonly string[] | undefined,
): Promise<ResourceRow> {
  return inTransaction(context, async (inside) => {
    await requireLockedApp(inside, path.appId);
    const row = await requireResource(inside, path.appId, path.appResourceTypeId, path.id);
    const shown = { ...resourceJson(row), parentAppResourceId: row.parentId, parentAppResourceTypeId: row.parentTypeId };
    const before = resourceJson(readResource(shown, { displayName: row.displayName }, ''));
    const wanted = applyUpdate(AppResourceSchema, before, pickWritable(sent), checkResourceMask(mask));
    const after = await withParent(inside, row, readResource(wanted, before, 'appResource.'));
    const { fields, from, to } = compareDocuments(before, resourceJson(after));
    if (fields.length === 0) {
      return row;
    }
    await updateResource(
      inside,
      { appId: row.appId, id: row.id, ...withoutSourceParent(row, after) },
      after.document.parentAppResourceId !== '',
    );
    await recordEvent(inside, {
      kind: 'resource.updated',
      targetId: row.id,
      data: { appId: row.appId, fields, from, to },
    });
    return requireResource(inside, row.appId, row.resourceTypeId, row.id);
  });
}

/**
 * Deletes a resource made manually, and with it its entitlements. NOT_FOUND for none, FAILED_PRECONDITION where an import brought it, or
 * somebody still holds something on it: nobody loses access by a tidying up.
 */
export function deleteResource(context: Context, appId: string, resourceTypeId: string, id: string): Promise<void> {
  return inTransaction(context, async (inside) => {
    await requireLockedApp(inside, appId);
    const row = await requireResource(inside, appId, resourceTypeId, id);
    if (!row.isManual) {
      throw new AppError(
        'FAILED_PRECONDITION',
        'This resource comes from a source, which would bring it back. Only manual resources can be deleted here.',
      );
    }
    if (row.grantCount > 0) {
      throw new AppError(
        'FAILED_PRECONDITION',
        `The entitlements of the resource are held (${row.grantCount} grants). Remove these first, with remove-membership.`,
      );
    }
    const entitlementCount = await removeResource(inside, appId, id);
    await recordEvent(inside, {
      kind: 'resource.deleted',
      targetId: id,
      data: { appId, resourceTypeId, displayName: row.displayName, entitlementCount },
    });
  });
}
