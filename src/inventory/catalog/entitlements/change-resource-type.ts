/**
 * Making, changing and deleting resource types manually. Those that imports brought can be renamed and given other traits, which syncs leave
 * alone; only manual ones can be deleted, since the next file would bring the others back.
 */
import { isDeepStrictEqual } from 'node:util';
import { AppError, invalidField } from '../../../errors.ts';
import { type AppResourceTypeJson, AppResourceTypeSchema } from '../../../gen/c1/api/app/v1/app_pb.js';
import { compareDocuments } from '../../../lib/compare-documents.ts';
import { getCaselessNameKey } from '../../../lib/names/same-name.ts';
import { inTransaction, type Context } from '../../../context.ts';
import { newId } from '../../../wire/ids.ts';
import { applyUpdate } from '../../../wire/mask.ts';
import { recordEvent } from '../../../foundation/audit/index.ts';
import { type ResourceTypeRow, requireLockedApp, requireResourceType, traitIds } from '../record/index.ts';
import { countResources, insertResourceType, listTypeNames, removeResourceType, updateResourceType } from './store-manual-resources.ts';

const maxNameLength = 200;

function readName(sent: string | undefined, field: string): string {
  const name = (sent ?? '').trim();
  if (name === '') {
    throw invalidField(field, 'must not be empty');
  }
  if (name.length > maxNameLength) {
    throw invalidField(field, `must not be longer than ${maxNameLength} characters`);
  }
  return name;
}

/**
 * People choose a type by its name, so one of an app has it, in any case. Only imports can bring a second one, which the name in
 * the source identifies.
 */
async function findTypeNamed(context: Context, appId: string, name: string, exceptId = ''): Promise<string | undefined> {
  const key = getCaselessNameKey(name);
  return (await listTypeNames(context, appId, exceptId)).find((other) => getCaselessNameKey(other.displayName) === key)?.id;
}

/**
 * Makes a resource type of one trait, or returns the one of the app that has the name in any case: clients ask for a type by making it.
 * NOT_FOUND for no such app, INVALID_ARGUMENT for a bad name.
 */
export function createResourceType(context: Context, appId: string, displayName: string, traitId: string): Promise<ResourceTypeRow> {
  return inTransaction(context, async (inside) => {
    await requireLockedApp(inside, appId);
    const name = readName(displayName, 'displayName');
    const taken = await findTypeNamed(inside, appId, name);
    if (taken !== undefined) {
      return requireResourceType(inside, appId, taken);
    }
    const id = newId(inside.now);
    await insertResourceType(inside, { appId, id, displayName: name, traitIds: [traitId] });
    await recordEvent(inside, {
      kind: 'resource_type.created',
      targetId: id,
      data: { appId, displayName: name, traitIds: [traitId] },
    });
    return requireResourceType(inside, appId, id);
  });
}

function readTraits(sent: readonly string[] | undefined, field: string): string[] {
  const chosen = [...new Set(sent)];
  const violations = chosen.flatMap((id, index) =>
    traitIds.includes(id) ? [] : [{ field: `${field}[${index}]`, description: `must be one of ${traitIds.join(', ')}` }],
  );
  if (violations.length > 0) {
    throw new AppError('INVALID_ARGUMENT', `${field} names a trait that does not exist.`, { violations });
  }
  return chosen;
}

/**
 * Changes the members the mask names, or those that were sent where there is none, and returns the type. NOT_FOUND for none,
 * INVALID_ARGUMENT for a bad mask, name or trait, CONFLICT for a taken name.
 */
export function changeResourceType(
  context: Context,
  appId: string,
  id: string,
  sent: AppResourceTypeJson,
  mask: readonly string[] | undefined,
): Promise<ResourceTypeRow> {
  return inTransaction(context, async (inside) => {
    await requireLockedApp(inside, appId);
    const type = await requireResourceType(inside, appId, id);
    const before = { displayName: type.displayName, traitIds: [...type.traitIds] };
    const wanted = applyUpdate(AppResourceTypeSchema, before, sent, mask);
    // What an import brought may be longer than what people may write, and have traits that nobody chose.
    const isSame = (member: keyof typeof before): boolean => isDeepStrictEqual(wanted[member], before[member]);
    const after = {
      displayName: isSame('displayName') ? before.displayName : readName(wanted.displayName, 'appResourceType.displayName'),
      traitIds: isSame('traitIds') ? before.traitIds : readTraits(wanted.traitIds, 'appResourceType.traitIds'),
    };
    const { fields, from, to } = compareDocuments(before, after);
    if (fields.length === 0) {
      return type;
    }
    if (after.displayName !== before.displayName && (await findTypeNamed(inside, appId, after.displayName, id)) !== undefined) {
      throw new AppError('CONFLICT', `The app has a resource type named ${JSON.stringify(after.displayName)} already.`);
    }
    await updateResourceType(inside, { appId, id, ...after });
    await recordEvent(inside, {
      kind: 'resource_type.updated',
      targetId: id,
      data: { appId, fields, from, to },
    });
    return requireResourceType(inside, appId, id);
  });
}

/** Deletes a type made manually. NOT_FOUND for none, FAILED_PRECONDITION where an import brought it or resources are of it. */
export function deleteResourceType(context: Context, appId: string, id: string): Promise<void> {
  return inTransaction(context, async (inside) => {
    await requireLockedApp(inside, appId);
    const type = await requireResourceType(inside, appId, id);
    if (!type.isManual) {
      throw new AppError(
        'FAILED_PRECONDITION',
        'This resource type comes from a source, which would bring it back. Only manual resource types can be deleted here.',
      );
    }
    const count = await countResources(inside, appId, id);
    if (count > 0) {
      throw new AppError('FAILED_PRECONDITION', `The resource type has resources (${count}). Delete them first.`);
    }
    await removeResourceType(inside, appId, id);
    await recordEvent(inside, {
      kind: 'resource_type.deleted',
      targetId: id,
      data: { appId, displayName: type.displayName },
    });
  });
}
