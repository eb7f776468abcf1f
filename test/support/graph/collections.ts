/** The lists of the fake: what each path answers of a directory, and which of OData's options it takes. */
import type { FakeRole, FakeTenant } from './tenant.ts';

type Item = Readonly<Record<string, unknown>>;

/** A list, with what may be asked of it. */
export interface Collection {
  readonly items: readonly Item[];
  readonly permission: string;
  /** Most that a page may be asked to have; undefined where the option is not taken. */
  readonly maxTop: number | undefined;
  readonly selectable: readonly string[] | undefined;
  readonly expandable?: string;
}

/** Refusal of Graph. */
export class GraphRefused extends Error {
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

const userProperties =
  'id userPrincipalName mail displayName employeeId employeeType accountEnabled userType createdDateTime department jobTitle companyName passwordProfile signInActivity';
const words = (text: string): readonly string[] => text.split(' ');

/** Finds a list by its path below the version; GraphRefused where there is none. */
export function findCollection(tenant: FakeTenant, path: string, permissions: readonly string[]): Collection {
  const [, first = '', id = '', last = ''] = /^\/([^/]+)(?:\/([^/]+))?(?:\/([^/]+))?$/.exec(path) ?? [];
  const directoryRoles = /^\/roleManagement\/directory\/(\w+)$/.exec(path)?.[1];
  if (directoryRoles !== undefined) {
    return roleCollection(tenant, directoryRoles);
  }
  if (first === 'users' && id === '') {
    const items = tenant.users.map(({ manager, ...user }) => ({
      ...user,
      manager: manager && { '@odata.type': '#microsoft.graph.user', id: manager },
    }));
    return { items, permission: 'User.Read.All', maxTop: 999, selectable: words(userProperties), expandable: 'manager' };
  }
  if (first === 'groups') {
    const permission = 'GroupMember.Read.All';
    if (id === '') {
      const items = tenant.groups.map(({ members: _members, owners: _owners, ...group }) => group);
      return {
        items,
        permission,
        maxTop: 999,
        selectable: words('id displayName description groupTypes onPremisesSyncEnabled visibility'),
      };
    }
    const group = tenant.groups.find((one) => one.id === id);
    if (group === undefined) {
      throw notFound(id);
    }
    const isHidden = group.visibility === 'HiddenMembership' && !permissions.includes('Member.Read.Hidden');
    const ids = last === 'members' ? (isHidden ? [] : group.members) : last === 'owners' ? (group.owners ?? []) : undefined;
    if (ids !== undefined) {
      // Version 1.0 leaves service principals out, which is a known issue of it.
      const items = ids.map((one) => describe(tenant, one)).filter((one) => one['@odata.type'] !== '#microsoft.graph.servicePrincipal');
      return { items, permission, maxTop: 999, selectable: ['id'] };
    }
  }
  if (first === 'servicePrincipals') {
    const permission = 'Application.Read.All';
    if (id === '') {
      const items = tenant.principals.map(({ assigned: _assigned, ...principal }) => ({ appRoles: [], ...principal }));
      return { items, permission, maxTop: 999, selectable: words('id appId displayName accountEnabled servicePrincipalType appRoles') };
    }
    const principal = tenant.principals.find((one) => one.id === id);
    if (principal === undefined) {
      throw notFound(id);
    }
    if (last === 'appRoleAssignedTo') {
      const items = (principal.assigned ?? []).map(([appRoleId, principalId], index) => ({
        ...{ id: `${id}-${index}`, appRoleId, principalId, resourceId: id, createdDateTime: '2025-02-03T04:05:06.9480566Z' },
        principalType: String(describe(tenant, principalId)['@odata.type'])
          .replace('#microsoft.graph.u', 'U')
          .replace('#microsoft.graph.', ''),
      }));
      return { items, permission, maxTop: 999, selectable: undefined };
    }
    const holds = last === 'memberOf' ? 'members' : last === 'ownedObjects' ? 'owners' : undefined;
    if (holds !== undefined) {
      const items = tenant.groups.filter((group) => group[holds]?.includes(id)).map((group) => describe(tenant, group.id));
      // Roles are among them.
      return {
        items: [...items, { '@odata.type': '#microsoft.graph.directoryRole', id: 'a-role' }],
        permission,
        maxTop: 999,
        selectable: ['id'],
      };
    }
  }
  throw new GraphRefused(400, 'Request_BadRequest', `Resource not found for the segment '${path}'.`);
}

function notFound(id: string): GraphRefused {
  return new GraphRefused(
    404,
    'Request_ResourceNotFound',
    `Resource '${id}' does not exist or one of its queried reference-property objects are not present.`,
  );
}

function roleCollection(tenant: FakeTenant, name: string): Collection {
  const permission = 'RoleManagement.Read.Directory';
  const shape = (all: readonly FakeRole[]) =>
    all.map(({ role, principal, scope = '/', ...more }, index) => ({
      ...{ id: `${name}-${index}`, principalId: principal, roleDefinitionId: role, directoryScopeId: scope, appScopeId: null },
      ...more,
    }));
  // None of these takes $top.
  const usual = { permission, maxTop: undefined, selectable: undefined };
  switch (name) {
    case 'roleDefinitions':
      return { ...usual, items: tenant.roles, selectable: words('id displayName description') };
    case 'roleAssignments':
      return { ...usual, items: shape(tenant.assigned) };
    case 'roleEligibilityScheduleInstances':
    case 'roleAssignmentScheduleInstances':
      if (tenant.eligible === undefined) {
        throw new GraphRefused(
          400,
          'AadPremiumLicenseRequired',
          'The tenant needs to have Microsoft Entra ID P2 or Microsoft Entra ID Governance license.',
        );
      }
      return { ...usual, items: shape(name === 'roleEligibilityScheduleInstances' ? tenant.eligible : tenant.active) };
    default:
      throw new GraphRefused(400, 'Request_BadRequest', 'Resource not found.');
  }
}

/** Types of all objects, by their ids. */
const types = new WeakMap<FakeTenant, Map<string, string>>();

/** An object as a list of references has it. */
function describe(tenant: FakeTenant, id: string): Item {
  const known =
    types.get(tenant) ??
    new Map([
      ...tenant.users.map((one) => [one.id, 'user'] as const),
      ...tenant.groups.map((one) => [one.id, 'group'] as const),
      ...tenant.principals.map((one) => [one.id, 'servicePrincipal'] as const),
    ]);
  types.set(tenant, known);
  return { '@odata.type': `#microsoft.graph.${known.get(id) ?? 'device'}`, id };
}
