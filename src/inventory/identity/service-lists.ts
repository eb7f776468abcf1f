/**
 * Our own lists of what does not fit: leavers with accounts, accounts without an owner, people without a manager.
 */
import { IdentityService } from '../../gen/countersign/v1/identity_pb.js';
import type { User } from '../../gen/c1/api/user/v1/user_pb.js';
import type { Context } from '../../context.ts';
import { quoteName } from '../../lib/names/visible-text.ts';
import type { Row } from '../../wire/row.ts';
import { type Call, implement } from '../../wire/service.ts';
import { listAccountsByIds, loadSight, pageByKey, readPage, requireApp, shapeAccount } from '../catalog/index.ts';
import { listUsersByIds, shapeUser } from '../../foundation/directory/index.ts';
import { listFirstCandidates } from './list-candidates.ts';
import { countUndescribed, listLeavers, listLookAlikes, listUndescribed, listUnowned, listWithoutManager } from './store-lists.ts';

/** The app a list is narrowed to, undefined for all; NOT_FOUND for one that is not there. */
async function appOf(context: Context, appId: string): Promise<string | undefined> {
  return appId === '' ? undefined : (await requireApp(context, appId)).id;
}

async function shapeUsers(context: Context, ids: readonly string[]): Promise<Map<string, Row<User>>> {
  return new Map([...(await listUsersByIds(context, ids))].map(([id, row]) => [id, shapeUser(context.actor, row)]));
}

async function pageOfUnowned(context: Context, call: Call, kind: 'unowned' | 'ambiguous', appId: string | undefined) {
  const { rows, nextPageToken } = await pageByKey(
    call,
    (after, limit) => listUnowned(context, kind, appId, { appId: after?.[0] ?? '', id: after?.[1] ?? '' }, limit),
    (row) => [row.appId, row.id],
  );
  const accounts = await listAccountsByIds(
    context,
    rows.map((row) => row.id),
  );
  const found = rows.flatMap((row) => {
    const account = accounts.get(row.id);
    return account === undefined ? [] : [{ account, matchCount: row.matchCount }];
  });
  return { found, nextPageToken };
}

const identityService = implement(IdentityService, {
  listLeaversWithAccounts: async (context, request, call) => {
    const appId = await appOf(context, request.appId);
    const { rows, nextPageToken } = await readPage(
      call,
      (after, limit) => listLeavers(context, appId, after, limit),
      (row) => row.userId,
    );
    const users = await shapeUsers(
      context,
      rows.map((row) => row.userId),
    );
    const list = rows.map((row) => ({ user: users.get(row.userId), accountCount: String(row.accountCount) }));
    return { list, nextPageToken };
  },
  listUnownedAccounts: async (context, request, call) => {
    const { found, nextPageToken } = await pageOfUnowned(context, call, 'unowned', await appOf(context, request.appId));
    const sight = await loadSight(context);
    return { list: found.map(({ account }) => shapeAccount(sight, account)), nextPageToken };
  },
  listAmbiguousAccounts: async (context, request, call) => {
    const { found, nextPageToken } = await pageOfUnowned(context, call, 'ambiguous', await appOf(context, request.appId));
    const candidates = await listFirstCandidates(
      context,
      found.map(({ account }) => account.id),
    );
    const users = await shapeUsers(context, [...candidates.values()].flat());
    const sight = await loadSight(context);
    const list = found.map(({ account, matchCount }) => ({
      appUser: shapeAccount(sight, account),
      matchCount,
      candidates: (candidates.get(account.id) ?? []).flatMap((id) => users.get(id) ?? []),
    }));
    return { list, nextPageToken };
  },
  listUndescribedEntitlements: async (context, request, call) => {
    const appId = await appOf(context, request.appId);
    const { rows, nextPageToken } = await pageByKey(
      call,
      (after, limit) => listUndescribed(context, appId, after && { holders: Number(after[0] ?? 0), id: after[1] ?? '' }, limit),
      (row) => [String(row.holders), row.id],
    );
    const list = rows.map((row) => ({
      ...row,
      appDisplayName: row.appName,
      appEntitlementId: row.id,
      entitlement: row.name,
      holderCount: row.holders,
    }));
    const total = call.page.after === undefined ? await countUndescribed(context, appId) : 0;
    return { list, nextPageToken, total };
  },
  listLookAlikes: async (context, request, call) => {
    const appId = await appOf(context, request.appId);
    const { rows, nextPageToken } = await pageByKey(
      call,
      (after, limit) => listLookAlikes(context, appId, after, limit),
      (row) => [row.appId, row.kind, row.ids[0] ?? ''],
    );
    return { list: rows.map((row) => ({ ...row, appDisplayName: row.appName, names: row.names.map(quoteName) })), nextPageToken };
  },
  listPeopleWithoutManager: async (context, _request, call) => {
    const { rows: ids, nextPageToken } = await readPage(
      call,
      (after, limit) => listWithoutManager(context, after, limit),
      (id) => id,
    );
    const users = await shapeUsers(context, ids);
    return { list: ids.flatMap((id) => users.get(id) ?? []), nextPageToken };
  },
});

/** The lists of what does not fit. */
export const listServices = [identityService];
