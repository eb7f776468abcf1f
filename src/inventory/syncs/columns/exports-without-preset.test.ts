/** Exports without a preset, and forms of those that have one: a few made-up rows each, read by the names of their columns alone. */
import { describe, expect, it } from 'vitest';
import { readLines } from '../../../../test/support/read-rows.ts';

/** Account, address, type, status, resource, what is held. */
const ofGrants = [1, 2, 3, 4, 6, 7];
/** Address, name, status, employee id, whom they report to. */
const ofPeople = [1, 3, 7, 9, 12];

const grants: readonly (readonly [name: string, lines: readonly string[], rows: readonly string[]])[] = [
  [
    'Okta, members of groups with how they came to be members',
    [
      'User ID,Login,First Name,Last Name,Status,Group Name,Group ID,Membership Type',
      '00u1,ann@example.com,Ann,Sample,ACTIVE,Finance,00g1,Manual',
      '00u2,bob@example.com,Bob,Sample,SUSPENDED,Finance,00g1,Rule',
    ],
    [
      'ann@example.com | ann@example.com | USER | ENABLED | App | Finance',
      'bob@example.com | bob@example.com | USER | DISABLED | App | Finance',
    ],
  ],
  [
    'Entra, members of groups with the columns of users',
    [
      'groupDisplayName,groupId,userPrincipalName,displayName,userType,accountEnabled',
      'Finance,11,ann@example.com,Ann Sample,Member,False',
    ],
    ['ann@example.com | ann@example.com | USER | DISABLED | App | Finance'],
  ],
  [
    'Entra, members by name and address',
    ['GroupName,GroupType,MemberName,MemberEmail,MemberType', 'Finance,Security,Ann Sample,ann@example.com,User'],
    ['ann@example.com | ann@example.com | USER | ENABLED | App | Finance'],
  ],
  [
    'Entra, roles of apps',
    ['AppDisplayName,AppRoleDisplayName,PrincipalDisplayName,PrincipalType,PrincipalId', 'Payroll,Reader,Ann Sample,User,aaaa-1'],
    ['aaaa-1 |  | USER | ENABLED | Payroll | Reader'],
  ],
  [
    'Active Directory, members of groups by a script',
    ['GroupName,MemberName,MemberSamAccountName,MemberType', 'Domain Admins,Ann Sample,asample,user', 'Domain Admins,Ops,ops,group'],
    ['asample |  | USER | ENABLED | App | Domain Admins', 'ops |  | SYSTEM_ACCOUNT | ENABLED | App | Domain Admins'],
  ],
  [
    'Google groups from the admin console',
    [
      'Group Email [Required],Member Email,Member Type,Member Role',
      'fin@example.com,ann@example.com,USER,MEMBER',
      'fin@example.com,ops@example.com,GROUP,OWNER',
    ],
    [
      'ann@example.com | ann@example.com | USER | ENABLED | fin@example.com | MEMBER',
      'ops@example.com | ops@example.com | SYSTEM_ACCOUNT | ENABLED | fin@example.com | OWNER',
    ],
  ],
  [
    'Google Cloud, members of projects',
    ['project,role,member', 'p1,roles/owner,user:ann@example.com', 'p2,roles/owner,serviceAccount:ci@p2.example'],
    [
      'user:ann@example.com | ann@example.com | USER | ENABLED | p1 | roles/owner',
      'serviceAccount:ci@p2.example | serviceaccount:ci@p2.example | SERVICE_ACCOUNT | ENABLED | p2 | roles/owner',
    ],
  ],
  [
    'AWS, policies of users',
    ['UserName,PolicyName,AttachedVia', 'ann,AdministratorAccess,Group: Admins'],
    ['ann |  | USER | ENABLED | App | AdministratorAccess'],
  ],
  [
    'Azure, roles without ids',
    ['SignInName,RoleDefinitionName,Scope', 'ann@example.com,Owner,/subscriptions/1'],
    ['ann@example.com | ann@example.com | USER | ENABLED | /subscriptions/1 | Owner'],
  ],
  [
    'Databricks',
    ['grantee_name,privilege,securable_type,securable_full_name', 'ann,SELECT,TABLE,main.hr.pay'],
    ['ann |  | USER | ENABLED | main.hr.pay | SELECT'],
  ],
  ['PostgreSQL, roles of users', ['rolname,usename', 'payroll,ann'], ['ann |  | USER | ENABLED | App | payroll']],
  [
    'MySQL, roles',
    ['FROM_HOST,FROM_USER,TO_HOST,TO_USER,WITH_ADMIN_OPTION', '%,app_read,%,ann,N'],
    ['ann % |  | USER | ENABLED | App | app_read'],
  ],
  [
    'SQL Server, members of roles',
    ['DatabaseName,RoleName,MemberName,MemberType', 'HR,db_owner,ann,WINDOWS_USER', 'Pay,db_owner,ops,WINDOWS_GROUP'],
    ['ann |  | USER | ENABLED | HR | db_owner', 'ops |  | SYSTEM_ACCOUNT | ENABLED | Pay | db_owner'],
  ],
  [
    'SQL Server, permissions',
    ['name,type_desc,permission_name,state_desc,class_desc', 'ann,SQL_USER,CONNECT,GRANT,DATABASE'],
    ['ann |  | USER | ENABLED | DATABASE | CONNECT'],
  ],
  [
    'SAP, roles in German',
    ['Benutzer;Rolle;Startdatum;Enddatum', 'ASAMPLE;Z_FI;01.01.2024;31.12.9999'],
    ['ASAMPLE |  | USER | ENABLED | App | Z_FI'],
  ],
  [
    'PeopleSoft, with locked accounts',
    ['OPRID,OPRDEFNDESC,ROLENAME,ACCTLOCK,EMPLID', 'ASAMPLE,Ann Sample,Payroll,0,1001', 'BSAMPLE,Bob Sample,Payroll,1,1002'],
    ['ASAMPLE |  | USER | ENABLED | App | Payroll', 'BSAMPLE |  | USER | DISABLED | App | Payroll'],
  ],
  [
    'Workday, groups with roles in them',
    ['Security Group,Role,Workday Account', 'Payroll,Partner,asample'],
    ['asample |  | USER | ENABLED | Payroll | Partner'],
  ],
  [
    'a workspace',
    ['Workspace,User,Email,Access Right', 'HR,Ann Sample,ann@example.com,Admin'],
    ['ann@example.com | ann@example.com | USER | ENABLED | HR | Admin'],
  ],
  [
    'doors',
    ['Badge Number,Cardholder,Access Level,Status', '1234,Ann Sample,Data Center,Active'],
    ['1234 |  | USER | ENABLED | App | Data Center'],
  ],
  [
    'two people of one name',
    ['User,Username,Role', 'Ann Sample,asample,Clerk', 'Ann Sample,asample2,Boss'],
    ['asample |  | USER | ENABLED | App | Clerk', 'asample2 |  | USER | ENABLED | App | Boss'],
  ],
];

