/** People and roles as clients see them: rows of the contract's messages. Which ones a caller may see is decided by the rules. */
import type { Role } from '../../gen/c1/api/iam/v1/iam_pb.js';
import type { ExpiringUserDelegationBinding, User, UserView } from '../../gen/c1/api/user/v1/user_pb.js';
import type { Actor } from '../../context.ts';
import { joinPaths } from '../../wire/expand.ts';
import { type Row, unset } from '../../wire/row.ts';
import { attributeSources } from './attribute-sources.ts';
import { asSeen, isSuperAdmin, rolePermissions, seesPersonWhole } from '../authority/index.ts';
import { allRoles, type FixedRole } from './roles.ts';
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

/** Finds a user's origin; the search filters say the same in SQL. */
function originOf(row: UserRow): Row<User>['origin'] {
  return row.userType === 'SERVICE' ? 'USER_ORIGIN_SYSTEM' : row.source === '' ? 'USER_ORIGIN_LOCAL' : 'USER_ORIGIN_DIRECTORY';
}

/** A person as c1.api.user.v1.User, as far as the actor sees them. */
export function shapeUser(actor: Actor, row: UserRow): Row<User> {
  const username = row.username || profileText(row.profile, 'username', 'login');
  const whole: Row<User> = {
    ...row,
    emails: listOf(row.email),
    username,
    usernames: listOf(username),
    employeeIds: listOf(row.employeeId || profileText(row.profile, 'employee_id', 'employeeId')),
    directoryStatus: row.status,
    employmentType: row.employmentType || profileText(row.profile, 'employment_type', 'employmentType'),
    managerIds: row.managerId === null ? [] : [row.managerId],
    emailSources: attributeSources(row, 'email'),
    usernameSources: attributeSources(row, 'username'),
    employeeIdSources: attributeSources(row, 'employeeId'),
    directoryStatusSources: attributeSources(row, 'directoryStatus'),
    employmentStatusSources: attributeSources(row, 'employmentStatus'),
    employmentTypeSources: attributeSources(row, 'employmentType'),
    departmentSources: attributeSources(row, 'department'),
    jobTitleSources: attributeSources(row, 'jobTitle'),
    managerSources: attributeSources(row, 'manager'),
    roleIds: withBasicUser(row.roleIds),
    // What the import put there came in as JSON.
    profile: row.profile as NonNullable<Row<User>['profile']>,
    origin: originOf(row),
    type: row.userType,
  };
  return asSeen('person', seesPersonWhole(actor, row.id), whole);
}

/** A person with the places of related objects among the expanded ones ('' where not expanded). */
export function shapeUserView(actor: Actor, row: UserRow, pathOf: (path: string, id: string) => string): Row<UserView> {
  const roleIds = withBasicUser(row.roleIds);
  return {
    user: shapeUser(actor, row),
    userId: row.id,
    rolesPath: joinPaths(roleIds.map((id) => pathOf('role_ids', id))),
    managersPath: joinPaths(row.managerId === null ? [] : [pathOf('manager_ids', row.managerId)]),
    delegatedUserPath: row.delegatedUserId === null ? '' : pathOf('delegated_user_id', row.delegatedUserId),
    directoriesPath: joinPaths(row.directoryIds.map((id) => pathOf('directory_ids', id))),
    objectPermissions: { read: true, edit: isSuperAdmin(actor), delete: false, extra: {} },
  };
}

/** The fixed roles have been there since before any tenant. */
const rolesSince = '2026-01-01T00:00:00Z';

/** A role as c1.api.iam.v1.Role. */
function shapeRole(role: FixedRole): Row<Role> {
  return {
    ...role,
    name: role.role.toLowerCase(),
    permissions: rolePermissions(role.role),
    systemBuiltin: true,
    createdAt: rolesSince,
    updatedAt: rolesSince,
    ...unset('deletedAt', 'serviceRoles', 'systemApiOnly'),
  };
}

/** All roles by id, shaped once. */
export const shapedRoles: ReadonlyMap<string, Row<Role>> = new Map(allRoles.map((role) => [role.id, shapeRole(role)]));

/** A delegation as c1.api.user.v1.ExpiringUserDelegationBinding. */
export function shapeDelegation(row: SetDelegation): Row<ExpiringUserDelegationBinding> {
  return { ...row, startAt: row.startsAt, expirationAt: row.expiresAt };
}
