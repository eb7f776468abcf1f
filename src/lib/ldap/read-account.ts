/** An entry of a directory as an account. */
import { type Entry, keyAttributes, keyOf, sidOf, textOf, textsOf } from './entry.ts';
import { readFileTime, readGeneralizedTime, writeTime } from './read-times.ts';
import type { LdapSettings } from './settings.ts';

/** An account; '' where the directory says nothing. */
export interface Account {
  readonly key: string;
  readonly dn: string;
  readonly isDisabled: boolean;
  readonly isService: boolean;
  readonly mail: string;
  readonly username: string;
  readonly employeeId: string;
  readonly displayName: string;
  /** Name of the manager's entry. */
  readonly manager: string;
  readonly department: string;
  readonly jobTitle: string;
  readonly createdAt: string;
  readonly usedAt: string;
  readonly isLocked: boolean;
  readonly isPasswordOver: boolean;
  /** Values of the attributes that the settings name, in their order. */
  readonly others: readonly string[];
}

/** Attributes that are asked for of accounts, whatever the settings name. */
export const accountAttributes: readonly string[] = [
  ...keyAttributes,
  ...['mail', 'userPrincipalName', 'sAMAccountName', 'uid', 'employeeID', 'employeeNumber', 'displayName', 'cn', 'name'],
  ...['manager', 'department', 'departmentNumber', 'title', 'primaryGroupID', 'objectSid'],
  ...['userAccountControl', 'accountExpires', 'nsAccountLock', 'pwdAccountLockedTime'],
  ...['lockoutTime', 'msDS-User-Account-Control-Computed', 'krbPasswordExpiration'],
  ...['lastLogonTimestamp', 'authTimestamp', 'whenCreated', 'createTimestamp'],
];

const disabledFlag = 0x2;
const lockedFlag = 0x10;
const passwordOverFlag = 0x80_0000;
/** OpenLDAP's time for an account that an administrator locked until further notice. */
const lockedForGood = '000001010000Z';
const maxOtherLength = 500;

/** Returns an entry as an account. */
export function readAccount(
  entry: Entry,
  { attributes, disabledWhen }: Pick<LdapSettings, 'attributes' | 'disabledWhen'>,
  isService: boolean,
  now: Date,
): Account {
  const computed = Number(textOf(entry, 'msds-user-account-control-computed'));
  const lockedAt = textOf(entry, 'pwdaccountlockedtime');
  const passwordEnd = readGeneralizedTime(textOf(entry, 'krbpasswordexpiration'));
  return {
    key: keyOf(entry),
    dn: entry.dn,
    isDisabled: isDisabled(entry, disabledWhen, now),
    isService,
    mail: [textOf(entry, 'mail'), textOf(entry, 'userprincipalname')].find(isAddress) ?? '',
    username: textOf(entry, 'samaccountname', 'uid'),
    employeeId: textOf(entry, 'employeeid', 'employeenumber'),
    displayName: textOf(entry, 'displayname', 'cn', 'name'),
    manager: textOf(entry, 'manager'),
    department: textOf(entry, 'department', 'departmentnumber'),
    jobTitle: textOf(entry, 'title'),
    createdAt: writeTime(readGeneralizedTime(textOf(entry, 'whencreated', 'createtimestamp'))),
    usedAt: writeTime(readFileTime(textOf(entry, 'lastlogontimestamp')) ?? readGeneralizedTime(textOf(entry, 'authtimestamp'))),
    isLocked:
      (computed & lockedFlag) !== 0 ||
      readFileTime(textOf(entry, 'lockouttime')) !== undefined ||
      (lockedAt !== '' && lockedAt !== lockedForGood),
    isPasswordOver: (computed & passwordOverFlag) !== 0 || (passwordEnd !== undefined && passwordEnd <= now),
    others: attributes.map((name) => textsOf(entry, name.toLowerCase()).join(', ').slice(0, maxOtherLength)),
  };
}

/** True if nobody can sign in with an account for longer than a while. */
function isDisabled(entry: Entry, disabledWhen: readonly string[], now: Date): boolean {
  const end = readFileTime(textOf(entry, 'accountexpires'));
  return (
    (Number(textOf(entry, 'useraccountcontrol')) & disabledFlag) !== 0 ||
    (end !== undefined && end <= now) ||
    textOf(entry, 'nsaccountlock').toLowerCase() === 'true' ||
    textOf(entry, 'pwdaccountlockedtime') === lockedForGood ||
    disabledWhen.some((rule) => fulfils(entry, rule))
  );
}

function fulfils(entry: Entry, rule: string): boolean {
  const at = rule.indexOf('=');
  const value = rule
    .slice(at + 1)
    .trim()
    .toLowerCase();
  const values = textsOf(entry, rule.slice(0, at).trim().toLowerCase());
  return value === '*' ? values.length > 0 : values.some((one) => one.toLowerCase() === value);
}

function isAddress(text: string): boolean {
  return text.length <= 254 && /^[^\s@]+@[^\s@]+$/.test(text);
}

/** Returns the security identifier of an account's primary group, in which it is no `member`; '' for none. */
export function primaryGroupOf(entry: Entry): string {
  const relative = textOf(entry, 'primarygroupid');
  const own = sidOf(entry);
  return relative === '' || own === '' ? '' : `${own.slice(0, own.lastIndexOf('-'))}-${relative}`;
}
