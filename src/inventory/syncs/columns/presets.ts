/**
 * Exports that are known: by which headers each is recognised, and how it is read. A preset says what names alone do not: what stands for
 * the entitlement, which columns make up the status, what a vendor's words mean.
 */
import { plainName } from '../../../lib/names/plain-name.ts';
import { isColumnEntry, type Mapping } from '../values/index.ts';
import type { Preset } from './preset.ts';
import { databasePresets } from './presets-databases.ts';
import { directoryPresets } from './presets-directories.ts';

const activeWords = { 'account_status:deactivated': 'DISABLED' } as const;

/** All that are known; the first whose headers are there is taken, so what is more particular stands first. */
export const presets: readonly Preset[] = [
  ...directoryPresets,
  ...databasePresets,
  {
    id: 'aws-credential-report',
    title: 'AWS IAM credential report',
    kind: 'grants',
    headers: ['user', 'arn', 'user_creation_time', 'password_enabled', 'password_last_used', 'access_key_1_active'],
    mapping: {
      account: 'user',
      account_type: 'user',
      'account_type:<root_account>': 'SYSTEM_ACCOUNT',
      'account_type:*': 'USER',
      account_status: 'password_enabled+access_key_1_active+access_key_2_active+cert_1_active+cert_2_active',
      'account_status:not_supported': 'ENABLED',
      'account_status:n/a': 'DISABLED',
      entitlement: '=IAM user',
      granted_at: 'user_creation_time',
      last_used_at: 'password_last_used+access_key_1_last_used_date+access_key_2_last_used_date',
    },
  },
  {
    id: 'github-users',
    title: 'GitHub users (enterprise and dormant users report)',
    kind: 'grants',
    headers: ['login', 'role', 'suspended?'],
    mapping: {
      account: 'login',
      email: 'email',
      account_status: 'suspended?',
      entitlement: 'role',
      granted_at: 'created_at',
      last_used_at: ['last_active', 'last_logged_at'],
    },
  },
  {
    id: 'github-members',
    title: 'GitHub organization members or collaborators',
    kind: 'grants',
    headers: ['login', 'role', 'tfa_enabled'],
    mapping: {
      account: 'login',
      email: ['email', 'public_email', 'saml_name_id'],
      display_name: 'name',
      resource: ['repository', 'repo', 'organization'],
      entitlement: ['permission', 'role'],
      granted_at: ['joined_at', 'created_at'],
      last_used_at: 'last_active',
    },
  },
  {
    id: 'okta-users',
    title: 'Okta users',
    kind: 'grants',
    headers: ['login', 'status', 'activated', 'lastLogin'],
    mapping: {
      account: 'login',
      email: 'email',
      display_name: ['displayName', 'firstName+lastName'],
      account_status: 'status',
      entitlement: '=User',
      granted_at: ['activated', 'created'],
      last_used_at: 'lastLogin',
      employee_id: 'employeeNumber',
    },
  },
  {
    id: 'salesforce-permission-set-assignments',
    title: 'Salesforce permission set assignments',
    kind: 'grants',
    headers: ['Assignee.Username'],
    mapping: {
      account: 'Assignee.Username',
      email: ['Assignee.Email', 'Assignee.Username'],
      display_name: 'Assignee.Name',
      account_status: 'Assignee.IsActive',
      entitlement: [
        'PermissionSet.Label',
        'PermissionSet.Name',
        'PermissionSetGroup.MasterLabel',
        'PermissionSetGroup.DeveloperName',
        'PermissionSetLicense.MasterLabel',
        'PermissionSetLicense.DeveloperName',
      ],
      granted_at: ['SystemModstamp', 'CreatedDate'],
      last_used_at: 'Assignee.LastLoginDate',
      expires_at: 'ExpirationDate',
    },
  },
  {
    id: 'salesforce-user-list',
    title: 'Salesforce users, as a report or list view',
    kind: 'grants',
    headers: ['Username', 'Profile', 'Active', 'Last Login'],
    mapping: {
      account: 'Username',
      email: 'Email',
      display_name: ['Full Name', 'First Name+Last Name', 'Name'],
      account_status: 'Active',
      entitlement: 'Profile',
      granted_at: 'Created Date',
      last_used_at: 'Last Login',
      employee_id: 'Employee Number',
    },
  },
  {
    id: 'salesforce-users',
    title: 'Salesforce users',
    kind: 'grants',
    headers: ['Username', 'Email', 'IsActive', 'Profile.Name'],
    mapping: {
      account: 'Username',
      email: 'Email',
      display_name: ['Name', 'FirstName+LastName'],
      account_status: 'IsActive',
      entitlement: 'Profile.Name',
      granted_at: 'CreatedDate',
      last_used_at: 'LastLoginDate',
      employee_id: 'EmployeeNumber',
    },
  },
  {
    id: 'slack-members',
    title: 'Slack members',
    kind: 'grants',
    headers: ['username', 'email', 'status', 'billing-active', 'userid'],
    mapping: {
      account: 'userid',
      username: 'username',
      email: 'email',
      display_name: ['fullname', 'displayname'],
      account_type: 'status',
      'account_type:bot': 'SERVICE_ACCOUNT',
      'account_type:*': 'USER',
      account_status: 'status',
      ...activeWords,
      'account_status:member': 'ENABLED',
      'account_status:admin': 'ENABLED',
      'account_status:owner': 'ENABLED',
      'account_status:primary owner': 'ENABLED',
      'account_status:workspace admin': 'ENABLED',
      'account_status:workspace owner': 'ENABLED',
      'account_status:guest': 'ENABLED',
      'account_status:single-channel guest': 'ENABLED',
      'account_status:multi-channel guest': 'ENABLED',
      'account_status:invited member': 'ENABLED',
      'account_status:invited guest': 'ENABLED',
      'account_status:bot': 'ENABLED',
      entitlement: 'status',
      expires_at: 'expiration-timestamp',
    },
  },
  {
    id: 'box-collaborations',
    title: 'Box collaborations',
    kind: 'grants',
    headers: ['Item Name', 'Collaborator Login', 'Collaborator Permission'],
    mapping: {
      account: 'Collaborator Login',
      email: 'Collaborator Login',
      display_name: 'Collaborator Name',
      resource_type: 'Item Type',
      resource: 'Path+Item Name',
      entitlement: 'Collaborator Permission',
      granted_at: ['Created', 'Created Date'],
      expires_at: 'Expiration Date',
    },
  },
  {
    id: 'atlassian-users',
    title: 'Atlassian users',
    kind: 'grants',
    headers: ['User id', 'User name', 'email', 'User status', 'Org role'],
    mapping: {
      account: 'User id',
      email: 'email',
      display_name: 'User name',
      account_status: 'User status',
      entitlement: 'Org role',
      'entitlement:': 'User',
      granted_at: 'Added to org',
      last_used_at: 'Last seen in Jira*+Last seen in Confluence*',
    },
  },
  {
    id: 'jira-groups',
    title: 'Jira users by group',
    kind: 'grants',
    headers: ['group_name', 'username', 'full_name', 'email', 'active'],
    mapping: {
      account: 'username',
      email: 'email',
      display_name: 'full_name',
      account_status: 'active',
      resource_type: '=group',
      resource: 'group_name',
      entitlement: '=member',
      last_used_at: 'last_login',
    },
  },
  {
    id: 'zendesk-agents',
    title: 'Zendesk team members',
    kind: 'grants',
    headers: ['Name', 'Email', 'Role', 'Suspended', 'Last login'],
    mapping: {
      account: ['Id', 'Email'],
      email: 'Email',
      display_name: 'Name',
      account_status: 'Suspended',
      entitlement: 'Role',
      last_used_at: 'Last login',
    },
  },
  {
    id: 'gitlab-members',
    title: 'GitLab members',
    kind: 'grants',
    headers: ['Name', 'Username', 'Path', 'Role', 'Membership type', 'Access granted'],
    mapping: {
      account: 'Username',
      email: 'Email',
      display_name: 'Name',
      account_status: 'Membership status',
      resource_type: 'Type',
      resource: 'Path',
      entitlement: 'Role',
      granted_at: 'Access granted',
      last_used_at: 'Last activity',
      expires_at: ['Access expiration', 'Access expired'],
    },
  },
  {
    id: 'sap-role-assignments',
    title: 'SAP role assignments (AGR_USERS)',
    kind: 'grants',
    headers: ['AGR_NAME', 'UNAME', 'FROM_DAT', 'TO_DAT'],
    mapping: { account: 'UNAME', entitlement: 'AGR_NAME', resource_type: '=role', granted_at: 'FROM_DAT', expires_at: 'TO_DAT' },
  },
  {
    id: 'sap-users',
    title: 'SAP users (USR02)',
    kind: 'grants',
    headers: ['BNAME', 'USTYP', 'UFLAG'],
    mapping: {
      account: 'BNAME',
      account_type: 'USTYP',
      'account_type:a': 'USER',
      'account_type:b': 'SYSTEM_ACCOUNT',
      'account_type:c': 'SERVICE_ACCOUNT',
      'account_type:l': 'SYSTEM_ACCOUNT',
      'account_type:s': 'SERVICE_ACCOUNT',
      account_status: 'UFLAG+GLTGB',
      'account_status:0': 'ENABLED',
      'account_status:*': 'DISABLED',
      entitlement: ['CLASS', '=User'],
      'entitlement:': 'User',
      granted_at: ['ERDAT', 'GLTGV'],
      last_used_at: 'TRDAT',
    },
  },
  {
    id: 'successfactors-people',
    title: 'SAP SuccessFactors user data file',
    kind: 'people',
    headers: ['STATUS', 'USERID', 'USERNAME', 'FIRSTNAME', 'LASTNAME', 'MANAGER', 'HR'],
    mapping: {
      employee_id: 'USERID',
      username: 'USERNAME',
      email: 'EMAIL',
      display_name: 'FIRSTNAME+LASTNAME',
      manager_email: 'MANAGER',
      department: 'DEPARTMENT',
      job_title: 'TITLE',
      employment_status: 'STATUS',
    },
  },
  {
    id: 'servicenow-user-roles',
    title: 'ServiceNow roles of users',
    kind: 'grants',
    headers: ['user.user_name', 'role'],
    mapping: {
      account: 'user.user_name',
      email: 'user.email',
      display_name: ['user.name', 'user'],
      account_status: ['user.active+user.locked_out', 'user.active'],
      entitlement: ['role.name', 'role'],
      granted_at: 'sys_created_on',
      last_used_at: ['user.last_login_time', 'user.last_login'],
    },
  },
];

