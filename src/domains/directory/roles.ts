/**
 * The five fixed roles: their ids are the same in every tenant and for ever. Who holds which is in the store; what a role may do
 * is in permissions.ts.
 */
import type { Actor, RoleName } from '../../context.ts';

/** A fixed role as the Role operations show it. */
export interface FixedRole {
  readonly id: string;
  /** The name rules and permissions use. */
  readonly role: RoleName;
  readonly displayName: string;
}

/** The fixed roles by name. */
export const ROLES: Readonly<Record<RoleName, FixedRole>> = {
  SUPER_ADMINISTRATOR: { id: '000000000SuperAdministrator', role: 'SUPER_ADMINISTRATOR', displayName: 'Super Administrator' },
  CAMPAIGN_ADMINISTRATOR: { id: '000000CampaignAdministrator', role: 'CAMPAIGN_ADMINISTRATOR', displayName: 'Campaign Administrator' },
  READ_ONLY_ADMINISTRATOR: { id: '000000ReadOnlyAdministrator', role: 'READ_ONLY_ADMINISTRATOR', displayName: 'Read-Only Administrator' },
  BASIC_USER: { id: '000000000000000000BasicUser', role: 'BASIC_USER', displayName: 'Basic User' },
  READ_ONLY_SYSTEM_LOGS: { id: '000000000ReadOnlySystemLogs', role: 'READ_ONLY_SYSTEM_LOGS', displayName: 'Read-Only to System Logs' },
};

/** All fixed roles, in the order of their ids. */
export const allRoles: readonly FixedRole[] = Object.values(ROLES).sort((a, b) => (a.id < b.id ? -1 : 1));

const byId = new Map(allRoles.map((role) => [role.id, role]));

/** The role with this id, or undefined. */
export function findRole(id: string): FixedRole | undefined {
  return byId.get(id);
}

/** The names of the roles with these ids; ids that are no role are left out. */
export function roleNames(ids: Iterable<string>): Set<RoleName> {
  const names = new Set<RoleName>();
  for (const id of ids) {
    const role = byId.get(id);
    if (role !== undefined) {
      names.add(role.role);
    }
  }
  return names;
}

/** Whether the caller acts as a Super Administrator (the credential's narrowing counted in). */
export function isSuperAdmin(actor: Actor): boolean {
  return actor.roles.has('SUPER_ADMINISTRATOR');
}

/** Whether the caller may see everything of the tenant: a Super Administrator or a Read-Only Administrator. */
export function seesEverything(actor: Actor): boolean {
  return isSuperAdmin(actor) || actor.roles.has('READ_ONLY_ADMINISTRATOR');
}

/** Whether somebody who holds these roles is an administrator of any kind. */
export function isAdministrator(roleIds: Iterable<string>): boolean {
  const names = roleNames(roleIds);
  return names.has('SUPER_ADMINISTRATOR') || names.has('CAMPAIGN_ADMINISTRATOR') || names.has('READ_ONLY_ADMINISTRATOR');
}
