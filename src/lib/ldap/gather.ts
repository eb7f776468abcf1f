/**
 * Everything that is read of a directory, before the first row of it is handed on: so no row ever comes of a directory that was read in part. Accounts and
 * who is in which group wait in a file; in memory are the keys of accounts (index-accounts.ts) and the groups.
 */
import { createLineWriter, type Spool } from '../directories/spooled-lines.ts';
import { isBelow, normalizeDn } from './dn.ts';
import { type Entry, keyAttributes, keyOf, sidOf, textOf, textsOf } from './entry.ts';
import { type AccountIndex, createAccountIndex } from './index-accounts.ts';
import { FetchFault } from '../tables/fetch-fault.ts';
import { type Account, accountAttributes, primaryGroupOf, readAccount } from './read-account.ts';
import { type MissingMembers, membersIn, readMissing } from './read-members.ts';
import type { Query, Session } from './session.ts';
import type { LdapSettings } from './settings.ts';

/** A group, without its members. */
export interface Group {
  readonly key: string;
  readonly dn: string;
  readonly name: string;
  readonly description: string;
  /** Security identifier, where it has one. */
  readonly sid: string;
}

/** A line of the spool about an account. */
export interface AccountLine {
  readonly account: Account;
  readonly number: number;
  readonly isPerson: boolean;
}

/** A line about some members of a group: numbers of accounts, and places in `Gathered.others`. */
export interface GroupLine {
  readonly group: number;
  readonly accounts: readonly number[];
  readonly others: readonly number[];
}

/** A line of the spool; groups follow accounts. */
export type Line = AccountLine | GroupLine;

/** A directory that was read whole. */
export interface Gathered {
  readonly accounts: AccountIndex;
  readonly groups: readonly Group[];
  /** Members that are no accounts: their names, and the number of the group where they are one. */
  readonly others: readonly { readonly dn: string; readonly group: number | undefined; readonly isOutside: boolean }[];
  /** The groups that each group is a member of. */
  readonly parents: ReadonlyMap<number, readonly number[]>;
  readonly isActiveDirectory: boolean;
  /** Entries without a key that stays when they are renamed. */
  readonly keyless: number;
  /** Names in `memberUid` that no account has. */
  readonly unknownUids: number;
}

const usualFilters = {
  user: '(|(objectClass=person)(objectClass=posixAccount))',
  group: '(|(objectClass=groupOfNames)(objectClass=groupOfUniqueNames)(objectClass=groupOfMembers)(objectClass=posixGroup))',
  service: '',
} as const;
const filtersOfActiveDirectory = {
  user: '(&(objectCategory=person)(objectClass=user))',
  group: '(objectClass=group)',
  service: '(|(objectClass=msDS-GroupManagedServiceAccount)(objectClass=msDS-ManagedServiceAccount))',
} as const;
const groupAttributes: readonly string[] = [
  ...keyAttributes,
  'cn',
  'name',
  'description',
  'objectSid',
  'member',
  'uniqueMember',
  'memberUid',
];
/** Share of the entries that may come or go while a directory is read. */
const maxChange = 0.01;

