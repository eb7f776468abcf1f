/**
 * The contract's services about people and roles: each method calls one rule and shapes the reply.
 */
import { timestampDate } from '@bufbuild/protobuf/wkt';
import { AuthService } from '../../gen/c1/api/auth/v1/auth_service_pb.js';
import { RoleService } from '../../gen/c1/api/iam/v1/role_service_pb.js';
import { UserService } from '../../gen/c1/api/user/v1/user_service_pb.js';
import { UserRoleService } from '../../gen/countersign/v1/people_pb.js';
import { orThrow } from '../../errors.ts';
import type { Context } from '../../context.ts';
import { pageByKey, readPage } from '../../wire/page.ts';
import { unset } from '../../wire/row.ts';
import { type Call, implement } from '../../wire/service.ts';
import { permissionsHeld, rolesHeld } from '../authority/index.ts';
import { changeRole } from './change-role.ts';
import { filterOfSearch, getSelf, getUser, orderOfSearch, searchUsers } from './read-users.ts';
import { allRoles, ROLES } from './roles.ts';
import { profileAttributeService } from './attributes/index.ts';
import { personFactService, personWordsService } from './service-facts.ts';
import { ownServices } from './service-own.ts';
import { setDelegation } from './set-delegation.ts';
import { setRoles, withBasicUser } from './set-roles.ts';
import type { UserRow } from './store.ts';
import type { UserFilter, UserOrder } from './store-search.ts';
import { shapeDelegation, shapedRoles, shapeUserView } from './view.ts';

async function viewUsers(context: Context, call: Call, rows: readonly UserRow[], paths: readonly string[] | undefined) {
  const wanted = [
    { path: 'role_ids', type: 'c1.api.iam.v1.Role', ids: rows.flatMap((row) => withBasicUser(row.roleIds)) },
    { path: 'manager_ids', type: 'c1.api.user.v1.User', ids: rows.flatMap((row) => row.managerId ?? []) },
    { path: 'delegated_user_id', type: 'c1.api.user.v1.User', ids: rows.flatMap((row) => row.delegatedUserId ?? []) },
    { path: 'directory_ids', type: 'c1.api.app.v1.App', ids: rows.flatMap((row) => row.directoryIds) },
  ];
  const { expanded, pathOf } = await call.expand(wanted, paths);
  return { expanded, views: rows.map((row) => shapeUserView(context.actor, row, pathOf)) };
}

async function pageOfUsers(context: Context, call: Call, filter: UserFilter, order: UserOrder, paths?: readonly string[]) {
  const { rows, nextPageToken } = await pageByKey(
    call,
    (after, limit) => searchUsers(context, filter, { order, after, limit }),
    (row) => (order === 'ID' ? [row.id] : [row.listKey, row.id]),
  );
  const { expanded, views } = await viewUsers(context, call, rows, paths);
  return { expanded, list: views, nextPageToken };
}

const userService = implement(UserService, {
  search: async (context, request, call) =>
    pageOfUsers(context, call, filterOfSearch(request), orderOfSearch(request), request.expandMask?.paths),
  list: async (context, _request, call) => pageOfUsers(context, call, {}, 'ID'),
  get: async (context, request, call) => {
    const { expanded, views } = await viewUsers(context, call, [await getUser(context, request.id)], undefined);
    return { expanded, userView: views[0] };
  },
  introspect: async (context, request, call) => {
    const { expanded, views } = await viewUsers(context, call, [await getSelf(context)], request.expandMask?.paths);
    return { expanded, userView: views[0] };
  },
  getUserProfileTypes: async (context, request) => {
    // Profile types come with the forms of access requests, which are not built: nobody has any.
    await getUser(context, request.userId);
    return { profileTypes: [] };
  },
  setExpiringUserDelegationBindingByAdmin: async (context, request) => {
    const item = await setDelegation(context, {
      userId: request.userId,
      delegatedUserId: request.delegatedUserId,
      startsAt: request.delegationStartAt === undefined ? null : timestampDate(request.delegationStartAt),
      expiresAt: request.delegationExpireAt === undefined ? null : timestampDate(request.delegationExpireAt),
    });
    return { item: shapeDelegation(item) };
  },
});

const authService = implement(AuthService, {
  introspect: async (context) => ({
    permissions: permissionsHeld(context.actor),
    principleId: context.actor.credentialId === '' ? context.actor.userId : context.actor.credentialId,
    userId: context.actor.userId,
    tenantId: context.tenantId,
    roles: rolesHeld(context.actor)
      .map((role) => ROLES[role].publicName)
      .sort(),
    roleIds: rolesHeld(context.actor)
      .map((role) => ROLES[role].id)
      .sort(),
    ...unset('deviceClientId', 'disabledModules', 'features'),
  }),
});

const roleService = implement(RoleService, {
  list: async (_context, _request, call) => {
    const { rows, nextPageToken } = await readPage(call, (after) => allRoles.filter((role) => role.id > after));
    return { list: rows.flatMap((role) => shapedRoles.get(role.id) ?? []), nextPageToken };
  },
  get: async (_context, request) => {
    const role = orThrow(shapedRoles.get(request.roleId), 'NOT_FOUND', 'There is no such role.');
    return { role };
  },
  update: async (_context, request, call) => ({ role: changeRole(request.roleId, call.sent.role ?? {}, call.mask) }),
});

const userRoleService = implement(UserRoleService, {
  getRoles: async (context, request) => {
    const user = await getUser(context, request.userId);
    return { userId: user.id, roleIds: withBasicUser(user.roleIds) };
  },
  setRoles: async (context, request) => ({ userId: request.userId, roleIds: await setRoles(context, request.userId, request.roleIds) }),
});

/** Services of the directory. */
export const services = [
  userService,
  authService,
  roleService,
  userRoleService,
  profileAttributeService,
  personFactService,
  personWordsService,
  ...ownServices,
];
