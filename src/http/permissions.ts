/**
 * Which roles hold which permission: the whole table. Every method of the contract names one of these permissions; which rows somebody may
 * see and touch is decided by the rules of the rooms.
 */
import { type DescMethod, getOption } from '@bufbuild/protobuf';
import { ROLES } from '../domains/directory/index.ts';
import { AppError } from '../errors.ts';
import { permission as permissionOption } from '../gen/countersign/options_pb.js';
import type { Actor, RoleName } from '../scope.ts';

/** Everybody but a credential that is narrowed to the system log. */
const everybody: readonly RoleName[] = ['SUPER_ADMINISTRATOR', 'CAMPAIGN_ADMINISTRATOR', 'READ_ONLY_ADMINISTRATOR', 'BASIC_USER'];
const administrators: readonly RoleName[] = ['SUPER_ADMINISTRATOR', 'CAMPAIGN_ADMINISTRATOR', 'READ_ONLY_ADMINISTRATOR'];
const superAdministrators: readonly RoleName[] = ['SUPER_ADMINISTRATOR'];

/** The closed table: permission -> roles that hold it. */
export const rolesByPermission = {
  'reviews.create': ['SUPER_ADMINISTRATOR', 'CAMPAIGN_ADMINISTRATOR'],
  'reviews.read': everybody,
  'reviews.manage': everybody,
  'reviews.report': everybody,
  'tasks.read': everybody,
  'tasks.decide': everybody,
  'credentials.own': everybody,
  'users.read': everybody,
  'self.read': everybody,
  'inventory.read': administrators,
  'policies.read': administrators,
  'roles.read': administrators,
  'inventory.write': superAdministrators,
  'policies.write': superAdministrators,
  'roles.write': superAdministrators,
  'credentials.issue': superAdministrators,
  'imports.write': superAdministrators,
  'systemlog.read': ['SUPER_ADMINISTRATOR', 'READ_ONLY_SYSTEM_LOGS'],
} as const satisfies Readonly<Record<string, readonly RoleName[]>>;

/** A permission of the table. */
export type Permission = keyof typeof rolesByPermission;

/** The permission a method needs; throws, at start, where the contract names none or one that is not in the table. */
export function permissionOf(method: DescMethod): Permission {
  const name = getOption(method, permissionOption);
  if (!Object.hasOwn(rolesByPermission, name)) {
    throw new TypeError(`${method.parent.typeName}.${method.name} names no permission of the table: ${JSON.stringify(name)}`);
  }
  return name as Permission;
}

/** Throws PERMISSION_DENIED unless one of the actor's roles holds the permission. */
export function requirePermission(actor: Actor, permission: Permission): void {
  const roles: readonly RoleName[] = rolesByPermission[permission];
  if (!roles.some((role) => actor.roles.has(role))) {
    const names = roles.map((role) => ROLES[role].displayName).join(', ');
    throw new AppError('PERMISSION_DENIED', `This needs the permission ${permission}, which these roles hold: ${names}.`);
  }
}
