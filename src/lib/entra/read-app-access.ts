/** Access at applications: who is given their roles, and which groups service principals are in or own. Twenty lists at once. */
import type { JsonObject } from '@bufbuild/protobuf';
import type { Application, Reading } from './gather.ts';
import type { Query } from './graph.ts';
import { readInBatches, takeOwnership } from './read-members.ts';
import { textOf, timeOf } from './read-objects.ts';

const permission = 'Application.Read.All';
/** Role that stands for access without a role. */
const defaultRole = '00000000-0000-0000-0000-000000000000';

type About = 'roles' | 'groups' | 'owned';
const paths: Readonly<Record<About, readonly [task: string, path: string]>> = {
  roles: ['Reading who is assigned to applications', 'appRoleAssignedTo?$top=999'],
  groups: ['Reading the groups of service principals', 'memberOf?$select=id&$top=999'],
  owned: ['Reading what service principals own', 'ownedObjects?$select=id&$top=999'],
};

function* listQueries(applications: readonly Application[]): Generator<{ of: { application: Application; about: About }; query: Query }> {
  for (const application of applications) {
    for (const about of ['roles', 'groups', 'owned'] as const) {
      const [task, path] = paths[about];
      yield { of: { application, about }, query: { task, path: `/servicePrincipals/${application.key}/${path}`, permission } };
    }
  }
}

/** Reads what applications give, and what service principals hold of groups. Roles that people may be given are there without holders, too. */
export async function readAppAccess(reading: Reading, applications: readonly Application[]): Promise<void> {
  const { graph, directory, findings } = reading;
  for (const application of applications) {
    for (const [role, { isForUsers }] of application.roles) {
      if (isForUsers) {
        takeRole(reading, application, role);
      }
    }
  }
  for await (const { of, query, page } of readInBatches(reading, listQueries(applications))) {
    if (page === undefined) {
      findings.goneObjects++;
      continue;
    }
    const { application, about } = of;
    const account = directory.findAccount(application.key) as number;
    const seen = new Set<string>();
    for await (const objects of graph.list(query, page)) {
      await (about === 'roles'
        ? takeAssignments(reading, application, objects, seen)
        : takeGroups(reading, account, objects, about === 'owned', seen));
    }
  }
}

function takeRole({ directory }: Reading, { key, name, roles }: Application, role: string): number {
  const known = roles.get(role);
  return directory.takeEntitlement({
    ...{ resourceType: 'application', resource: key, resourceName: name, resourceDescription: '', entitlement: role },
    name: known?.name ?? (role === defaultRole ? 'Default access' : ''),
    description: known?.description ?? '',
    purpose: 'PERMISSION',
  });
}

async function takeAssignments(
  reading: Reading,
  application: Application,
  assignments: readonly JsonObject[],
  seen: Set<string>,
): Promise<void> {
  const { directory, writer, findings } = reading;
  const held = new Map<number, { accounts: number[]; times: [string, string][] }>();
  for (const assignment of assignments) {
    const [role, principal] = [textOf(assignment.appRoleId), textOf(assignment.principalId)];
    const [account, group] = [directory.findAccount(principal), directory.findGroup(principal)];
    const key = `${role} ${principal}`;
    if (account === undefined && group === undefined) {
      findings.unknownHolders++;
    } else if (!seen.has(key)) {
      seen.add(key);
      const entitlement = takeRole(reading, application, role);
      if (group !== undefined) {
        directory.link(group, entitlement);
      } else if (account !== undefined) {
        const holders = held.get(entitlement) ?? { accounts: [], times: [] };
        holders.accounts.push(account);
        holders.times.push([timeOf(assignment.createdDateTime), '']);
        held.set(entitlement, holders);
      }
    }
  }
  for (const [entitlement, { accounts, times }] of held) {
    await writer.write({ entitlement, accounts, times });
  }
}

async function takeGroups(
  reading: Reading,
  account: number,
  objects: readonly JsonObject[],
  isOwner: boolean,
  seen: Set<string>,
): Promise<void> {
  const { directory, writer } = reading;
  for (const { id } of objects) {
    const key = textOf(id);
    const membership = directory.findGroup(key);
    // Directory roles and administrative units are among them, and owned applications.
    if (membership !== undefined && !seen.has(key)) {
      seen.add(key);
      await writer.write({ entitlement: isOwner ? takeOwnership(reading, key) : membership, accounts: [account] });
    }
  }
}
