/** Requires what a request about sources needs to make sense. */
import { AppError } from '../../errors.ts';
import type { Context } from '../../context.ts';
import { type OwnedThing, requireApp, requireLockedApp } from '../catalog/index.ts';
import { type SourceRow, findSource, findSourceOrDeleted, lockSource } from './store.ts';

function refuse(message: string): never {
  throw new AppError('NOT_FOUND', message);
}

/** The source with this id in this app; NOT_FOUND for none, and where the app is deleted. */
export async function requireSourceOf(context: Context, appId: string, id: string): Promise<SourceRow> {
  await requireApp(context, appId);
  const row = await findSource(context, id);
  return row !== undefined && row.appId === appId ? row : refuse('There is no such source in this app.');
}

/**
 * The source with this id in this app, deleted or not, alone or with its app: clients that manage objects see by `deletedAt` that one is gone,
 * and take 404 for a failure. NOT_FOUND for one that never was.
 */
export async function requireSourceOrDeleted(context: Context, appId: string, id: string): Promise<SourceRow> {
  const row = await findSourceOrDeleted(context, id);
  return row !== undefined && row.appId === appId ? row : refuse('There is no such source in this app.');
}

/** The source with this id in this app as `requireSourceOf` finds it, with the app locked until the transaction ends, so that no import into it runs meanwhile. */
export async function requireLockedSourceOf(context: Context, appId: string, id: string): Promise<SourceRow> {
  await requireLockedApp(context, appId);
  return requireSourceOf(context, appId, id);
}

/** The source with this id, of people or of whatever app; NOT_FOUND for none. */
export async function requireSource(context: Context, id: string): Promise<SourceRow> {
  return (await findSource(context, id)) ?? refuse('There is no such source.');
}

/** The same, locked until the transaction ends. */
export async function requireLockedSource(context: Context, id: string): Promise<SourceRow> {
  await lockSource(context, id);
  return requireSource(context, id);
}

/** A source as something that can be owned. */
export const ownedSource = (appId: string, id: string): OwnedThing => ({
  of: { kind: 'source', appId, id },
  require: (context) => requireSourceOf(context, appId, id),
  lock: (context) => requireLockedSourceOf(context, appId, id),
  data: { appId },
});
