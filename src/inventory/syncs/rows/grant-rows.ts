/**
 * One row of a grants file: an account, its owner, and one thing it holds.
 */
import { foldAddress, getAddressKey, getIdKey } from '../../../lib/names/same-name.ts';
import { type RowFormat, readGrantedVia, readStep } from '../columns/index.ts';
import { type Complain, escapeCopy, readEmail, readKey, readMadeTime, readProfile, readText, readTime, readWord } from '../values/index.ts';

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

/** Columns of fetched rows: names and texts of what is held, and of accounts. COPY takes them where a file has any. */
export const shownColumns = [
  'resource_name',
  'resource_description',
  'entitlement_name',
  'entitlement_description',
  'purpose',
  'account_created_at',
  'account_used_at',
  'linked_from',
] as const;
/** Columns that say something of an account or of how it holds what it holds. */
const accountColumns = [
  'email',
  'granted_at',
  'last_used_at',
  'username',
  'employee_id',
  'display_name',
  'expires_at',
  'granted_via',
  'account_created_at',
  'account_used_at',
] as const;
const entitlementColumns = [
  'resource_name',
  'resource_description',
  'entitlement_name',
  'entitlement_description',
  'purpose',
  'linked_from',
] as const;
/** Longest text of a name or a description, in characters; what is beyond is cut off, since it is only shown. */
const maxShown = 1000;
const purposes = ['ASSIGNMENT', 'PERMISSION', 'OWNERSHIP'] as const;

type GrantColumn = (typeof columns)[number] | (typeof optional)[number] | (typeof shownColumns)[number];

/** Format of a grants file; the COPY columns are those of stageGrantsFile in store-staging.ts. */
export const grantRows: RowFormat<GrantColumn> = {
  kind: 'grants',
  key: 'account',
  partKeys: ['account', 'entitlement'],
  wanted: columns,
  optional,
  exact: shownColumns,
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
  needs: ['entitlement'],
  words: { account_type: 'type', account_status: 'status' },
  times: ['granted_at', 'last_used_at', 'expires_at', 'account_created_at', 'account_used_at'],
  prepare({ at, others, isTranslated }) {
    const time = isTranslated ? readMadeTime : readTime;
    const hasOptional = optional.some((name) => at[name] >= 0);
    const hasShown = shownColumns.some((name) => at[name] >= 0);
    const atAccount = at.account;
    const atEmail = at.email;
    const atType = at.account_type;
    const atStatus = at.account_status;
    const atResourceType = at.resource_type;
    const atResource = at.resource;
    const atEntitlement = at.entitlement;
    const atGranted = at.granted_at;
    const atUsed = at.last_used_at;
    // A row that says anything of an account says whose: words for all rows are no such rows.
    const ofAccount = [atType, atStatus, ...accountColumns.map((name) => at[name]).filter((place) => place >= 0)];
    const tellKind = (account: string, type: string, resource: string, entitlement: string, row: readonly string[]): Says => {
      if (entitlement === '') {
        return account !== '' && type === '' && resource === '' ? 'ACCOUNT' : 'GRANT';
      }
      return account === '' && ofAccount.every((place) => row[place] === '') ? 'ENTITLEMENT' : 'GRANT';
    };
    return (row, line, complain, isPlain) => {
      // Every index is below the number of columns, which was checked.
      const field = (index: number) => row[index] as string;
      const [toldAccount, toldType, toldResource, toldEntitlement] = [
        field(atAccount),
        field(atResourceType),
        field(atResource),
        field(atEntitlement),
      ];
      const says = tellKind(toldAccount, toldType, toldResource, toldEntitlement, row);
      let account = says === 'ENTITLEMENT' ? '' : readKey(toldAccount, 'account', complain);
      const address = foldAddress(readEmail(field(atEmail), 'email', complain));
      let email = getAddressKey(address);
      const spelled = email === address ? '\\N' : escapeCopy(address);
      const type = readWord(field(atType), types, 'account_type', complain);
      const status = readWord(field(atStatus), statuses, 'account_status', complain);
      const isHeld = says !== 'ACCOUNT';
      let resourceType = isHeld ? readKey(toldType, 'resource_type', complain) : '';
      let resource = isHeld ? readKey(toldResource, 'resource', complain) : '';
      let entitlement = isHeld ? readKey(toldEntitlement, 'entitlement', complain) : '';
      const granted = time(field(atGranted), 'granted_at', complain);
      const used = time(field(atUsed), 'last_used_at', complain);
      const isAsTold =
        account === toldAccount && (!isHeld || (resourceType === toldType && resource === toldResource && entitlement === toldEntitlement));
      const told = isAsTold ? '\\N' : escapeCopy(JSON.stringify([toldAccount, toldType, toldResource, toldEntitlement]));
      const own = { type: resourceType, resource };
      const rest = hasOptional ? readOptional(row, at, time, complain, own) : nothingOptional;
      const shown = hasShown ? readShown(row, at, time, complain, says) : '';
      const profile = others.length === 0 ? '' : readProfile(row, others);
      if (!isPlain) {
        account = escapeCopy(account);
        email = escapeCopy(email);
        resourceType = escapeCopy(resourceType);
        resource = escapeCopy(resource);
        entitlement = escapeCopy(entitlement);
      }
      return `${line}\t${account}\t${email}\t${type}\t${status}\t${resourceType}\t${resource}\t${entitlement}\t${granted || '\\N'}\t${used || '\\N'}\t${rest}\t${profile === '' ? '\\N' : escapeCopy(profile)}\t${told}\t${spelled}${shown}`;
    };
  },
};

