/**
 * Making an app a directory, saying how its accounts are matched to people, and taking that back.
 */
import { isDeepStrictEqual } from 'node:util';
import { AppError, invalidField, orThrow } from '../../errors.ts';
import { inTransaction, type Context } from '../../context.ts';
import type { DirectoryJson } from '../../gen/c1/api/directory/v1/directory_pb.js';
import { recordEvent } from '../../foundation/audit/index.ts';
import { requireApp, requireLockedApp } from '../catalog/index.ts';
import { updateMatchOrdersOf } from '../sources/index.ts';
import { matchAccounts, type Rematch } from './match-accounts.ts';
import { readMatchCases } from './merge-config.ts';
import { type DirectoryRow, findDirectory, insertDirectory, removeDirectory, updateDirectory } from './store-directories.ts';
import type { MatchRule } from './store-match.ts';

/** Directory as a client sends it: normalised JSON, absent where it was not sent. */
export type DirectoryContent = Pick<DirectoryJson, 'all' | 'celExpression' | 'mergeConfig'>;

/** The directory that this app is; NOT_FOUND where it is none. */
export async function requireDirectory(context: Context, appId: string): Promise<DirectoryRow> {
  return orThrow(await findDirectory(context, appId), 'NOT_FOUND', 'There is no such directory.');
}

/**
 * Makes an app a directory and returns it. Pairs of its merge configuration give the order to all sources of the app, those that come later
 * too, and its accounts are matched again at once. INVALID_ARGUMENT for a pair that is not understood and for a filter of accounts, NOT_FOUND for no such app, CONFLICT where
 * it is a directory already.
 */
export function createDirectory(context: Context, appId: string, sent: DirectoryContent): Promise<DirectoryRow> {
  return inTransaction(context, async (inside) => {
    const app = await requireLockedApp(inside, appId);
    const order = check(sent);
    if ((await findDirectory(inside, appId)) !== undefined) {
      throw new AppError('CONFLICT', `The app ${JSON.stringify(app.displayName)} is a directory already.`);
    }
    const content = { mergeConfig: sent.mergeConfig ?? {}, accountFilter: filterOf(sent) ?? { all: {} } };
    await insertDirectory(inside, { appId, ...content, matchOrder: order.length === 0 ? null : order });
    const rematch = await applyOrder(inside, appId, order);
    await recordEvent(inside, { kind: 'directory.created', targetId: appId, data: { ...content, ...told(rematch) } });
    return requireDirectory(inside, appId);
  });
}

/** Replaces what was sent, leaves the rest, and returns the directory. Errors as of createDirectory; NOT_FOUND where the app is no directory. */
export function changeDirectory(context: Context, appId: string, sent: DirectoryContent): Promise<DirectoryRow> {
  return inTransaction(context, async (inside) => {
    await requireDirectory(inside, appId);
    await requireLockedApp(inside, appId);
    const before = await requireDirectory(inside, appId);
    const order = check(sent);
    const from = { mergeConfig: before.mergeConfig, accountFilter: before.accountFilter };
    const to = { mergeConfig: sent.mergeConfig ?? from.mergeConfig, accountFilter: filterOf(sent) ?? from.accountFilter };
    if (isDeepStrictEqual(from, to)) {
      return before;
    }
    const matchOrder = sent.mergeConfig === undefined ? before.matchOrder : order.length === 0 ? null : order;
    await updateDirectory(inside, { appId, ...to, matchOrder });
    const rematch = await applyOrder(inside, appId, order);
    await recordEvent(inside, { kind: 'directory.updated', targetId: appId, data: { from, to, ...told(rematch) } });
    return requireDirectory(inside, appId);
  });
}

/** The app is no directory any more; the order of its sources stays. NOT_FOUND where it is none. */
export function deleteDirectory(context: Context, appId: string): Promise<void> {
  return inTransaction(context, async (inside) => {
    await requireDirectory(inside, appId);
    await requireLockedApp(inside, appId);
    await requireDirectory(inside, appId);
    await removeDirectory(inside, appId);
    const { displayName } = await requireApp(inside, appId);
    await recordEvent(inside, { kind: 'directory.deleted', targetId: appId, data: { displayName } });
  });
}

/** The order the merge configuration asks for, empty where it asks for none; INVALID_ARGUMENT for what is not understood. */
function check(sent: DirectoryContent): MatchRule[] {
  if ((sent.celExpression?.expression ?? '') !== '') {
    throw invalidField('celExpression.expression', 'accounts are not filtered by expressions; leave it empty, or send all: {}');
  }
  const cases = (sent.mergeConfig?.matchCases ?? []).map(({ appUserKeyCel = '', userKeyCel = '' }) => ({ appUserKeyCel, userKeyCel }));
  return readMatchCases(cases, 'mergeConfig.matchCases');
}

/** The member of the filter that was sent; undefined where none was. */
function filterOf({ all, celExpression }: DirectoryContent): DirectoryRow['accountFilter'] | undefined {
  return celExpression === undefined ? (all === undefined ? undefined : { all }) : { celExpression };
}

async function applyOrder(context: Context, appId: string, order: readonly MatchRule[]): Promise<Rematch | undefined> {
  const isChanged = order.length > 0 && (await updateMatchOrdersOf(context, appId, order)) > 0;
  return isChanged ? matchAccounts(context, appId, 'MANUAL') : undefined;
}

function told(rematch: Rematch | undefined): object {
  return rematch === undefined ? {} : { revisions: rematch.revisions, changedAccounts: rematch.changed, accounts: rematch.first };
}
