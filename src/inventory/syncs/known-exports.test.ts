/**
 * Exports of systems, a few made-up rows each, as they are read with nothing said about them: every row, or a refusal that says which column is
 * not understood. Whole imports of exports stand in test/api/exports.test.ts.
 */
import { describe, expect, it } from 'vitest';
import { readLines as read } from '../../../test/support/read-rows.ts';

/** Account, address, type, status, what it holds. */
const ofGrants = [1, 2, 3, 4, 5, 6, 7];
/** Address, name, status, employee id, whom they report to. */
const ofPeople = [1, 3, 7, 9, 12];

const grants: readonly (readonly [name: string, lines: readonly string[], rows: readonly string[]])[] = [
  [
    'AWS IAM Identity Center assignments',
    [
      'AccountId,AccountName,PermissionSetName,PrincipalType,PrincipalName',
      '1111,prod,Admin,USER,ann@example.com',
      '2222,dev,Reader,GROUP,Developers',
    ],
    [
      'ann@example.com |  | USER | ENABLED | account | 1111 prod | Admin',
      'Developers |  | SYSTEM_ACCOUNT | ENABLED | account | 2222 dev | Reader',
    ],
  ],
  [
    'Entra role assignments',
    [
      'roleDefinitionName,principalDisplayName,userPrincipalName,principalType,directoryScopeId',
      'User Admin,Ann Sample,ann@example.com,User,/',
    ],
    ['ann@example.com | ann@example.com | USER | ENABLED | resource | / | User Admin'],
  ],
  [
    'Google Workspace admins',
    ['roleAssignmentId,roleId,role,assignedTo,assignedToUser,scopeType', '1,11,_HELP_DESK_ADMIN_ROLE,1001,ann@example.com,CUSTOMER'],
    ['ann@example.com | ann@example.com | USER | ENABLED | resource | App | _HELP_DESK_ADMIN_ROLE'],
  ],
  [
    'Salesforce permission sets by label',
    [
      'Assignee.Name,Assignee.Username,Assignee.Email,Assignee.IsActive,PermissionSet.Label',
      'Ann Sample,ann.crm,ann@example.com,false,Exports',
    ],
    ['ann.crm | ann@example.com | USER | DISABLED | resource | App | Exports'],
  ],
  [
    'Confluence spaces',
    ['Space Key,Space Name,Principal Type,Principal,Permission', 'HR,People,user,ann,READ_SPACE', 'HR,People,group,hr-team,EXPORT_SPACE'],
    [
      'ann |  | USER | ENABLED | resource | People | READ_SPACE',
      'hr-team |  | SYSTEM_ACCOUNT | ENABLED | resource | People | EXPORT_SPACE',
    ],
  ],
  [
    '1Password vaults',
    ['Vault,User,Email,Permissions', 'HR,Ann,ann@example.com,View'],
    ['Ann | ann@example.com | USER | ENABLED | resource | HR | View'],
  ],
  [
    'Box collaborations',
    [
      'Owner Login,Path,Item Name,Item Type,Collaborator Login,Collaborator Permission',
      'bob@example.com,/All/,Pay,Folder,ann@example.com,Editor',
    ],
    ['ann@example.com | ann@example.com | USER | ENABLED | Folder | /All/ Pay | Editor'],
  ],
  [
    'Dropbox members',
    ['First name,Last name,Email,Account type,Status,Admin type', 'Ann,Sample,ann@example.com,Full,Suspended,Team admin'],
    ['ann@example.com | ann@example.com | USER | DISABLED | resource | App | Team admin'],
  ],
  [
    'ServiceNow group members',
    ['group,user,user.user_name,user.email,user.active', 'Network,Ann Sample,ann.sample,ann@example.com,false'],
    ['ann.sample | ann@example.com | USER | DISABLED | resource | App | Network'],
  ],
  [
    'Kubernetes bindings',
    ['NAMESPACE,ROLE,SUBJECT_KIND,SUBJECT', 'prod,deployer,ServiceAccount,ci'],
    ['ci |  | SERVICE_ACCOUNT | ENABLED | resource | prod | deployer'],
  ],
  [
    'Get-ADUser',
    [
      '#TYPE Microsoft.ActiveDirectory.Management.ADUser',
      '"DistinguishedName","Enabled","GivenName","Name","ObjectClass","SamAccountName","SID","Surname","UserPrincipalName"',
      '"CN=Ann Sample,OU=Staff","False","Ann","Ann Sample","user","asample","S-1","Sample","ann@example.com"',
    ],
    ['asample | ann@example.com | USER | DISABLED | resource | App | User'],
  ],
  [
    'Get-LocalGroupMember of several machines',
    ['PSComputerName,GroupName,ObjectClass,Name,PrincipalSource,SID', 'PC1,Administrators,Group,CORP\\Admins,ActiveDirectory,S-1'],
    ['CORP\\\\Admins |  | SYSTEM_ACCOUNT | ENABLED | group | PC1 Administrators | member'],
  ],
  [
    'Oracle DBA_TAB_PRIVS',
    ['GRANTEE,OWNER,TABLE_NAME,GRANTOR,PRIVILEGE,TYPE', 'ANN,HR,PAY,HR,SELECT,TABLE', 'ANN,SALES,PAY,SALES,SELECT,TABLE'],
    ['ANN |  | USER | ENABLED | TABLE | HR PAY | SELECT', 'ANN |  | USER | ENABLED | TABLE | SALES PAY | SELECT'],
  ],
  [
    'Oracle DBA_USERS',
    [
      'USERNAME,USER_ID,ACCOUNT_STATUS,LOCK_DATE,EXPIRY_DATE,DEFAULT_TABLESPACE,PROFILE',
      'ANN,1,OPEN,,,USERS,DEFAULT',
      'BOB,2,EXPIRED & LOCKED,,,USERS,DEFAULT',
      'CID,3,EXPIRED(GRACE),,,USERS,DEFAULT',
    ],
    [
      'ANN |  | USER | ENABLED | resource | App | User',
      'BOB |  | USER | DISABLED | resource | App | User',
      'CID |  | USER | ENABLED | resource | App | User',
    ],
  ],
  [
    'PostgreSQL pg_roles',
    ['rolname,rolsuper,rolcanlogin,rolpassword', 'postgres,t,t,*', 'readers,f,f,*'],
    ['postgres |  | USER | ENABLED | resource | App | Superuser', 'readers |  | SYSTEM_ACCOUNT | DISABLED | resource | App | Role'],
  ],
  [
    'MySQL SCHEMA_PRIVILEGES',
    ['GRANTEE,TABLE_CATALOG,TABLE_SCHEMA,PRIVILEGE_TYPE,IS_GRANTABLE', "'ann'@'%',def,sales,SELECT,NO", "'ann'@'%',def,hr,SELECT,NO"],
    ["'ann'@'%' |  | USER | ENABLED | schema | sales | SELECT", "'ann'@'%' |  | USER | ENABLED | schema | hr | SELECT"],
  ],
  [
    'MySQL COLUMN_PRIVILEGES',
    ['GRANTEE,TABLE_CATALOG,TABLE_SCHEMA,TABLE_NAME,COLUMN_NAME,PRIVILEGE_TYPE', "'ann'@'%',def,sales,orders,price,SELECT"],
    ["'ann'@'%' |  | USER | ENABLED | table | def sales orders price | SELECT"],
  ],
  [
    'Snowflake SHOW USERS',
    ['name,login_name,display_name,email,disabled,default_role', 'ANN,ANN.S,Ann Sample,ann@example.com,true,ANALYST'],
    ['ANN | ann@example.com | USER | DISABLED | resource | App | User'],
  ],
  [
    'Snowflake grants that ended, which are no grants',
    ['CREATED_ON,DELETED_ON,ROLE,GRANTED_TO,GRANTEE_NAME', '2024-01-01,,ANALYST,USER,ANN', '2024-01-01,2025-01-01,SYSADMIN,USER,BOB'],
    ['ANN |  | USER | ENABLED | role | App | ANALYST', 'line 3, DELETED_ON: refused'],
  ],
  [
    'SQL Server permissions, denied ones',
    ['grantee,object_name,permission_name,state_desc', 'ann,orders,SELECT,GRANT', 'bob,orders,SELECT,DENY'],
    ['ann |  | USER | ENABLED | resource | orders | SELECT', 'line 3, state_desc: refused'],
  ],
  [
    'Get-Acl, denied ones',
    [
      'Path,FileSystemRights,AccessControlType,IdentityReference',
      '"D:/HR","Modify, Synchronize",Allow,CORP/ann',
      '"D:/HR",Write,Deny,CORP/bob',
    ],
    ['CORP/ann |  | USER | ENABLED | folder | D:/HR | Modify, Synchronize', 'line 3, AccessControlType: refused'],
  ],
  [
    'Get-MailboxPermission, denied ones',
    [
      'Identity,User,AccessRights,IsInherited,Deny',
      'hr,ann@example.com,FullAccess,False,False',
      'hr,bob@example.com,FullAccess,False,True',
    ],
    ['ann@example.com |  | USER | ENABLED | mailbox | hr | FullAccess', 'line 3, Deny: refused'],
  ],
];