/** Statement of a row: who holds what, that an account holds app access alone, or that an entitlement is there, whoever holds it. */
type Says = 'GRANT' | 'ACCOUNT' | 'ENTITLEMENT';

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
    escapeCopy(getIdKey(readText(field('employee_id'), 'employee_id', complain))),
    escapeCopy(readText(field('display_name'), 'display_name', complain)),
    time(field('expires_at'), 'expires_at', complain),
    escapeCopy(readGrantedVia(field('granted_via'), complain)),
    escapeCopy(readParent(field('parent_resource_type'), field('parent_resource'), own, complain)),
  ];
  return values.map((value) => value || '\\N').join('\t');
}

/** The shown columns as COPY takes them, each behind a tab, null where there is nothing. */
function readShown(
  row: readonly string[],
  at: Readonly<Record<GrantColumn, number>>,
  time: typeof readTime,
  complain: Complain,
  says: Says,
): string {
  const field = (name: (typeof shownColumns)[number]) => (at[name] < 0 ? '' : (row[at[name]] as string));
  const text = (name: (typeof shownColumns)[number]) => escapeCopy(field(name).trim().slice(0, maxShown).toWellFormed());
  const isTold = (name: (typeof shownColumns)[number]) => field(name).trim() !== '';
  if (says === 'ACCOUNT' && entitlementColumns.some(isTold)) {
    complain('entitlement', 'must not be empty where the row says something of an entitlement');
  }
  if (says === 'GRANT' && isTold('linked_from')) {
    complain('linked_from', 'is for rows without an account: it says who else holds the entitlement');
  }
  const link = field('linked_from');
  const values = [
    text('resource_name'),
    text('resource_description'),
    text('entitlement_name'),
    text('entitlement_description'),
    isTold('purpose') ? readWord(field('purpose'), purposes, 'purpose', complain) : '',
    time(field('account_created_at'), 'account_created_at', complain),
    time(field('account_used_at'), 'account_used_at', complain),
    escapeCopy(readStep(link, complain)),
  ];
  return values.map((value) => `\t${value || '\\N'}`).join('');
}

/** The resource that a resource lies below, its type and its name joined by chr(31); '' where the row says nothing of it. */
function readParent(type: string, parent: string, own: { readonly type: string; readonly resource: string }, complain: Complain): string {
  if (parent === '') {
    return '';
  }
  if (own.resource === '') {
    complain('parent_resource', 'stands beside no resource');
  }
  const parentType = readKey(type === '' ? own.type : type, 'parent_resource_type', complain);
  const key = readKey(parent, 'parent_resource', complain);
  if (parentType.includes('\u001f') || key.includes('\u001f')) {
    complain('parent_resource', 'holds a control character');
  }
  if (parentType === own.type && key === own.resource) {
    complain('parent_resource', 'names the resource itself');
  }
  return `${parentType}\u001f${key}`;
}
