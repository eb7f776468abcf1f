/**
 * Holding a caller to the permission that a method of the contract names. Which roles hold which permission is in the module directory;
 * which rows somebody may see and touch is decided by the rules of the modules.
 */
import { type DescMethod, getOption } from '@bufbuild/protobuf';
import { type Permission, ROLES, rolesByPermission } from '../domains/directory/index.ts';
import { AppError } from '../errors.ts';
import { permission as permissionOption } from '../gen/countersign/options_pb.js';
import type { Actor, RoleName } from '../context.ts';

export { type Permission, rolesByPermission };

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