/** Reads accounts, then groups, into the spool, and counts both again at the end. */
export async function gatherDirectory(session: Session, settings: LdapSettings, spool: Spool, now: Date): Promise<Gathered> {
  const { isActiveDirectory } = session;
  const usual = isActiveDirectory ? filtersOfActiveDirectory : usualFilters;
  const at = (task: string, filter: string, attributes: readonly string[]): Query => ({
    ...{ task, base: settings.baseDn, scope: 'sub', filter, attributes },
  });
  const asked = [...accountAttributes, ...settings.attributes, ...settings.disabledWhen.map((rule) => rule.split('=')[0] as string)];
  const accounts = createAccountIndex();
  const writer = createLineWriter<Line>(spool);
  const counts: { readonly task: string; readonly filter: string; readonly count: number }[] = [];
  let keyless = 0;

  const readAccounts = async (isService: boolean, filter: string): Promise<void> => {
    const task = isService ? 'Reading service accounts' : 'Reading accounts';
    let count = 0;
    for await (const entries of session.search(at(task, filter, asked))) {
      for (const entry of entries) {
        const account = readAccount(entry, settings, isService, now);
        const number = accounts.add(account, primaryGroupOf(entry));
        if (number !== undefined) {
          keyless += account.key === account.dn ? 1 : 0;
          await writer.write({ account, number, isPerson: !isService });
        }
      }
      count += entries.length;
    }
    counts.push({ task, filter, count });
  };
  const service = settings.serviceFilter || usual.service;
  if (service !== '') {
    await readAccounts(true, service);
  }
  await readAccounts(false, settings.userFilter || usual.user);

  const groups: Group[] = [];
  const members = createMembers(accounts);
  const missing: { readonly group: number; readonly part: MissingMembers }[] = [];
  const filter = settings.groupFilter || usual.group;
  const query = at('Reading groups', filter, groupAttributes);
  let groupCount = 0;
  for await (const entries of session.search(query)) {
    groupCount += entries.length;
    for (const entry of entries) {
      const group = groups.push(readGroup(entry)) - 1;
      const found = membersIn(entry);
      missing.push(...found.missing.map((part) => ({ group, part })));
      keyless += keyOf(entry) === entry.dn ? 1 : 0;
      await writer.write(members.take(group, found.names, textsOf(entry, 'memberuid')));
    }
  }
  counts.push({ task: query.task, filter, count: groupCount });
  for (const { group, part } of missing) {
    for await (const names of readMissing(session, part)) {
      await writer.write(members.take(group, names, []));
    }
  }
  await writer.flush();
  for (const { task, filter, count } of counts) {
    await countAgain(session, at(task, filter, ['1.1']), count);
  }
  const { others, parents } = members.resolve(groups, normalizeDn(settings.baseDn));
  return { accounts, groups, others, parents, isActiveDirectory, keyless, unknownUids: members.unknownUids() };
}

function readGroup(entry: Entry): Group {
  return {
    key: keyOf(entry),
    dn: entry.dn,
    name: textOf(entry, 'cn', 'name'),
    description: textOf(entry, 'description'),
    sid: sidOf(entry),
  };
}

/** Fails if another number of entries is found than was read. */
async function countAgain(session: Session, query: Query, before: number): Promise<void> {
  let count = 0;
  for await (const entries of session.search(query)) {
    count += entries.length;
  }
  if (Math.abs(count - before) > maxChange * Math.max(count, before)) {
    throw new FetchFault(
      'HALF',
      `${query.task} failed: ${before} entries were read, and a moment later there are ${count}. The directory was changed while it was read.`,
    );
  }
}

/** Collects who is in which group, and what the names mean that are no accounts. */
function createMembers(accounts: AccountIndex) {
  const otherNames: { readonly dn: string; readonly name: string; readonly groups: number[] }[] = [];
  const byName = new Map<string, number>();
  const missingUids = new Set<string>();

  const placeOther = (dn: string, name: string, group: number): number => {
    const place = byName.get(name) ?? otherNames.push({ dn, name, groups: [] }) - 1;
    byName.set(name, place);
    otherNames[place]?.groups.push(group);
    return place;
  };
  return {
    take(group: number, names: readonly string[], uids: readonly string[]): GroupLine {
      const found = new Set<number>();
      const others = new Set<number>();
      for (const dn of names) {
        const name = normalizeDn(dn);
        const number = accounts.find(name);
        if (number !== undefined) {
          found.add(number);
        } else if (name !== '') {
          others.add(placeOther(dn, name, group));
        }
      }
      for (const uid of uids) {
        const number = accounts.findByUsername(uid);
        if (number === undefined) {
          missingUids.add(uid);
        } else {
          found.add(number);
        }
      }
      return { group, accounts: [...found], others: [...others] };
    },
    unknownUids: () => missingUids.size,
    resolve(groups: readonly Group[], base: string): Pick<Gathered, 'others' | 'parents'> {
      const groupsByName = new Map(groups.map(({ dn }, group) => [normalizeDn(dn), group]));
      const parents = new Map<number, readonly number[]>();
      const others = otherNames.map(({ dn, name, groups: holders }) => {
        const group = groupsByName.get(name);
        if (group !== undefined) {
          parents.set(group, [...new Set(holders)]);
        }
        return { dn, group, isOutside: group === undefined && !isBelow(name, base) };
      });
      return { others, parents };
    },
  };
}
