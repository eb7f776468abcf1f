/**
 * The contract's services about accounts (app users): each method calls one rule and shapes the reply.
 */
import { AppUserSearchSortBy, AppUserService } from '../../../gen/c1/api/app/v1/app_user_service_pb.js';
import { AppUsersForUserService } from '../../../gen/c1/api/app/v1/app_users_for_user_service_pb.js';
import { AppError } from '../../../errors.ts';
import { some } from '../../../lib/where.ts';
import type { Context } from '../../../context.ts';
import { type Call, implement, implementPart } from '../../../wire/service.ts';
import { findUser } from '../../../foundation/directory/index.ts';
import { narrowToOwn, requireConcernInApp, requireOwnAppOrInventory, requireOwnOrInventory } from './concern.ts';
import { type AccountFilter, listAccounts, noSuchAccount, pageByKey, requireAccount, requireApp, viewAccounts } from '../record/index.ts';
import { filterOfAccountSearch } from './read-filters.ts';

async function pageOfAccounts(
  context: Context,
  call: Call,
  filter: AccountFilter | undefined,
  byApp: boolean,
  paths: readonly string[] | undefined,
) {
  const { rows, nextPageToken } = await pageByKey(
    call,
    (after, limit) =>
      filter === undefined ? [] : listAccounts(context, filter, { byApp, id: after?.[0] ?? '', appId: after?.[1] ?? '' }, limit),
    (row) => [row.id, row.appId],
  );
  return { ...(await viewAccounts(context, call, rows, paths)), nextPageToken };
}

/** Changing one is in the module identity. */
const accountService = implementPart(AppUserService, {
  list: async (context, request, call) => {
    await requireOwnAppOrInventory(context, request.appId);
    const { id } = await requireApp(context, request.appId);
    return pageOfAccounts(context, call, { appId: id }, false, undefined);
  },
  search: async (context, request, call) => {
    const byApp = request.sortBy === AppUserSearchSortBy.APP;
    const filter = filterOfAccountSearch(request);
    const userIds = await narrowToOwn(
      context,
      some(request.userIds),
      [...request.appIds, request.appId].filter((id) => id !== ''),
    );
    return pageOfAccounts(context, call, filter && { ...filter, userIds }, byApp, request.expandMask?.paths);
  },
  // Passwords and keys of accounts are in no file we take in: there are none to show.
  listAppUserCredentials: async (context, request, call) => {
    await requireConcernInApp(context, request.appId);
    const { userId } = await requireAccount(context, request.appId, request.appUserId);
    requireOwnOrInventory(context, userId, noSuchAccount);
    const { rows: list, nextPageToken } = await pageByKey<never>(
      call,
      () => [],
      () => [],
    );
    return { list, nextPageToken };
  },
  listOwnedServiceAccounts: async (context, request, call) => {
    const filter: AccountFilter = { userIds: [context.actor.userId], types: ['SERVICE_ACCOUNT', 'SYSTEM_ACCOUNT'] };
    return pageOfAccounts(context, call, filter, false, request.expandMask?.paths);
  },
});

const accountsForUserService = implement(AppUsersForUserService, {
  listAppUsersForUser: async (context, request, call) => {
    requireOwnOrInventory(context, request.userId, 'There is no such user.');
    await requireConcernInApp(context, request.appId);
    const { id } = await requireApp(context, request.appId);
    if ((await findUser(context, request.userId)) === undefined) {
      throw new AppError('NOT_FOUND', 'There is no such user.');
    }
    return pageOfAccounts(context, call, { appId: id, userIds: [request.userId] }, false, undefined);
  },
});

/** Accounts. */
export const accountServices = [accountService, accountsForUserService];
