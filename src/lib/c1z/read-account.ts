/** Users and agents of a c1z as accounts: their columns, and the members of their profiles as attributes. */
import { C1zError } from './c1z-error.ts';
import { accountColumns, type C1zOptions, grantColumns, keyColumns, textColumns } from './messages.ts';
import { type AccountTrait, type Resource, plainTrait, type TypeUse } from './read-resource.ts';
import { cleanRow, cleanText } from './texts.ts';
import type { Warnings } from './warnings.ts';

const maxAttributes = 200;
const maxNameLength = 200;
const emailPattern = /^[^\s@]+@[^\s@]+$/;
const maxEmailLength = 320;
const types = ['USER', 'USER', 'SERVICE_ACCOUNT', 'SYSTEM_ACCOUNT'] as const;
const statuses = ['', 'ENABLED', 'DISABLED', 'DELETED'] as const;
const ownNames: ReadonlySet<string> = new Set([...accountColumns, ...keyColumns, ...textColumns, ...grantColumns, 'expires_at']);

/** The trait of a resource that is an account; undefined for any other. */
export function accountTraitOf(resource: Resource, use: TypeUse | undefined): AccountTrait | undefined {
  return resource.trait ?? (use?.isAccount === true ? plainTrait : undefined);
}

/** Attributes found so far, each with the name of its column. */
export interface Attributes {
  /** Finds the attributes of an account. Throws a C1zError where they become too many. */
  see(resource: Resource, trait: AccountTrait): void;
  names(): readonly string[];
  /** The texts of an account in the order of the names. */
  texts(resource: Resource, trait: AccountTrait): string[];
}

/** No attributes yet; which members of profiles become some, the options say. */
export function createAttributes({ profileAllowList = [], profileIgnoreList = [] }: C1zOptions): Attributes {
  const allowed = profileAllowList.length === 0 ? undefined : new Set(profileAllowList);
  const ignored = new Set(profileIgnoreList);
  /** Members of profiles and what else is said of accounts, with the places of their columns. */
  const places = new Map<string, number>();
  const names: string[] = [];
  const taken = new Set<string>();
  const place = (key: string, name: string) => {
    if (places.has(key)) {
      return;
    }
    if (names.length >= maxAttributes) {
      throw new C1zError(`the profiles in the file have more than ${maxAttributes} members; choose some with profileAllowList`);
    }
    let own = name;
    for (let count = 2; taken.has(own.toLowerCase()); count++) {
      own = `${name} (${count})`;
    }
    taken.add(own.toLowerCase());
    places.set(key, names.length);
    names.push(own);
  };
  const isWanted = (member: string) => !ignored.has(member) && (allowed === undefined || allowed.has(member));
  return {
    see(resource, trait) {
      for (const profile of [resource.profile, trait.profile]) {
        for (const [member, value] of profile) {
          if (value !== '' && isWanted(member) && !places.has(`p${member}`)) {
            place(`p${member}`, nameAttribute(member));
          }
        }
      }
      for (const [name, value] of describe(resource, trait)) {
        if (value !== '') {
          place(name, name);
        }
      }
    },
    names: () => names,
    texts(resource, trait) {
      const texts = new Array<string>(names.length).fill('');
      for (const profile of [trait.profile, resource.profile]) {
        for (const [member, value] of profile) {
          const at = value === '' ? undefined : places.get(`p${member}`);
          if (at !== undefined) {
            texts[at] = value;
          }
        }
      }
      for (const [name, value] of describe(resource, trait)) {
        const at = value === '' ? undefined : places.get(name);
        if (at !== undefined) {
          texts[at] = value;
        }
      }
      return texts;
    },
  };
}

/** The column of a member of a profile: its own name, unless columns of ours have that. */
function nameAttribute(member: string): string {
  const name = cleanText(member).trim().slice(0, maxNameLength);
  return name === '' || ownNames.has(name.toLowerCase()) ? `baton.${name}` : name;
}

function describe(resource: Resource, { mfa, sso, statusDetails }: AccountTrait): readonly (readonly [string, string])[] {
  return [
    ['baton.mfa', mfa === undefined ? '' : String(mfa)],
    ['baton.sso', sso === undefined ? '' : String(sso)],
    ['baton.status_details', resource.statusDetails || statusDetails],
  ];
}

/** Key of an account among those of its app. */
export function accountKeyOf(type: string, id: string): string {
  return type === 'user' ? id : `${type}:${id}`;
}

/** Reads the row of an account without what it holds: its columns, then its attributes. Returns undefined for a deleted one. */
export function readAccount(
  key: string,
  resource: Resource,
  trait: AccountTrait,
  attributes: Attributes,
  warnings: Warnings,
): string[] | undefined {
  const status = statuses[resource.status] || statuses[trait.status] || '';
  if (status === 'DELETED') {
    return undefined;
  }
  if (status === '') {
    warnings.add('noStatus', key);
  }
  const email = trait.email.trim();
  const isEmail = email.length <= maxEmailLength && emailPattern.test(email);
  if (email !== '' && !isEmail) {
    warnings.add('wrongEmail', key);
  }
  const columns: Record<(typeof accountColumns)[number], string> = {
    account: key,
    username: trait.login,
    display_name: resource.name,
    email: isEmail ? email : '',
    employee_id: trait.employeeId,
    account_type: trait.isAgent ? 'SERVICE_ACCOUNT' : (types[trait.type] ?? 'USER'),
    account_status: status || 'ENABLED',
    account_created_at: resource.createdAt || trait.createdAt,
    account_used_at: trait.lastLogin,
  };
  return cleanRow(
    [...accountColumns.map((column) => columns[column]), ...attributes.texts(resource, trait)],
    `the account ${JSON.stringify(key.slice(0, 100))}`,
  );
}
