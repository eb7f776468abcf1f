/**
 * Making, changing and deleting groups, as an identity provider asks for it. Each is one transaction with at most one revision and one event.
 */
import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { compareDocuments } from '../../lib/compare-documents.ts';
import { inTransaction, type Context } from '../../context.ts';
import { newId } from '../../wire/ids.ts';
import { recordEvent } from '../../foundation/audit/index.ts';
import {
  insertEntitlements,
  insertResources,
  insertResourceTypes,
  removeGroup,
  updateDeletedResourceTypes,
  updateGroup,
} from '../catalog/index.ts';
import {
  type ResourceRow,
  ScimError,
  applyPatch,
  findFormerGroup,
  findGroupOfName,
  insertResource,
  isObject,
  readDocument,
  readOperations,
  removeResource,
  updateResource,
} from './document/index.ts';
import { changeMembers } from './change-members.ts';
import { makeSearchKeys } from './facts.ts';
import { type MemberChange, readMembers, splitOperations } from './member-change.ts';
import { refuseOwned } from './owned.ts';
import { lockSource, requireResource, type ScimSource } from './source.ts';
import { findGroupType, getGroupEntitlementSql, getGroupResourceSql, getGroupTypeSql } from './store-groups.ts';

/** Makes a group with its members and returns it. One that was deleted, by the provider's id for it or else by name, is the same again. */
export function createGroup(context: Context, source: ScimSource, body: JsonValue | undefined): Promise<ResourceRow> {
  const document = readDocument('GROUP', body);
  const change = readMembers(isObject(body) ? body : {});
  return inTransaction(context, async (inside) => {
    await lockSource(inside, source, false);
    return pushGroup(inside, source, undefined, document, change);
  });
}

/** Makes a group say this, with these members and no others. 404 for none. */
export function replaceGroup(
  context: Context,
  source: ScimSource,
  id: string,
  body: JsonValue | undefined,
  ifMatch: string | undefined,
): Promise<ResourceRow> {
  const document = readDocument('GROUP', body);
  const change = readMembers(isObject(body) ? body : {});
  return inTransaction(context, async (inside) => {
    await lockSource(inside, source, false);
    return pushGroup(inside, source, await requireResource(inside, source, 'GROUP', id, ifMatch), document, change);
  });
}

/** Changes parts of a group: members without reading them. 404 for none. */
export function patchGroup(
  context: Context,
  source: ScimSource,
  id: string,
  body: JsonValue | undefined,
  ifMatch: string | undefined,
): Promise<ResourceRow> {
  const operations = readOperations(body);
  refuseOwned('GROUP', operations);
  const { change, others } = splitOperations(operations);
  return inTransaction(context, async (inside) => {
    await lockSource(inside, source, false);
    const row = await requireResource(inside, source, 'GROUP', id, ifMatch);
    return pushGroup(inside, source, row, readDocument('GROUP', applyPatch('GROUP', row.document, others)), change);
  });
}

async function pushGroup(
  context: Context,
  source: ScimSource,
  row: ResourceRow | undefined,
  document: JsonObject,
  change: MemberChange,
): Promise<ResourceRow> {
  const keys = makeSearchKeys('GROUP', document);
  const displayName = String(document.displayName).trim();
  const holder = await findGroupOfName(context, source.id, { ...keys, displayName });
  if (holder !== undefined && holder !== row?.id) {
    throw new ScimError(409, 'uniqueness', `There is a group named ${JSON.stringify(document.displayName)} already.`);
  }
  const id = row?.id ?? newId(context.now);
  const entitlementId = await mergeGroup(context, source, row, { id, displayName, keys });
  const members = await changeMembers(context, source, entitlementId, change);
  const content = { ...keys, document, userId: null, accountId: null, entitlementId };
  const { fields } = compareDocuments(row?.document ?? {}, document);
  const isTouched = row === undefined || fields.length > 0 || members.revision !== null;
  if (row === undefined) {
    await insertResource(context, source.id, 'GROUP', id, content);
  } else if (isTouched) {
    await updateResource(context, source.id, id, content);
  }
  if (isTouched) {
    await recordEvent(context, {
      kind: row === undefined ? 'scim.group_created' : 'scim.group_updated',
      targetId: entitlementId,
      data: {
        appId: source.appId,
        sourceId: source.id,
        scimId: id,
        displayName,
        fields,
        membersAdded: members.added,
        membersRemoved: members.removed,
        revision: members.revision,
      },
    });
  }
  return requireResource(context, source, 'GROUP', id);
}

/** The entitlement of the group's members, made or brought up to the group's name. */
async function mergeGroup(
  context: Context,
  source: ScimSource,
  row: ResourceRow | undefined,
  group: { readonly id: string; readonly displayName: string; readonly keys: ReturnType<typeof makeSearchKeys> },
): Promise<string> {
  const former = row ?? (await findFormerGroup(context, source.id, { ...group.keys, displayName: group.displayName }));
  if (former !== undefined && former.entitlementId !== null) {
    await updateGroup(context, source.appId, former.entitlementId, group.displayName);
    return former.entitlementId;
  }
  const typeId = await ensureGroupType(context, source.appId);
  const entitlementId = newId(context.now);
  const made = { typeId, resourceId: newId(context.now), entitlementId, externalId: group.id, displayName: group.displayName };
  await insertResources(context, source.appId, getGroupResourceSql(made));
  await insertEntitlements(context, source.appId, source.sourceNo, getGroupEntitlementSql(made));
  return entitlementId;
}

/** The app's resource type of groups, made where it has none and brought back where it was deleted. The app is locked. */
async function ensureGroupType(context: Context, appId: string): Promise<string> {
  const found = await findGroupType(context, appId);
  const typeId = found ?? newId(context.now);
  if (found === undefined) {
    await insertResourceTypes(context, appId, getGroupTypeSql(typeId));
  } else {
    await updateDeletedResourceTypes(context, appId, getGroupTypeSql(typeId));
  }
  return typeId;
}

/** Deletes a group: its memberships end, and the entitlement goes, unless somebody has it from elsewhere. 404 for none. */
export function deleteGroup(context: Context, source: ScimSource, id: string, ifMatch: string | undefined): Promise<void> {
  return inTransaction(context, async (inside) => {
    await lockSource(inside, source, false);
    const row = await requireResource(inside, source, 'GROUP', id, ifMatch);
    const entitlementId = row.entitlementId ?? '';
    const nobody = { replacesAll: true, added: new Set<string>(), removed: new Set<string>() };
    const members = await changeMembers(inside, source, entitlementId, nobody);
    const isGone = await removeGroup(inside, source.appId, entitlementId);
    await removeResource(inside, source.id, id);
    await recordEvent(inside, {
      kind: 'scim.group_deleted',
      targetId: entitlementId,
      data: {
        appId: source.appId,
        sourceId: source.id,
        scimId: id,
        membersRemoved: members.removed,
        revision: members.revision,
        entitlementDeleted: isGone,
      },
    });
  });
}
