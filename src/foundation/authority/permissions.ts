/**
 * Roles that hold each permission: the whole table. Every method of the contract names one of these permissions; which rows somebody may see and
 * touch is decided by the rules of the modules.
 */
import type { Actor, RoleName } from '../../context.ts';

/** Everybody but a credential that is narrowed to the system log. */
const everybody: readonly RoleName[] = ['SUPER_ADMINISTRATOR', 'CAMPAIGN_ADMINISTRATOR', 'READ_ONLY_ADMINISTRATOR', 'BASIC_USER'];
/** The same but those who only read: what changes or answers asks for one of these at every door, also of owners and reviewers. */
const writers: readonly RoleName[] = ['SUPER_ADMINISTRATOR', 'CAMPAIGN_ADMINISTRATOR', 'BASIC_USER'];
const administrators: readonly RoleName[] = ['SUPER_ADMINISTRATOR', 'CAMPAIGN_ADMINISTRATOR', 'READ_ONLY_ADMINISTRATOR'];
const superAdministrators: readonly RoleName[] = ['SUPER_ADMINISTRATOR'];

/** The closed table: permission -> roles that hold it. */
export const rolesByPermission = {
  'reviews.create': ['SUPER_ADMINISTRATOR', 'CAMPAIGN_ADMINISTRATOR'],
  'reviews.read': everybody,
  'reviews.manage': writers,
  'reviews.report': everybody,
  'tasks.read': everybody,
  'tasks.decide': writers,
  'credentials.make': writers,
  // Reading one's own credentials, and changing or revoking the one a request comes with (the rules of the module credentials).
  'credentials.own': everybody,
  'users.read': everybody,
  'self.read': everybody,
  'self.write': writers,
  // What concerns oneself; the rules of the methods say what that is. Whoever holds inventory.read reads all.
  'inventory.concern': everybody,
  'inventory.read': administrators,
  'policies.read': administrators,
  'roles.read': administrators,
  'inventory.write': superAdministrators,
  // Fetching, pausing and deciding on what is held; the rules of the module sources say of which sources.
  'sources.run': writers,
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
  // Checkpoints and proofs of the log, without what happened.
  'log.read': ['SUPER_ADMINISTRATOR', 'READ_ONLY_ADMINISTRATOR', 'READ_ONLY_SYSTEM_LOGS'],
  // On which days access was certified, over all reviews.
  'coverage.read': ['SUPER_ADMINISTRATOR', 'READ_ONLY_ADMINISTRATOR'],
  'systemlog.read': ['SUPER_ADMINISTRATOR', 'READ_ONLY_SYSTEM_LOGS'],
} as const satisfies Readonly<Record<string, readonly RoleName[]>>;

/** A permission of the table. */
export type Permission = keyof typeof rolesByPermission;

/** True if the actor's roles hold the permission. */
export function holds(actor: Actor, permission: Permission): boolean {
  return rolesByPermission[permission].some((role: RoleName) => actor.roles.has(role));
}

/** The permissions that the actor's roles hold, sorted. */
export function permissionsHeld(actor: Actor): Permission[] {
  const names = Object.keys(rolesByPermission) as Permission[];
  return names.filter((name) => holds(actor, name)).sort();
}

/** The permissions that one role holds, sorted. */
export function rolePermissions(role: RoleName): Permission[] {
  const names = Object.keys(rolesByPermission) as Permission[];
  return names.filter((name) => (rolesByPermission[name] as readonly RoleName[]).includes(role)).sort();
}
