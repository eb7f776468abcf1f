/** Roles of the directory: who is assigned one, and who may activate one (Privileged Identity Management). */
import type { JsonObject } from '@bufbuild/protobuf';
import { FetchFault } from '../tables/fetch-fault.ts';
import type { Reading } from './gather.ts';
import { type Query, Refused } from './graph.ts';
import { textOf, timeOf } from './read-objects.ts';

const permission = 'RoleManagement.Read.Directory';
const roles = '/roleManagement/directory';

const queries: Readonly<Record<'definitions' | 'assigned' | 'eligible' | 'active', Query>> = {
  definitions: { task: 'Reading directory roles', path: `${roles}/roleDefinitions?$select=id,displayName,description`, permission },
  assigned: { task: 'Reading who is assigned directory roles', path: `${roles}/roleAssignments`, permission },
  eligible: { task: 'Reading who is eligible for directory roles', path: `${roles}/roleEligibilityScheduleInstances`, permission },
  active: { task: 'Reading activations of directory roles', path: `${roles}/roleAssignmentScheduleInstances`, permission },
};

/** The reach of a role: everywhere, in an administrative unit, or for one app. */
const scopeOf = ({ directoryScopeId, appScopeId }: JsonObject): string => textOf(directoryScopeId) || textOf(appScopeId) || '/';

const keyOf = (one: JsonObject): string => [textOf(one.principalId), textOf(one.roleDefinitionId), scopeOf(one)].join(' ');

/** Reads both. An activation is no assignment: it ends by itself, and the eligibility behind it stays. */
export async function readDirectoryRoles(reading: Reading): Promise<void> {
  const { graph, findings } = reading;
  const names = new Map<string, readonly [name: string, description: string]>();
  for await (const page of graph.list(queries.definitions)) {
    for (const { id, displayName, description } of page) {
      names.set(textOf(id), [textOf(displayName), textOf(description)]);
    }
  }
  const take = createTaker(reading, names);
  const [active, hasPlans] = await readActive(reading);
  findings.hasNoEligibility = !hasPlans;
  let count = 0;
  for await (const page of graph.list(queries.assigned)) {
    for (const one of page) {
      const schedule = active.get(keyOf(one));
      count++;
      if (schedule?.assignmentType === 'Activated') {
        findings.activations++;
      } else {
        await take(one, 'assigned', schedule);
      }
    }
  }
  if (count === 0) {
    throw new FetchFault(
      'UNREACHED',
      `${queries.assigned.task} failed: Microsoft Graph says that nobody has one, and no directory is without an administrator.`,
    );
  }
  for await (const page of hasPlans ? graph.list(queries.eligible) : []) {
    for (const one of page) {
      if (isOwn(one)) {
        await take(one, 'eligible', one);
      }
    }
  }
}

/** Instances that follow from a group's are said of the group, too. */
const isOwn = ({ memberType }: JsonObject): boolean => !/^(group|inherited)$/i.test(textOf(memberType));

/** Reads the plans behind assignments; without them where the directory has no licence for plans. */
async function readActive({ graph }: Reading): Promise<readonly [ReadonlyMap<string, JsonObject>, boolean]> {
  const active = new Map<string, JsonObject>();
  try {
    for await (const page of graph.list(queries.active)) {
      for (const one of page) {
        // Somebody who is assigned a role for good may have activated it as well.
        if (isOwn(one) && (one.assignmentType !== 'Activated' || !active.has(keyOf(one)))) {
          active.set(keyOf(one), one);
        }
      }
    }
  } catch (error) {
    if (error instanceof Refused && error.code === 'AadPremiumLicenseRequired') {
      return [active, false];
    }
    throw error;
  }
  return [active, true];
}

/** Returns what writes that somebody holds a role. */
function createTaker({ directory, writer, findings }: Reading, names: ReadonlyMap<string, readonly [string, string]>) {
  const seen = new Set<string>();
  return async (one: JsonObject, how: 'assigned' | 'eligible', schedule: JsonObject | undefined): Promise<void> => {
    const [principal, role, scope] = [textOf(one.principalId), textOf(one.roleDefinitionId), scopeOf(one)];
    const [account, group] = [directory.findAccount(principal), directory.findGroup(principal)];
    const key = `${how} ${keyOf(one)}`;
    if (seen.has(key)) {
      return;
    }
    seen.add(key);
    if (account === undefined && group === undefined) {
      findings.unknownHolders++;
      return;
    }
    const [name = '', description = ''] = names.get(role) ?? [];
    const word = how === 'assigned' ? 'Assigned' : 'Eligible';
    const entitlement = directory.takeEntitlement({
      ...{ resourceType: 'directory_role', resource: role, resourceName: name, resourceDescription: description },
      entitlement: scope === '/' ? how : `${how} in ${scope}`,
      name: scope === '/' ? word : `${word} in ${scope}`,
      description: how === 'eligible' ? 'Its holder can activate the role for a while.' : '',
      purpose: 'ASSIGNMENT',
    });
    if (group !== undefined) {
      directory.link(group, entitlement);
    } else if (account !== undefined) {
      const times = [[timeOf(schedule?.startDateTime), timeOf(schedule?.endDateTime)]] as const;
      await writer.write({ entitlement, accounts: [account], times });
    }
  };
}
