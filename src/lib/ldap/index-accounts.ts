/**
 * The accounts of a directory by number. This is all of them that stays in memory: of each account its name, key, address, user name and four truths, some
 * 300 bytes; everything else of it waits on disk. So the memory of a fetch grows with the number of accounts and groups, and not with who is in which.
 */
import { getAddressKey } from '../names/same-name.ts';
import { normalizeDn } from './dn.ts';
import type { Account } from './read-account.ts';

/** Columns that all rows of an account have alike. */
export interface AccountKeys {
  readonly key: string;
  readonly mail: string;
  readonly isDisabled: boolean;
  readonly isService: boolean;
}

/** Accounts by number, in the order in which they came. */
export interface AccountIndex {
  /** Returns the number of a new account; undefined for one that is there. */
  add(account: Account, primaryGroup: string): number | undefined;
  get(number: number): AccountKeys | undefined;
  /** Number of the account of a normalized name. */
  find(dn: string): number | undefined;
  findByUsername(username: string): number | undefined;
  /** Numbers of those whose primary group has this security identifier. */
  inPrimaryGroup(sid: string): readonly number[];
  primaryGroups(): Iterable<readonly [string, readonly number[]]>;
  /** True if an account is the one that stands for its address among people: the first enabled one, else the first. */
  standsForAddress(number: number): boolean;
  size(): number;
}

/** Makes an empty index. */
export function createAccountIndex(): AccountIndex {
  const all: AccountKeys[] = [];
  const byDn = new Map<string, number>();
  const byUsername = new Map<string, number>();
  const byPrimaryGroup = new Map<string, number[]>();
  const byMail = new Map<string, number>();
  return {
    add({ key, mail, isDisabled, isService, dn, username }, primaryGroup) {
      const name = normalizeDn(dn);
      if (byDn.has(name)) {
        return undefined;
      }
      const number = all.push({ key, mail, isDisabled, isService }) - 1;
      byDn.set(name, number);
      if (username !== '') {
        byUsername.set(getAddressKey(username), number);
      }
      const address = getAddressKey(mail);
      const before = byMail.get(address);
      if (mail !== '' && !isService && (before === undefined || (all[before]?.isDisabled === true && !isDisabled))) {
        byMail.set(address, number);
      }
      if (primaryGroup !== '') {
        const members = byPrimaryGroup.get(primaryGroup) ?? [];
        members.push(number);
        byPrimaryGroup.set(primaryGroup, members);
      }
      return number;
    },
    get: (number) => all[number],
    find: (dn) => byDn.get(dn),
    findByUsername: (username) => byUsername.get(getAddressKey(username)),
    inPrimaryGroup: (sid) => byPrimaryGroup.get(sid) ?? [],
    primaryGroups: () => byPrimaryGroup,
    standsForAddress: (number) => byMail.get(getAddressKey(all[number]?.mail ?? '')) === number,
    size: () => all.length,
  };
}
