/**
 * The contract's services about accounts (app users): each method calls one rule and shapes the reply.
 */
import {
  AppUserSearchSortBy,
  AppUserService,
  AppUserServiceListCredentialsResponseSchema,
  AppUserServiceListResponseSchema,
  AppUserServiceSearchResponseSchema,
  ListOwnedServiceAccountsResponseSchema,
} from '../../gen/c1/api/app/v1/app_user_service_pb.js';
import { AppUsersForUserService, AppUsersForUserServiceListResponseSchema } from '../../gen/c1/api/app/v1/app_users_for_user_service_pb.js';
import { AppError } from '../../errors.ts';
import { some } from '../../lib/where.ts';
import type { Context } from '../../context.ts';
import { shape } from '../../wire/reply.ts';
import { type Call, implement, implementPart } from '../../wire/service.ts';
import { findUser } from '../directory/index.ts';
import { narrowToOwn, requireConcernInApp, requireOwnOrInventory } from './concern.ts';
import { pageByKey } from './page.ts';
import { filterOfAccountSearch } from './read-filters.ts';
import { requireAccount, requireApp } from './require.ts';
import { type AccountFilter, listAccounts } from './store-accounts.ts';
import { viewAccounts } from './view-accounts.ts';

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
  return { ...(await viewAccounts(call, rows, paths)), nextPageToken };
}

/** Changing one is in the module identity. */
const accountService = implementPart(AppUserService, {
  list: async (context, request, call) => {
    const { id } = await requireApp(context, request.appId);
    return shape(AppUserServiceListResponseSchema, await pageOfAccounts(context, call, { appId: id }, false, undefined));
  },
  search: async (context, request, call) => {
    const byApp = request.sortBy === AppUserSearchSortBy.APP;
    const userIds = narrowToOwn(context, some(request.userIds));
    const filter = filterOfAccountSearch(request);
    return shape(
      AppUserServiceSearchResponseSchema,
      await pageOfAccounts(context, call, filter && { ...filter, userIds }, byApp, request.expandMask?.paths),
    );
  },
  // Passwords and keys of accounts are in no file we take in: there are none to show.
  listAppUserCredentials: async (context, request, call) => {
    await requireAccount(context, request.appId, request.appUserId);
    const { rows: list, nextPageToken } = await pageByKey<never>(
      call,
      () => [],
      () => [],
    );
    return shape(AppUserServiceListCredentialsResponseSchema, { list, nextPageToken });
  },
  listOwnedServiceAccounts: async (context, request, call) => {
    const filter: AccountFilter = { userIds: [context.actor.userId], types: ['SERVICE_ACCOUNT', 'SYSTEM_ACCOUNT'] };
    return shape(ListOwnedServiceAccountsResponseSchema, await pageOfAccounts(context, call, filter, false, request.expandMask?.paths));
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
    const page = await pageOfAccounts(context, call, { appId: id, userIds: [request.userId] }, false, undefined);
    return shape(AppUsersForUserServiceListResponseSchema, page);
  },
});

/** Accounts. */
export const accountServices = [accountService, accountsForUserService];
