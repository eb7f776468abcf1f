/**
 * The five fixed roles: their ids are the same in every tenant and for ever. Who holds which is in the store; what a role may do
 * is in the module authority.
 */
import type { RoleName } from '../../context.ts';

/** A fixed role as the Role operations show it. */
export interface FixedRole {
  readonly id: string;
  /** The name rules and permissions use. */
  readonly role: RoleName;
  readonly displayName: string;
  /** Closest name in the public product: clients look for these beginnings. */
  readonly publicName: string;
}

/** The fixed roles by name. */
export const ROLES: Readonly<Record<RoleName, FixedRole>> = {
  SUPER_ADMINISTRATOR: {
    id: '000000000SuperAdministrator',
    role: 'SUPER_ADMINISTRATOR',
    displayName: 'Super Administrator',
    publicName: 'role/c1.api.tenant.v1.Tenant:owner',
  },
  CAMPAIGN_ADMINISTRATOR: {
    id: '000000CampaignAdministrator',
    role: 'CAMPAIGN_ADMINISTRATOR',
    displayName: 'Campaign Administrator',
    publicName: 'role/c1.api.accessreview.v1.AccessReviewService:owner',
  },
  READ_ONLY_ADMINISTRATOR: {
    id: '000000ReadOnlyAdministrator',
    role: 'READ_ONLY_ADMINISTRATOR',
    displayName: 'Read-Only Administrator',
    publicName: 'role/c1.api.tenant.v1.Tenant:viewer',
  },
  BASIC_USER: {
    id: '000000000000000000BasicUser',
    role: 'BASIC_USER',
    displayName: 'Basic User',
    publicName: 'role/c1.api.auth.v1.Auth:reflection',
  },
  READ_ONLY_SYSTEM_LOGS: {
    id: '000000000ReadOnlySystemLogs',
    role: 'READ_ONLY_SYSTEM_LOGS',
    displayName: 'Read-Only to System Logs',
    publicName: 'role/c1.api.systemlog.v1.SystemLogService:viewer',
  },
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

/** Roles that a credential made for another person can give: reading, and what everybody may. */
const issuable: readonly RoleName[] = ['BASIC_USER', 'READ_ONLY_ADMINISTRATOR', 'READ_ONLY_SYSTEM_LOGS'];

/** Those of these role ids that a credential may give which somebody else makes for their holder. */
export function issuableOf(roleIds: Iterable<string>): string[] {
  return [...roleIds].filter((id) => issuable.some((role) => ROLES[role].id === id));
}

/** True if somebody who holds these roles is an administrator of any kind. */
export function isAdministrator(roleIds: Iterable<string>): boolean {
  const names = roleNames(roleIds);
  return names.has('SUPER_ADMINISTRATOR') || names.has('CAMPAIGN_ADMINISTRATOR') || names.has('READ_ONLY_ADMINISTRATOR');
}