/** The known export that a header is of, if it is of one. */
export function findPreset(header: readonly string[], kind: 'people' | 'grants'): Preset | undefined {
  const names = new Set(header.map(plainName));
  return presets.find(
    (preset) => preset.kind === kind && preset.headers.every((name) => names.has(plainName(name))) && !isOutdone(preset, names),
  );
}

/** Names of what is held: an export of users that has one of them is one of what they hold. */
const heldNames: ReadonlySet<string> = new Set(
  [
    'group',
    'groupname',
    'groupdisplayname',
    'securitygroup',
    'role',
    'rolename',
    'roledisplayname',
    'roledefinitionname',
    'grantedrole',
  ].map(plainName),
);

/** True if an export of users, by its headers, says what they hold beside that. */
function isOutdone({ mapping }: Preset, names: ReadonlySet<string>): boolean {
  const { entitlement } = mapping;
  if (typeof entitlement !== 'string' || (!entitlement.startsWith('=') && plainName(entitlement) !== 'usertype')) {
    return false;
  }
  const used = new Set(
    Object.values(mapping)
      .flatMap((from) => (typeof from === 'string' ? from.split(/[+|]/) : from))
      .map(plainName),
  );
  return [...names].some((name) => heldNames.has(name) && !used.has(name));
}

/** The preset as a mapping for a header: names as they are written there, and without what this file does not have. */
export function mapByPreset(header: readonly string[], preset: Preset): Mapping {
  const places = new Map(header.map((name) => [plainName(name), name.trim()]));
  const entries = Object.entries(preset.mapping).flatMap(([key, wanted]): [string, string][] => {
    const choices = typeof wanted === 'string' ? [wanted] : wanted;
    const found = isColumnEntry(key) ? choices.map((from) => writeAsFound(from, places)).find((from) => from !== undefined) : choices[0];
    return found === undefined ? [] : [[key, found]];
  });
  // What values of a column mean is nothing to a file without it.
  const columns = new Set(entries.flatMap(([key]) => (isColumnEntry(key) ? [key] : [])));
  const ignored = (preset.mapping.ignore ?? '').toString().split('|');
  const ignore = ignored.flatMap((name) => places.get(plainName(name)) ?? []).join('|');
  return {
    ...Object.fromEntries(entries.filter(([key]) => isColumnEntry(key) || columns.has(key.split(':')[0] ?? ''))),
    ...(ignore === '' ? {} : { ignore }),
  };
}

/** An entry with the names of the file; of several columns joined, those that the file has. */
function writeAsFound(from: string, places: ReadonlyMap<string, string>): string | undefined {
  if (from.startsWith('=')) {
    return from;
  }
  const find = (name: string): string | undefined => {
    if (!name.endsWith('*')) {
      return places.get(plainName(name));
    }
    const begin = plainName(name.slice(0, -1));
    return [...places].find(([plain]) => plain.startsWith(begin))?.[1];
  };
  const whole = find(from);
  if (whole !== undefined && !/[+|]/.test(from)) {
    return whole;
  }
  const separator = from.includes('|') ? '|' : '+';
  const parts = from.split(separator).flatMap((part) => find(part) ?? []);
  return parts.length === 0 ? undefined : parts.join(separator);
}
