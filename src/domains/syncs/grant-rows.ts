/**
 * One row of a grants file: an account, its owner, and one thing it holds.
 */
import type { RowFormat } from './row-format.ts';
import { type Complain, escapeCopy, readEmail, readKey, readMadeTime, readProfile, readText, readTime, readWord } from './fields.ts';
import { readGrantedVia } from './granted-via.ts';

const columns = [
  'account',
  'email',
  'account_type',
  'account_status',
  'resource_type',
  'resource',
  'entitlement',
  'granted_at',
  'last_used_at',
] as const;

/** A file may have these; without them it is read as fast as ever. */
const optional = [
  'username',
  'employee_id',
  'display_name',
  'expires_at',
  'granted_via',
  'parent_resource_type',
  'parent_resource',
] as const;

const types = ['USER', 'SERVICE_ACCOUNT', 'SYSTEM_ACCOUNT'] as const;
const statuses = ['ENABLED', 'DISABLED'] as const;

type GrantColumn = (typeof columns)[number] | (typeof optional)[number];

/** How a grants file is read; the COPY columns are those of stageGrantsFile in store-staging.ts. */
export const grantRows: RowFormat<GrantColumn> = {
  kind: 'grants',
  key: 'account',
  wanted: columns,
  optional,
  defaults: {
    email: '',
    account_type: 'USER',
    account_status: 'ENABLED',
    resource_type: 'resource',
    // The import says the app instead.
    resource: '',
    granted_at: '',
    last_used_at: '',
  },
  words: { account_type: 'type', account_status: 'status' },
  times: ['granted_at', 'last_used_at', 'expires_at'],
  prepare({ at, others, isTranslated }) {
    const time = isTranslated ? readMadeTime : readTime;
    const hasOptional = optional.some((name) => at[name] >= 0);
    const atAccount = at.account;
    const atEmail = at.email;
    const atType = at.account_type;
    const atStatus = at.account_status;
    const atResourceType = at.resource_type;
    const atResource = at.resource;
    const atEntitlement = at.entitlement;
    const atGranted = at.granted_at;
    const atUsed = at.last_used_at;
    return (row, line, complain, isPlain) => {
      // Every index is below the number of columns, which was checked.
      const field = (index: number) => row[index] as string;
      let account = readKey(field(atAccount), 'account', complain);
      let email = readEmail(field(atEmail), 'email', complain).toLowerCase();
      const type = readWord(field(atType), types, 'account_type', complain);
      const status = readWord(field(atStatus), statuses, 'account_status', complain);
      let resourceType = readKey(field(atResourceType), 'resource_type', complain);
      let resource = readKey(field(atResource), 'resource', complain);
      let entitlement = readKey(field(atEntitlement), 'entitlement', complain);
      const granted = time(field(atGranted), 'granted_at', complain);
      const used = time(field(atUsed), 'last_used_at', complain);
      const rest = hasOptional ? readOptional(row, at, time, complain, { type: resourceType, resource }) : nothingOptional;
      const profile = others.length === 0 ? '' : readProfile(row, others);
      if (!isPlain) {
        account = escapeCopy(account);
        email = escapeCopy(email);
        resourceType = escapeCopy(resourceType);
        resource = escapeCopy(resource);
        entitlement = escapeCopy(entitlement);
      }
      return `${line}\t${account}\t${email}\t${type}\t${status}\t${resourceType}\t${resource}\t${entitlement}\t${granted || '\\N'}\t${used || '\\N'}\t${rest}\t${profile === '' ? '\\N' : escapeCopy(profile)}`;
    };
  },
};

/** Six fields: the last two columns are one, the parent of the resource. */
const nothingOptional = Array.from({ length: optional.length - 1 }, () => '\\N').join('\t');

/** The optional columns as COPY takes them, null where there is nothing. */
function readOptional(
  row: readonly string[],
  at: Readonly<Record<GrantColumn, number>>,
  time: typeof readTime,
  complain: Complain,
  own: { readonly type: string; readonly resource: string },
): string {
  const field = (name: (typeof optional)[number]) => (at[name] < 0 ? '' : (row[at[name]] as string));
  const values = [
    escapeCopy(readText(field('username'), 'username', complain)),
    escapeCopy(readText(field('employee_id'), 'employee_id', complain)),
    escapeCopy(readText(field('display_name'), 'display_name', complain)),
    time(field('expires_at'), 'expires_at', complain),
    escapeCopy(readGrantedVia(field('granted_via'), complain)),
    escapeCopy(readParent(field('parent_resource_type'), field('parent_resource'), own, complain)),
  ];
  return values.map((value) => value || '\\N').join('\t');
}

/** The resource that a resource lies below, its type and its name joined by chr(31); '' where the row says nothing of it. */
function readParent(type: string, parent: string, own: { readonly type: string; readonly resource: string }, complain: Complain): string {
  if (parent === '') {
    return '';
  }
  const parentType = readKey(type === '' ? own.type : type, 'parent_resource_type', complain);
  readKey(parent, 'parent_resource', complain);
  if (parentType.includes('\u001f') || parent.includes('\u001f')) {
    complain('parent_resource', 'holds a control character');
  }
  if (parentType === own.type && parent === own.resource) {
    complain('parent_resource', 'names the resource itself');
  }
  return `${parentType}\u001f${parent}`;
}
