/**
 * Guessing from the names of a file's columns what they are: a table of names that systems give to the columns we want. A guess is shown,
 * never used by itself.
 */
import type { Mapping, WantedColumns } from './columns.ts';

/** Where one wanted column seems to come from. */
export interface Suggestion {
  readonly column: string;
  /** A column of the file as it is named there, or `=` and a text for all rows. */
  readonly from: string;
  /** In percent: 100 the name itself, 90 a usual name for it, 60 a name that may mean something else, too, 50 the user's name or address for the account, 30 a word for all rows. */
  readonly confidence: number;
}

/** A guess at a whole header. */
export interface SuggestedMapping {
  readonly suggestions: readonly Suggestion[];
  /** The suggestions as a mapping that can be saved. */
  readonly mapping: Mapping;
  /** Columns that must be there and for which nothing was found. */
  readonly missing: readonly string[];
}

interface Names {
  /** Names that mean this column, in lower case, letters and digits only. */
  readonly usual: readonly string[];
  /** Names that may mean it. */
  readonly possible: readonly string[];
}

const accountNames: Readonly<Record<string, Names>> = {
  account: {
    usual: [
      'accountid',
      'accountname',
      'login',
      'loginname',
      'loginid',
      'logonname',
      'samaccountname',
      'userlogin',
      'accountlogin',
      'konto',
      'kontoname',
      'benutzerkennung',
    ],
    possible: [
      'user',
      'userid',
      'username',
      'uid',
      'benutzer',
      'benutzername',
      'identity',
      'member',
      'principal',
      'upn',
      'userprincipalname',
    ],
  },
  email: {
    usual: [
      'mail',
      'emailaddress',
      'mailaddress',
      'useremail',
      'owneremail',
      'primaryemail',
      'upn',
      'userprincipalname',
      'smtpaddress',
      'emailadresse',
      'mailadresse',
    ],
    possible: ['owner', 'person', 'login', 'username', 'user'],
  },
  account_type: { usual: ['usertype', 'kindofaccount', 'kontotyp'], possible: ['type', 'typ'] },
  account_status: { usual: ['userstatus', 'accountstate', 'enabled', 'kontostatus'], possible: ['status', 'state', 'active'] },
  resource_type: { usual: ['typeofresource', 'objecttype', 'entitlementtype'], possible: ['category', 'kind', 'type'] },
  resource: {
    usual: ['resourcename', 'resourceid', 'object', 'objectname', 'target', 'ressource'],
    possible: ['application', 'app', 'system', 'project', 'folder', 'team', 'site', 'group', 'groupname', 'gruppe'],
  },
  entitlement: {
    usual: [
      'entitlementname',
      'permission',
      'permissionname',
      'role',
      'rolename',
      'approle',
      'accesslevel',
      'privilege',
      'right',
      'rolle',
      'berechtigung',
      'recht',
    ],
    possible: ['profile', 'profilename', 'permissionset', 'group', 'groupname', 'membership', 'access', 'gruppe', 'license'],
  },
  granted_at: {
    usual: ['granted', 'grantedon', 'assignedat', 'assignedon', 'grantdate', 'assignmentdate'],
    possible: ['since', 'validfrom', 'created', 'createdat', 'startdate'],
  },
  last_used_at: {
    usual: ['lastused', 'lastlogin', 'lastlogon', 'lastlogindate', 'lastlogondate', 'lastsignin', 'lastaccess', 'lastusedon'],
    possible: ['lastactivity', 'lastseen', 'lastactive'],
  },
  username: { usual: ['userlogin'], possible: ['samaccountname', 'userid', 'uid'] },
  employee_id: {
    usual: ['employeenumber', 'employeeno', 'personnelnumber', 'staffid', 'personalnummer', 'workerid'],
    possible: ['personid'],
  },
  display_name: { usual: ['fullname', 'name', 'displayname', 'anzeigename'], possible: ['cn', 'commonname'] },
  expires_at: {
    usual: ['expires', 'expireson', 'expiry', 'expirydate', 'expirationdate', 'validuntil', 'validto'],
    possible: ['enddate', 'until'],
  },
  granted_via: { usual: ['grantedthrough', 'inheritedfrom', 'accesspath'], possible: ['via', 'path', 'source'] },
};