const people: typeof grants = [
  [
    'ADP',
    [
      'Associate ID,First Name,Last Name,Work Contact: Work Email,Position Status,Reports To Name,Reports To Associate ID',
      'A1,Ann,Sample,ann@example.com,Active,,',
      'A2,Bob,Sample,bob@example.com,Terminated,"Sample, Ann",A1',
    ],
    ['ann@example.com | Ann Sample | ACTIVE | A1 | ', 'bob@example.com | Bob Sample | TERMINATED | A2 | a1'],
  ],
  [
    'SuccessFactors',
    ['USERID,USERNAME,FIRSTNAME,LASTNAME,EMAIL,STATUS,MANAGER,EMPID', '1,ann,Ann,Sample,ann@example.com,active,NO_MANAGER,1'],
    ['ann@example.com | Ann Sample | ACTIVE | 1 | '],
  ],
  [
    'HiBob',
    [
      'Employee ID,Display name,Email,Reports to,Reports to email,Lifecycle status',
      '3,Cid Sample,cid@example.com,Ann,ann@example.com,Garden leave',
    ],
    ['cid@example.com | Cid Sample | ACTIVE | 3 | '],
  ],
  [
    'Active Directory, managers as names of the directory',
    ['SamAccountName,Name,mail,Manager,Enabled,EmployeeID', 'bob,Bob Sample,bob@example.com,"CN=Sample\\, Ann,OU=Staff,DC=example",True,2'],
    ['bob@example.com | Bob Sample | ACTIVE | 2 | ann sample'],
  ],
  [
    'Entra, by address rather than by the name to sign in with',
    ['userPrincipalName,displayName,mail,id,userType,accountEnabled', 'ann@corp.example.com,Ann Sample,ann@example.com,1111,Member,False'],
    ['ann@example.com | Ann Sample | TERMINATED | \\N | '],
  ],
];

