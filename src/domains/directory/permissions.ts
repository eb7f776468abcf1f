/**
 * Which roles hold which permission: the whole table. Every method of the contract names one of these permissions; which rows somebody may
 * see and touch is decided by the rules of the modules.
 */
import type { Actor, RoleName } from '../../context.ts';

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
  // What concerns oneself; the rules of the methods say what that is. Whoever holds inventory.read reads all.
  'inventory.concern': everybody,
  'inventory.read': administrators,
  'policies.read': administrators,
  'roles.read': administrators,
  'inventory.write': superAdministrators,
  'policies.write': superAdministrators,
  'roles.write': superAdministrators,
  'credentials.issue': superAdministrators,
  // The credentials and sessions of everybody.
  'credentials.read': ['SUPER_ADMINISTRATOR', 'READ_ONLY_ADMINISTRATOR'],
  'credentials.write': superAdministrators,
  'users.write': superAdministrators,
  'principals.read': ['SUPER_ADMINISTRATOR', 'READ_ONLY_ADMINISTRATOR'],
  'principals.write': superAdministrators,
  'deliveries.read': ['SUPER_ADMINISTRATOR', 'READ_ONLY_ADMINISTRATOR'],
  'deliveries.write': superAdministrators,
  'settings.read': ['SUPER_ADMINISTRATOR', 'READ_ONLY_ADMINISTRATOR'],
  'settings.write': superAdministrators,
  'imports.write': superAdministrators,
  'systemlog.read': ['SUPER_ADMINISTRATOR', 'READ_ONLY_SYSTEM_LOGS'],
} as const satisfies Readonly<Record<string, readonly RoleName[]>>;

/** A permission of the table. */
export type Permission = keyof typeof rolesByPermission;

/** The permissions that the actor's roles hold, sorted. */
export function permissionsHeld(actor: Actor): Permission[] {
  const names = Object.keys(rolesByPermission) as Permission[];
  return names.filter((name) => rolesByPermission[name].some((role: RoleName) => actor.roles.has(role))).sort();
}

/** The permissions that one role holds, sorted. */
export function permissionsOf(role: RoleName): Permission[] {
  const names = Object.keys(rolesByPermission) as Permission[];
  return names.filter((name) => (rolesByPermission[name] as readonly RoleName[]).includes(role)).sort();
}