const personNames: Readonly<Record<string, Names>> = {
  email: accountNames.email as Names,
  display_name: {
    usual: ['fullname', 'name', 'anzeigename', 'employeename', 'personname'],
    possible: ['cn', 'commonname', 'employee', 'person'],
  },
  manager_email: {
    usual: ['managermail', 'manageremailaddress', 'supervisoremail', 'managerupn', 'reportsto', 'vorgesetzter'],
    possible: ['manager', 'supervisor', 'boss', 'lead'],
  },
  department: {
    usual: ['dept', 'departmentname', 'abteilung', 'orgunit', 'organizationalunit'],
    possible: ['team', 'division', 'organization', 'unit'],
  },
  job_title: { usual: ['title', 'jobname', 'position', 'jobposition', 'stelle'], possible: ['role', 'function', 'funktion'] },
  employment_status: { usual: ['employeestatus', 'workerstatus', 'hrstatus'], possible: ['status', 'state', 'active'] },
  employee_id: accountNames.employee_id as Names,
  employment_type: {
    usual: ['employeetype', 'workertype', 'contracttype', 'typeofemployment', 'beschaeftigungsart'],
    possible: ['type', 'contract', 'usertype'],
  },
  username: {
    usual: ['login', 'loginname', 'samaccountname', 'userlogin', 'userid', 'uid', 'benutzername'],
    possible: ['account', 'accountname', 'upn'],
  },
};

/** Words that a grants file may have in all rows where it has no such column. */
const words: Readonly<Record<string, string>> = { account_type: 'USER', account_status: 'ENABLED', resource_type: 'resource' };

/** Longer names cannot be saved in a mapping (column-mapping.ts), and mean nothing we know. */
const maxNameLength = 200;

/** What the columns of a header seem to be; each column of the file is suggested once at most. */
export function suggestMapping<Name extends string>(header: readonly string[], format: WantedColumns<Name>): SuggestedMapping {
  const names = format.kind === 'people' ? personNames : accountNames;
  const known = [...format.wanted, ...format.optional];
  const found = header.map((name) => name.trim());
  const places = Map.groupBy(found.keys(), (index) => {
    const name = found[index] as string;
    return name.length > maxNameLength ? '' : plainName(name);
  });
  places.delete('');
  const taken = new Set<number>();
  const best = new Map<string, Suggestion>();
  // What is surer first, so that a name that may mean two things goes to the one that nothing else means.
  for (const [confidence, namesOf] of degrees(names)) {
    for (const column of known) {
      const free = best.has(column) ? [] : namesOf(column).flatMap((name) => places.get(name) ?? []);
      const at = free.filter((index) => !taken.has(index)).sort((a, b) => a - b)[0];
      if (at !== undefined) {
        taken.add(at);
        best.set(column, { column, from: found[at] as string, confidence });
      }
    }
  }
  // An account is often named by the user's name or address, which the file then has only once.
  const other = best.get('username') ?? best.get('email');
  if (known.some((column) => column === 'account') && !best.has('account') && other !== undefined) {
    best.set('account', { column: 'account', from: other.from, confidence: 50 });
  }
  for (const column of format.wanted) {
    const word = words[column];
    if (!best.has(column) && word !== undefined) {
      best.set(column, { column, from: `=${word}`, confidence: 30 });
    }
  }
  const suggestions = known.flatMap((column) => best.get(column) ?? []);
  return {
    suggestions,
    mapping: Object.fromEntries(suggestions.map(({ column, from }) => [column, from])),
    missing: format.wanted.filter((column) => !best.has(column) && format.defaults[column] === undefined),
  };
}

type Degree = readonly [confidence: number, namesOf: (column: string) => readonly string[]];

function degrees(names: Readonly<Record<string, Names>>): readonly Degree[] {
  return [
    [100, (column) => [plainName(column)]],
    [90, (column) => names[column]?.usual ?? []],
    [60, (column) => names[column]?.possible ?? []],
  ];
}

/** A name by its letters and digits, without accents: `E-Mail Address` and `email_address` are one. */
function plainName(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}
