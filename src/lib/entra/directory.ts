/**
 * The part of a directory that is kept in memory while it is read: of each account its key, address and state; the groups with what lies in what; and each
 * entitlement that somebody holds. Who holds it waits on disk. So memory grows with accounts, groups and entitlements, and not with memberships.
 */
import { getAddressKey } from '../names/same-name.ts';
import type { Account, Group } from './read-objects.ts';

/** Columns that all rows of an account have alike, and how a report names it as a manager. */
export interface AccountKeys {
  readonly key: string;
  readonly mail: string;
  /** Address, else employee number. */
  readonly reference: string;
  readonly isDisabled: boolean;
  readonly isService: boolean;
}

/** Something that an account may hold. */
export interface Entitlement {
  readonly resourceType: 'group' | 'application' | 'directory_role';
  readonly resource: string;
  readonly resourceName: string;
  readonly resourceDescription: string;
  readonly entitlement: string;
  readonly name: string;
  readonly description: string;
  readonly purpose: 'ASSIGNMENT' | 'PERMISSION' | 'OWNERSHIP';
}

/** A directory in memory. Accounts and entitlements are known by numbers, in the order in which they came. */
export interface Directory {
  /** Returns the number of a new account; undefined for one that is there, or has no key. */
  addAccount(account: Account): number | undefined;
  getAccount(number: number): AccountKeys | undefined;
  findAccount(key: string): number | undefined;
  accountCount(): number;
  /** True if an account is the one that stands for its address among people: the first enabled one, else the first. */
  standsForAddress(number: number): boolean;
  /** Returns the number of an entitlement, which is made where it is new. */
  takeEntitlement(entitlement: Entitlement): number;
  getEntitlement(number: number): Entitlement;
  entitlementCount(): number;
  /** Returns the number of the membership of a new group. */
  addGroup(group: Group): number;
  /** Number of the membership of a group. */
  findGroup(key: string): number | undefined;
  groupCount(): number;
  /** Says that the members of a group hold an entitlement by that: another membership, or anything else. */
  link(membership: number, entitlement: number): void;
  /** Entitlements that the members of a group hold by that. */
  linksOf(membership: number): readonly number[];
  isMembership(entitlement: number): boolean;
}

const keyOf = ({ resourceType, resource, entitlement }: Entitlement): string => `${resourceType}/${resource}/${entitlement}`;

/** Makes an empty directory. */
export function createDirectory(): Directory {
  const accounts: AccountKeys[] = [];
  const numbers = new Map<string, number>();
  const byMail = new Map<string, number>();
  const entitlements: Entitlement[] = [];
  const entitlementNumbers = new Map<string, number>();
  const groups = new Map<string, number>();
  const memberships = new Set<number>();
  const links = new Map<number, number[]>();

  const takeEntitlement = (entitlement: Entitlement): number => {
    const key = keyOf(entitlement);
    const known = entitlementNumbers.get(key);
    if (known !== undefined) {
      return known;
    }
    const number = entitlements.push(entitlement) - 1;
    entitlementNumbers.set(key, number);
    return number;
  };
  return {
    addAccount({ key, mail, employeeId, isDisabled, isService }) {
      if (key === '' || numbers.has(key)) {
        return undefined;
      }
      const number = accounts.push({ key, mail, reference: mail || employeeId, isDisabled, isService }) - 1;
      numbers.set(key, number);
      const address = getAddressKey(mail);
      const before = byMail.get(address);
      if (mail !== '' && (before === undefined || (accounts[before]?.isDisabled === true && !isDisabled))) {
        byMail.set(address, number);
      }
      return number;
    },
    getAccount: (number) => accounts[number],
    findAccount: (key) => numbers.get(key),
    accountCount: () => accounts.length,
    standsForAddress: (number) => byMail.get(getAddressKey(accounts[number]?.mail ?? '')) === number,
    takeEntitlement,
    getEntitlement: (number) => entitlements[number] as Entitlement,
    entitlementCount: () => entitlements.length,
    addGroup({ key, name, description, origin }) {
      const number = takeEntitlement({
        ...{ resourceType: 'group', resource: key, resourceName: name, resourceDescription: description },
        ...{ entitlement: 'member', name: '', description: origin, purpose: 'ASSIGNMENT' },
      });
      groups.set(key, number);
      memberships.add(number);
      return number;
    },
    findGroup: (key) => groups.get(key),
    groupCount: () => groups.size,
    link(membership, entitlement) {
      const held = links.get(membership) ?? [];
      links.set(membership, held);
      if (!held.includes(entitlement)) {
        held.push(entitlement);
      }
    },
    linksOf: (membership) => links.get(membership) ?? [],
    isMembership: (entitlement) => memberships.has(entitlement),
  };
}
