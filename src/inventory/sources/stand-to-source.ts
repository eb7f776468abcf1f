/**
 * Standing to a source: Super Administrators and its owners fetch, pause, resume, confirm and discard; they and all who read the
 * inventory read it. For anybody else it is not there.
 */
import { AppError } from '../../errors.ts';
import type { Context } from '../../context.ts';
import { isSuperAdmin, isSystem, seesInventory } from '../../foundation/authority/index.ts';
import { requireApp } from '../catalog/index.ts';
import { requireSource } from './require.ts';
import { listOwnedSources } from './store-owned.ts';

const unknown = 'There is no such source.';

/** Returns the ids of the sources that the caller reads; undefined for all. */
export async function findReadSources(context: Context): Promise<readonly string[] | undefined> {
  return seesInventory(context.actor) ? undefined : listOwnedSources(context, undefined);
}

/**
 * Returns the ids of the sources of an app that the caller reads; undefined for all. NOT_FOUND where the app is not there, and for a caller who reads
 * none.
 */
export async function requireAppReader(context: Context, appId: string): Promise<readonly string[] | undefined> {
  if (seesInventory(context.actor)) {
    await requireApp(context, appId);
    return undefined;
  }
  const ids = await listOwnedSources(context, undefined, appId);
  if (ids.length === 0) {
    throw new AppError('NOT_FOUND', 'There is no such app.');
  }
  return ids;
}

/** Returns which of these sources the caller runs. */
export async function findRunSources(context: Context, ids: readonly string[]): Promise<ReadonlySet<string>> {
  return new Set(isSuperAdmin(context.actor) || isSystem(context.actor) ? ids : await listOwnedSources(context, ids));
}

/** NOT_FOUND, in these words, for a caller who may not know of the source. A source that is not there is left to whoever looks for it. */
export async function requireSourceReader(context: Context, id: string, message = unknown): Promise<void> {
  if (!seesInventory(context.actor) && (await listOwnedSources(context, [id])).length === 0) {
    throw new AppError('NOT_FOUND', message);
  }
}

/** The same, and PERMISSION_DENIED for a caller who reads the source and does not run it. */
export async function requireSourceRunner(context: Context, id: string, message = unknown): Promise<void> {
  await requireSourceReader(context, id, message);
  if (!(await findRunSources(context, [id])).has(id)) {
    await requireSource(context, id);
    throw new AppError('PERMISSION_DENIED', 'This is for Super Administrators and for owners of the source.');
  }
}
