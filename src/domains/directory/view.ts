/**
 * How people and roles look outside: plain objects of the contract's JSON types. Which ones a caller may see is decided by the rules.
 */
import { RoleSchema, type RoleJson } from '../../gen/c1/api/iam/v1/iam_pb.js';
import {
  type ExpiringUserDelegationBindingJson,
  ExpiringUserDelegationBindingSchema,
  UserSchema,
  UserViewSchema,
  type UserJson,
  type UserViewJson,
} from '../../gen/c1/api/user/v1/user_pb.js';
import { ActorObjectPermissionsSchema } from '../../gen/c1/api/authorization/v1/authorization_pb.js';
import type { Actor } from '../../context.ts';
import { joinPaths } from '../../wire/expand.ts';
import { shape, timestamp } from '../../wire/reply.ts';
import { sourcesOf } from './attribute-sources.ts';
import { permissionsOf } from './permissions.ts';
import { allRoles, type FixedRole, isSuperAdmin } from './roles.ts';
import type { SetDelegation } from './set-delegation.ts';
import { withBasicUser } from './set-roles.ts';
import type { UserRow } from './store.ts';

/** The first text among these members of a profile, for what has no column of its own. */
function profileText(profile: Record<string, unknown>, ...keys: string[]): string {
  for (const key of keys) {
    const value = profile[key];
    if (typeof value === 'string' && value !== '') {
      return value;
    }
  }
  return '';
}

function listOf(text: string): string[] {
  return text === '' ? [] : [text];
}

/** Where a user comes from; the search filters say the same in SQL. */
function originOf(row: UserRow): UserJson['origin'] {
  return row.userType === 'SERVICE' ? 'USER_ORIGIN_SYSTEM' : row.source === '' ? 'USER_ORIGIN_LOCAL' : 'USER_ORIGIN_DIRECTORY';
}

/** A person as c1.api.user.v1.User. */
export function shapeUser(row: UserRow): UserJson {
  const username = row.username || profileText(row.profile, 'username', 'login');
  return shape(UserSchema, {
    id: row.id,
    email: row.email,
    emails: listOf(row.email),
    displayName: row.displayName,
    username,
    usernames: listOf(username),
    employeeIds: listOf(row.employeeId || profileText(row.profile, 'employee_id', 'employeeId')),
    status: row.status,
    directoryStatus: row.status,
    employmentStatus: row.employmentStatus,
    employmentType: row.employmentType || profileText(row.profile, 'employment_type', 'employmentType'),
    department: row.department,
    jobTitle: row.jobTitle,
    managerIds: row.managerId === null ? [] : [row.managerId],
    emailSources: sourcesOf(row, 'email'),
    usernameSources: sourcesOf(row, 'username'),
    employeeIdSources: sourcesOf(row, 'employeeId'),
    directoryStatusSources: sourcesOf(row, 'directoryStatus'),
    employmentStatusSources: sourcesOf(row, 'employmentStatus'),
    employmentTypeSources: sourcesOf(row, 'employmentType'),
    departmentSources: sourcesOf(row, 'department'),
    jobTitleSources: sourcesOf(row, 'jobTitle'),
    managerSources: sourcesOf(row, 'manager'),
    delegatedUserId: row.delegatedUserId ?? '',
    directoryIds: row.directoryIds,
    roleIds: withBasicUser(row.roleIds),
    // What the import put there came in as JSON.
    profile: row.profile as NonNullable<UserJson['profile']>,
    origin: originOf(row),
    type: `USER_TYPE_${row.userType}`,
    createdAt: timestamp(row.createdAt),
    updatedAt: timestamp(row.updatedAt),
    deletedAt: timestamp(row.deletedAt),
  });
}

/** A person with the places of related objects among the expanded ones ('' where not expanded). */
export function shapeUserView(actor: Actor, row: UserRow, pathOf: (path: string, id: string) => string): UserViewJson {
  const roleIds = withBasicUser(row.roleIds);
  return shape(UserViewSchema, {
    user: shapeUser(row),
    userId: row.id,
    rolesPath: joinPaths(roleIds.map((id) => pathOf('role_ids', id))),
    managersPath: joinPaths(row.managerId === null ? [] : [pathOf('manager_ids', row.managerId)]),
    delegatedUserPath: row.delegatedUserId === null ? '' : pathOf('delegated_user_id', row.delegatedUserId),
    directoriesPath: joinPaths(row.directoryIds.map((id) => pathOf('directory_ids', id))),
    objectPermissions: shape(ActorObjectPermissionsSchema, { read: true, edit: isSuperAdmin(actor), delete: false }),
  });
}

/** The fixed roles have been there since before any tenant. */
const rolesSince = '2026-01-01T00:00:00Z';

/** A role as c1.api.iam.v1.Role. */
function shapeRole(role: FixedRole): RoleJson {
  return shape(RoleSchema, {
    id: role.id,
    name: role.role.toLowerCase(),
    displayName: role.displayName,
    permissions: permissionsOf(role.role),
    systemBuiltin: true,
    createdAt: rolesSince,
    updatedAt: rolesSince,
  });
}

/** All roles by id, shaped once. */
export const shapedRoles: ReadonlyMap<string, RoleJson> = new Map(allRoles.map((role) => [role.id, shapeRole(role)]));

/** A delegation as c1.api.user.v1.ExpiringUserDelegationBinding. */
export function shapeDelegation(row: SetDelegation): ExpiringUserDelegationBindingJson {
  return shape(ExpiringUserDelegationBindingSchema, {
    userId: row.userId,
    delegatedUserId: row.delegatedUserId,
    startAt: timestamp(row.startsAt),
    expirationAt: timestamp(row.expiresAt),
    createdAt: timestamp(row.createdAt),
    updatedAt: timestamp(row.updatedAt),
    deletedAt: timestamp(row.deletedAt),
  });
}