const people: typeof grants = [
  [
    'DATEV, with those who left',
    [
      'Personal-Nr.;Name;Vorname;Austrittsdatum;Abteilung;E-Mail',
      '1;Sample;Ann;;HR;ann@example.com',
      '2;Sample;Bob;31.03.2020;HR;bob@example.com',
    ],
    ['ann@example.com | Ann Sample | ACTIVE | 1 | ', 'bob@example.com | Bob Sample | TERMINATED | 2 | '],
  ],
  [
    'people in French',
    ['N° matricule;Nom de famille;Prénom;E-mail professionnel;N+1;Date de sortie', '1;Sample;Ann;ann@example.com;Bob Sample;'],
    ['ann@example.com | Ann Sample | ACTIVE | 1 | bob sample'],
  ],
  [
    'people with a status, who were employed before',
    ['Employee ID,Name,Work Email,Status,Termination Date', '1,Ann Sample,ann@example.com,Active,2020-01-31'],
    ['ann@example.com | Ann Sample | ACTIVE | 1 | '],
  ],
];

describe('exports known by the names of their columns', () => {
  it.each(grants)('%s', async (_, lines, rows) => {
    expect((await readLines('grants', lines, ofGrants)).map((row) => row.replaceAll('\\\\', '\\'))).toEqual(rows);
  });

  it.each(people)('%s', async (_, lines, rows) => {
    expect(await readLines('people', lines, ofPeople)).toEqual(rows);
  });

  it.each([
    ['Mandant;Rolle;Benutzer', ['100;Z_FI;ASAMPLE', '200;Z_FI;BSAMPLE'], 'the column "Mandant" says where something is held'],
    [
      'username,email,groups',
      ['ann,ann@example.com,"VPN,Staff"'],
      'a cell of "groups" seems to hold several values: map split to entitlement',
    ],
    ['User,Username,Application', ['Ann Sample,ann,CRM'], 'the header lacks entitlement; found: User, Username, Application'],
  ])('%s is refused rather than guessed', async (header, rows, told) => {
    expect(await readLines('grants', [header, ...rows], ofGrants)).toEqual([expect.stringContaining(told)]);
  });

  it('are guessed as before where one column is given', async () => {
    expect(
      await readLines('grants', ['userName,groupOfUser,mail', 'tom,Pay,tom@example.com'], ofGrants, { entitlement: 'groupOfUser' }),
    ).toEqual(['tom | tom@example.com | USER | ENABLED | App | Pay']);
    expect(
      await readLines(
        'people',
        ['Employee ID,Work Email,First name,Last name,Boss of', '1,ann@example.com,Ann,Sample,bob@example.com'],
        [1, 3, 5],
        {
          manager_email: 'Boss of',
        },
      ),
    ).toEqual(['ann@example.com | Ann Sample | ']);
  });

  it('have a column with the wanted name proposed whatever stands in it: rows without a value are refused by their lines', async () => {
    expect(await readLines('grants', ['account,email,entitlement', 'tom,,Pay', 'mia,,'], ofGrants)).toEqual([
      'tom |  | USER | ENABLED | App | Pay',
      'line 3, entitlement: refused',
    ]);
  });
});
