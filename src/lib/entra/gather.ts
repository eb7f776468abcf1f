/**
 * Everything that is read of a directory, before the first row of it is handed on: so no row ever comes of a directory that was read in part. Accounts and
 * who holds what wait in a file; the rest is in memory (directory.ts).
 */
import { createLineWriter, type LineWriter, type Spool } from '../directories/spooled-lines.ts';
import { FetchFault } from '../tables/fetch-fault.ts';
import { createDirectory, type Directory } from './directory.ts';
import { type Graph, type Query, Refused } from './graph.ts';
import { readAppAccess } from './read-app-access.ts';
import { readDirectoryRoles } from './read-directory-roles.ts';
import { readMembers } from './read-members.ts';
import {
  type Account,
  type AppRole,
  groupProperties,
  principalProperties,
  readAppRoles,
  readGroup,
  readPrincipal,
  readUser,
  userProperties,
} from './read-objects.ts';

/** A line of the spool about an account. */
export interface AccountLine {
  readonly account: Account;
  readonly number: number;
}

/** A line about some who hold an entitlement: numbers of accounts, and for each the time it began and the time it ends, where they are known. */
export interface HolderLine {
  readonly entitlement: number;
  readonly accounts: readonly number[];
  readonly times?: readonly (readonly [from: string, until: string])[];
}

/** A line of the spool; accounts come first. */
export type Line = AccountLine | HolderLine;

/** Things that were left out or are not known, counted for the warnings of the fetch. */
export interface Findings {
  hasNoSignIns: boolean;
  hasNoEligibility: boolean;
  isUncounted: boolean;
  hiddenGroups: number;
  goneObjects: number;
  devices: number;
  unknownHolders: number;
  activations: number;
  unnamedPeople: number;
  sharedAddresses: number;
  cyclicGroups: number;
  cutGroups: number;
}

/** An application: the account that it is, and the roles that it gives. */
export interface Application {
  readonly key: string;
  readonly name: string;
  readonly roles: ReadonlyMap<string, AppRole>;
}

/** Things that the parts of reading share. */
export interface Reading {
  readonly graph: Graph;
  readonly directory: Directory;
  readonly writer: LineWriter<Line>;
  readonly findings: Findings;
}

/** Returns findings of nothing. */
export function noFindings(): Findings {
  return {
    ...{ hasNoSignIns: false, hasNoEligibility: false, isUncounted: false, hiddenGroups: 0, goneObjects: 0, devices: 0 },
    ...{ unknownHolders: 0, activations: 0, unnamedPeople: 0, sharedAddresses: 0, cyclicGroups: 0, cutGroups: 0 },
  };
}

const pageSize = 999;
/** With sign-ins, Graph gives no more users at once. */
const pageSizeWithSignIns = 500;
/** Share of the objects that may come or go while a directory is read, and how many at least: counts of Graph lag behind by minutes. */
const [maxChange, minChange] = [0.01, 3] as const;

/** Reads the directory into the spool, and counts it again at the end. */
export async function gatherDirectory(graph: Graph, attributes: readonly string[], spool: Spool, findings: Findings): Promise<Directory> {
  const directory = createDirectory();
  const writer = createLineWriter<Line>(spool);
  const reading: Reading = { graph, directory, writer, findings };
  const users = await readUsers(reading, attributes);
  const applications = await readPrincipals(reading, attributes);
  const groups = await readGroups(reading);
  await readMembers(reading, groups);
  await readAppAccess(reading, applications);
  await readDirectoryRoles(reading);
  await writer.flush();
  if (!graph.isTrial) {
    await compareCounts(reading, users, groups.length, applications.length);
  }
  return directory;
}

/** Fails where the directory has another number of objects than were read, or more than a few were gone meanwhile. */
async function compareCounts({ graph, findings }: Reading, users: number, groups: number, principals: number): Promise<void> {
  const limit = (count: number): number => Math.max(minChange, maxChange * count);
  const counted = [
    { collection: 'users', name: 'users', count: users },
    { collection: 'groups', name: 'groups', count: groups },
    { collection: 'servicePrincipals', name: 'service principals', count: principals },
  ];
  for (const { collection, name, count } of counted) {
    const now = await graph.count(`Counting ${name}`, collection);
    findings.isUncounted ||= now === undefined;
    if (now !== undefined && Math.abs(now - count) > limit(Math.max(now, count))) {
      throw new FetchFault(
        'HALF',
        `Counting ${name} failed: ${count} were read, and a moment later there are ${now}. The directory was changed while it was read.`,
      );
    }
  }
  if (findings.goneObjects > limit(groups + principals)) {
    throw new FetchFault(
      'HALF',
      `${findings.goneObjects} groups and applications were gone while their members were read. Nothing is used.`,
    );
  }
}

async function readUsers(reading: Reading, attributes: readonly string[]): Promise<number> {
  const queryWith = (signIns: boolean): Query => {
    const properties = [...new Set([...userProperties, ...(signIns ? ['signInActivity'] : []), ...attributes])].join(',');
    const size = signIns ? pageSizeWithSignIns : pageSize;
    return {
      task: 'Reading users',
      path: `/users?$select=${properties}&$expand=manager($select=id)&$top=${size}`,
      permission: 'User.Read.All',
    };
  };
  try {
    return await readUserPages(reading, queryWith(true), attributes);
  } catch (error) {
    if (!(error instanceof Refused && error.status === 403) || reading.directory.accountCount() > 0) {
      throw error;
    }
    // Without the permission AuditLog.Read.All, or the licence, users can be read all the same.
    const count = await readUserPages(reading, queryWith(false), attributes);
    reading.findings.hasNoSignIns = true;
    return count;
  }
}

async function readUserPages({ graph, directory, writer }: Reading, query: Query, attributes: readonly string[]): Promise<number> {
  let count = 0;
  for await (const users of graph.list(query)) {
    for (const user of users) {
      const account = readUser(user, attributes);
      const number = directory.addAccount(account);
      if (number !== undefined) {
        count++;
        await writer.write({ account, number });
      }
    }
  }
  return count;
}

async function readPrincipals({ graph, directory, writer }: Reading, attributes: readonly string[]): Promise<Application[]> {
  const path = `/servicePrincipals?$select=${principalProperties}&$top=${pageSize}`;
  const applications: Application[] = [];
  for await (const principals of graph.list({ task: 'Reading service principals', path, permission: 'Application.Read.All' })) {
    for (const principal of principals) {
      const account = readPrincipal(principal, attributes);
      const number = directory.addAccount(account);
      if (number !== undefined) {
        await writer.write({ account, number });
        applications.push({ key: account.key, name: account.displayName, roles: readAppRoles(principal) });
      }
    }
  }
  return applications;
}

async function readGroups({ graph, directory, findings }: Reading): Promise<string[]> {
  const path = `/groups?$select=${groupProperties}&$top=${pageSize}`;
  const keys: string[] = [];
  for await (const groups of graph.list({ task: 'Reading groups', path, permission: 'GroupMember.Read.All' })) {
    for (const one of groups) {
      const group = readGroup(one);
      if (group.key !== '' && directory.findGroup(group.key) === undefined) {
        directory.addGroup(group);
        keys.push(group.key);
        findings.hiddenGroups += group.isHidden ? 1 : 0;
      }
    }
  }
  return keys;
}