describe('exports that are known', () => {
  it.each(grants)('%s', async (_, lines, rows) => {
    expect(await read('grants', lines, ofGrants)).toEqual(rows);
  });

  it.each(people)('people of %s', async (_, lines, rows) => {
    expect(await read('people', lines, ofPeople)).toEqual(rows);
  });

  it.each([
    [
      'Login,Role,Vault',
      ['ann,reader,HR', 'bob,reader,', 'cid,reader,Pay'],
      'the column "Vault" says where something is held, and is not used',
    ],
    ['User,Object Name,Permission,Owner', ['ann,pay,read,HR', 'bob,pay,read,SALES'], 'map resource to "Owner+Object Name"'],
    ['Login,Email,MemberOf', ['ann,ann@example.com,"CN=A,OU=X;CN=B,OU=X"', 'bob,,"CN=B,OU=X"'], 'map split to entitlement semicolon'],
    ['login,role,tfa_enabled,teams', ['ann,owner,true,core'], 'the column "teams" may say what is held, and is not used'],
  ])('refuses %s where something would be lost', async (header, rows, told) => {
    expect(await read('grants', [header, ...rows], ofGrants)).toEqual([expect.stringContaining(told)]);
  });

  it('are known with one column asked for otherwise, too', async () => {
    const slack = ['username,email,status,billing-active,userid,fullname', 'ann,ann@example.com,Workspace Owner,1,U1,Ann Sample'];
    expect(await read('grants', slack, ofGrants, { account: 'username' })).toEqual([
      'ann | ann@example.com | USER | ENABLED | resource | App | Workspace Owner',
    ]);
  });

  it('keep denied rows where somebody says that the column means something else', async () => {
    const lines = ['grantee,object_name,permission_name,state_desc', 'bob,orders,SELECT,DENY'];
    expect(await read('grants', lines, ofGrants, { ignore: 'state_desc' })).toEqual([
      'bob |  | USER | ENABLED | resource | orders | SELECT',
    ]);
  });
});
