/** Content of the exports beside this file, one grant or person a line: who has what, in which state, since when, last used, until when. */

/** Expected reading of a file, as far as it is looked at. */
interface ExpectedReading {
  readonly encoding: string;
  readonly separator: string;
  readonly headerLine: string;
  readonly preset: string;
  readonly dateOrder: string;
}

/** By file: account, address, type, status, what it holds, granted, last used, expires. */
export const expectedGrants: Readonly<Record<string, { readonly reading: ExpectedReading; readonly grants: readonly string[] }>> = {
  'atlassian-users.csv': {
    reading: { encoding: 'UTF-8', separator: 'comma', headerLine: '1', preset: 'atlassian-users', dateOrder: '' },
    grants: [
      '557058:0001 ann@example.com USER ENABLED resource/App atlassian-users.csv/Organization admin 2024-03-12T00:00:00Z 2026-08-14T00:00:00Z -',
      '557058:0002 bob@example.com USER DISABLED resource/App atlassian-users.csv/User 2024-03-13T00:00:00Z - -',
      '557058:0003 cid@example.com USER DISABLED resource/App atlassian-users.csv/User 2024-03-14T00:00:00Z - -',
    ],
  },
  'aws-credential-report.csv': {
    reading: { encoding: 'UTF-8', separator: 'comma', headerLine: '1', preset: 'aws-credential-report', dateOrder: '' },
    grants: [
      '<root_account>  SYSTEM_ACCOUNT ENABLED resource/App aws-credential-report.csv/IAM user 2020-01-01T00:00:00Z - -',
      'sample-ann  USER ENABLED resource/App aws-credential-report.csv/IAM user 2021-05-01T08:00:00Z 2026-08-15T01:00:00Z -',
      'sample-ci  USER ENABLED resource/App aws-credential-report.csv/IAM user 2022-05-01T08:00:00Z - -',
      'sample-left  USER DISABLED resource/App aws-credential-report.csv/IAM user 2022-06-01T08:00:00Z - -',
    ],
  },
  'entra-group-members.csv': {
    reading: { encoding: 'UTF-16LE', separator: 'comma', headerLine: '1', preset: 'entra-group-members', dateOrder: '' },
    grants: [
      'ann@example.com ann@example.com USER ENABLED resource/App entra-group-members.csv/Member - - -',
      '22222222-0000-0000-0000-000000000002  SERVICE_ACCOUNT ENABLED resource/App entra-group-members.csv/Member - - -',
    ],
  },
  'entra-users.csv': {
    reading: { encoding: 'UTF-8', separator: 'comma', headerLine: '1', preset: 'entra-users', dateOrder: 'MDY' },
    grants: [
      'ann@example.com ann@example.com USER ENABLED resource/App entra-users.csv/Member 2021-08-17T09:00:00Z - -',
      'bob@example.com bob@example.com USER DISABLED resource/App entra-users.csv/Member 2021-12-01T13:30:00Z - -',
      'guest_example.test#EXT#@example.com guest@example.test USER ENABLED resource/App entra-users.csv/Guest 2022-03-04T00:05:00Z - -',
    ],
  },
  'french-access.csv': {
    reading: { encoding: 'UTF-8', separator: 'semicolon', headerLine: '1', preset: '', dateOrder: 'DMY' },
    grants: [
      'asample ann@example.com USER ENABLED resource/App french-access.csv/Administrateur - 2026-08-17T10:00:00Z -',
      'bsample bob@example.com USER DISABLED resource/App french-access.csv/Lecteur - 2026-04-03T09:00:00Z -',
    ],
  },
  'german-report.csv': {
    reading: { encoding: 'windows-1252', separator: 'semicolon', headerLine: '4', preset: '', dateOrder: '' },
    grants: [
      'asample ann@example.com USER ENABLED resource/App german-report.csv/Einkäufer 2024-02-01T00:00:00Z 2026-08-16T07:55:00Z -',
      'bsample bob@example.com USER DISABLED resource/App german-report.csv/Einkäufer 2024-03-01T00:00:00Z - -',
      'asample ann@example.com USER ENABLED resource/App german-report.csv/Prüfer 2024-02-02T00:00:00Z 2026-08-16T07:55:00Z -',
    ],
  },
  'github-users.csv': {
    reading: { encoding: 'UTF-8', separator: 'comma', headerLine: '1', preset: 'github-users', dateOrder: '' },
    grants: [
      'sample-ann ann@example.com USER ENABLED resource/App github-users.csv/admin 2024-02-01T17:00:00Z 2026-08-01T17:00:00Z -',
      'sample-bob bob@example.com USER DISABLED resource/App github-users.csv/user 2024-03-01T17:00:00Z - -',
      'sample-bot  USER ENABLED resource/App github-users.csv/user 2024-04-01T16:00:00Z 2026-07-31T06:30:00Z -',
    ],
  },
  'gitlab-members.csv': {
    reading: { encoding: 'UTF-8', separator: 'comma', headerLine: '1', preset: 'gitlab-members', dateOrder: '' },
    grants: [
      'ann ann@example.com USER ENABLED Group/sample/Owner 2024-12-05T03:32:11Z 2026-08-01T00:00:00Z -',
      'bob bob@example.com USER ENABLED Group/sample/sub/Developer 2024-12-06T03:32:11Z - 2027-01-31T00:00:00Z',
    ],
  },
  'google-workspace-users.csv': {
    reading: { encoding: 'UTF-8', separator: 'comma', headerLine: '1', preset: 'google-users', dateOrder: '' },
    grants: [
      'ann@example.com ann@example.com USER ENABLED resource/App google-workspace-users.csv/User - 2026-08-10T08:00:00Z -',
      'bob@example.com bob@example.com USER DISABLED resource/App google-workspace-users.csv/User - - -',
      'cid@example.com cid@example.com USER DISABLED resource/App google-workspace-users.csv/User - 2025-01-05T23:59:59Z -',
    ],
  },
  'jira-groups.csv': {
    reading: { encoding: 'UTF-8', separator: 'comma', headerLine: '1', preset: 'jira-groups', dateOrder: '' },
    grants: [
      'asample ann@example.com USER ENABLED group/jira-admins/member - 2025-12-14T15:31:57Z -',
      'asample ann@example.com USER ENABLED group/jira-users/member - 2025-12-14T15:31:57Z -',
      'bsample bob@example.com USER DISABLED group/jira-users/member - - -',
    ],
  },
  'okta-users.csv': {
    reading: { encoding: 'UTF-8', separator: 'comma', headerLine: '1', preset: 'okta-users', dateOrder: '' },
    grants: [
      'ann@example.com ann@example.com USER ENABLED resource/App okta-users.csv/User 2024-01-02T03:05:00Z 2026-08-10T08:00:00Z -',
      'bob@example.com bob@example.com USER DISABLED resource/App okta-users.csv/User 2024-01-02T03:05:00Z - -',
      'cid@example.com cid@example.com USER DISABLED resource/App okta-users.csv/User - - -',
      'dee@example.com dee@example.com USER DISABLED resource/App okta-users.csv/User - - -',
      'eve@example.com eve@example.com USER DISABLED resource/App okta-users.csv/User 2024-01-03T00:00:00Z - -',
      'fay@example.com fay@example.com USER ENABLED resource/App okta-users.csv/User 2024-01-03T00:00:00Z - -',
    ],
  },
  'salesforce-permission-sets.csv': {
    reading: { encoding: 'UTF-8', separator: 'comma', headerLine: '1', preset: 'salesforce-permission-set-assignments', dateOrder: '' },
    grants: [
      'ann@example.com.sales ann@example.com USER ENABLED resource/App salesforce-permission-sets.csv/Export Reports 2024-05-01T10:00:00Z - -',
      'bob@example.com.sales bob@example.com USER DISABLED resource/App salesforce-permission-sets.csv/Export Reports 2024-05-02T10:00:00Z - 2027-01-01T00:00:00Z',
    ],
  },
  'salesforce-users.csv': {
    reading: { encoding: 'UTF-8', separator: 'comma', headerLine: '1', preset: 'salesforce-user-list', dateOrder: 'MDY' },
    grants: [
      'ann@example.com.sales ann@example.com USER ENABLED resource/App salesforce-users.csv/System Administrator - 2026-08-14T17:05:00Z -',
      'bob@example.com.sales bob@example.com USER DISABLED resource/App salesforce-users.csv/Standard User - - -',
    ],
  },
  'sap-agr-users.csv': {
    reading: { encoding: 'UTF-8', separator: 'bar', headerLine: '1', preset: 'sap-role-assignments', dateOrder: '' },
    grants: [
      'ASAMPLE  USER ENABLED role/App sap-agr-users.csv/Z_FI_CLERK 2024-02-01T00:00:00Z - -',
      'BSAMPLE  USER ENABLED role/App sap-agr-users.csv/Z_FI_CLERK 2024-03-15T00:00:00Z - 2026-12-31T00:00:00Z',
    ],
  },
  'sap-usr02.csv': {
    reading: { encoding: 'UTF-8', separator: 'semicolon', headerLine: '1', preset: 'sap-users', dateOrder: '' },
    grants: [
      'ASAMPLE  USER ENABLED resource/App sap-usr02.csv/SALES - 2026-08-17T00:00:00Z -',
      'BSAMPLE  USER DISABLED resource/App sap-usr02.csv/User - 2025-12-01T00:00:00Z -',
      'RFC_SAMPLE  SERVICE_ACCOUNT ENABLED resource/App sap-usr02.csv/User - - -',
    ],
  },
  'servicenow-roles.csv': {
    reading: { encoding: 'windows-1252', separator: 'comma', headerLine: '1', preset: 'servicenow-user-roles', dateOrder: '' },
    grants: [
      'ann.sample ann@example.com USER ENABLED resource/App servicenow-roles.csv/itil 2024-05-01T10:00:00Z - -',
      'bob.sample bob@example.com USER DISABLED resource/App servicenow-roles.csv/admin 2024-05-02T10:00:00Z - -',
      'cid.sample cid@example.com USER DISABLED resource/App servicenow-roles.csv/admin 2024-05-02T10:00:00Z - -',
    ],
  },
  'slack-members.csv': {
    reading: { encoding: 'UTF-8', separator: 'comma', headerLine: '1', preset: 'slack-members', dateOrder: '' },
    grants: [
      'U0SAMPLE1 ann@example.com USER ENABLED resource/App slack-members.csv/Primary Owner - - -',
      'U0SAMPLE2 bob@example.com USER DISABLED resource/App slack-members.csv/Deactivated - - -',
      'U0SAMPLE3 guest@example.test USER ENABLED resource/App slack-members.csv/Single-Channel Guest - - 2027-01-01T00:00:00Z',
      'U0SAMPLE4  SERVICE_ACCOUNT ENABLED resource/App slack-members.csv/Bot - - -',
    ],
  },
  'spanish-access.csv': {
    reading: { encoding: 'UTF-8', separator: 'comma', headerLine: '1', preset: '', dateOrder: '' },
    grants: [
      'asample ann@example.com USER ENABLED resource/App spanish-access.csv/Administrador - 2026-08-17T00:00:00Z -',
      'bsample bob@example.com USER DISABLED resource/App spanish-access.csv/Lector - - -',
    ],
  },
  'zendesk-team.csv': {
    reading: { encoding: 'UTF-8', separator: 'comma', headerLine: '1', preset: 'zendesk-agents', dateOrder: '' },
    grants: [
      '9001 ann@example.com USER ENABLED resource/App zendesk-team.csv/Administrator - 2026-08-01T10:00:00Z -',
      '9002 bob@example.com USER DISABLED resource/App zendesk-team.csv/Agent - - -',
    ],
  },
  'azure-role-assignments.csv': {
    reading: { encoding: 'UTF-8', separator: 'comma', headerLine: '1', preset: 'azure-role-assignments', dateOrder: '' },
    grants: [
      'ann@example.com ann@example.com USER ENABLED scope//subscriptions/5u8/Owner - - -',
      'ann@example.com ann@example.com USER ENABLED scope//subscriptions/5u8/resourceGroups/rg-web/Contributor - - -',
      '0b000000-0000-0000-0000-000000000002  SERVICE_ACCOUNT ENABLED scope//subscriptions/5u8/Contributor - - -',
      '0b000000-0000-0000-0000-000000000003  SYSTEM_ACCOUNT ENABLED scope//subscriptions/5u8/Reader - - -',
    ],
  },
  'google-cloud-bindings.csv': {
    reading: { encoding: 'UTF-8', separator: 'comma', headerLine: '1', preset: 'google-cloud-bindings', dateOrder: '' },
    grants: [
      'user:ann@example.com ann@example.com USER ENABLED resource/App google-cloud-bindings.csv/roles/owner - - -',
      'serviceAccount:deploy@sample.iam.gserviceaccount.com serviceaccount:deploy@sample.iam.gserviceaccount.com SERVICE_ACCOUNT ENABLED resource/App google-cloud-bindings.csv/roles/editor - - -',
      'group:readers@example.com group:readers@example.com SYSTEM_ACCOUNT ENABLED resource/App google-cloud-bindings.csv/roles/viewer - - -',
    ],
  },
  'snowflake-roles.csv': {
    reading: { encoding: 'UTF-8', separator: 'comma', headerLine: '1', preset: 'snowflake-role-grants', dateOrder: '' },
    grants: [
      'ANN  USER ENABLED role/App snowflake-roles.csv/ANALYST 2024-05-01T17:00:00Z - -',
      'ETL  USER ENABLED role/App snowflake-roles.csv/LOADER 2024-05-02T17:00:00Z - -',
    ],
  },
  'oracle-roles.csv': {
    reading: { encoding: 'UTF-8', separator: 'comma', headerLine: '1', preset: 'oracle-role-grants', dateOrder: '' },
    grants: [
      'ANN  USER ENABLED role/App oracle-roles.csv/CONNECT - - -',
      'ANN  USER ENABLED role/App oracle-roles.csv/DBA - - -',
      'BATCH  USER ENABLED role/App oracle-roles.csv/RESOURCE - - -',
    ],
  },
  'postgres-table-grants.csv': {
    reading: { encoding: 'UTF-8', separator: 'comma', headerLine: '1', preset: 'sql-table-grants', dateOrder: '' },
    grants: [
      'ann  USER ENABLED table/shop public orders/SELECT - - -',
      'ann  USER ENABLED table/shop audit orders/SELECT - - -',
      'bob  USER ENABLED table/shop public orders/UPDATE - - -',
    ],
  },
  'postgres-roles.csv': {
    reading: { encoding: 'UTF-8', separator: 'comma', headerLine: '1', preset: '', dateOrder: '' },
    grants: [
      'ann  USER ENABLED resource/App postgres-roles.csv/reporting - - -',
      'ann  USER ENABLED resource/App postgres-roles.csv/app_admin - - -',
      'bob  USER ENABLED resource/App postgres-roles.csv/reporting - - -',
    ],
  },
  'sqlserver-role-members.csv': {
    reading: { encoding: 'UTF-8', separator: 'comma', headerLine: '1', preset: '', dateOrder: '' },
    grants: [
      'CORP\\ann  USER ENABLED resource/Sales/db_owner - - -',
      'CORP\\ann  USER ENABLED resource/HR/db_owner - - -',
      'CORP\\Sample Readers  SYSTEM_ACCOUNT ENABLED resource/HR/db_datareader - - -',
      'report  USER ENABLED resource/HR/db_datareader - - -',
    ],
  },
  'ad-group-members.csv': {
    reading: { encoding: 'UTF-8', separator: 'comma', headerLine: '2', preset: 'ad-group-members', dateOrder: '' },
    grants: [
      'asample  USER ENABLED group/Finance/member - - -',
      'asample  USER ENABLED group/VPN Users/member - - -',
      'Nested  SYSTEM_ACCOUNT ENABLED group/Finance/member - - -',
    ],
  },
  'google-group-members.csv': {
    reading: { encoding: 'UTF-8', separator: 'comma', headerLine: '1', preset: 'google-group-members', dateOrder: '' },
    grants: [
      'ann@example.com ann@example.com USER ENABLED group/finance@example.com/OWNER - - -',
      'bob@example.com bob@example.com USER DISABLED group/finance@example.com/MEMBER - - -',
      'readers@example.com readers@example.com SYSTEM_ACCOUNT ENABLED group/finance@example.com/MEMBER - - -',
      'ann@example.com ann@example.com USER ENABLED group/readers@example.com/MEMBER - - -',
      'guest@example.test guest@example.test USER ENABLED group/readers@example.com/MANAGER - - -',
      'C00sample  SYSTEM_ACCOUNT ENABLED group/all@example.com/MEMBER - - -',
    ],
  },
  'entra-role-assignments.csv': {
    reading: { encoding: 'UTF-8', separator: 'comma', headerLine: '1', preset: 'entra-role-assignments', dateOrder: '' },
    grants: [
      'ann@example.com ann@example.com USER ENABLED role/Global Administrator/Active 2024-03-01T08:00:00Z - -',
      'ann@example.com ann@example.com USER ENABLED role/User Administrator/Eligible 2024-03-01T08:00:00Z - 2027-03-01T08:00:00Z',
      'ann@example.com ann@example.com USER ENABLED role/User Administrator/Active 2026-11-01T09:00:00Z - 2026-11-01T17:00:00Z',
      '0e000000-0000-0000-0000-000000000001  USER ENABLED role/Directory Readers/Active - - -',
      'Helpdesk  USER ENABLED role/Password Administrator/Eligible 2024-04-01T08:00:00Z - -',
    ],
  },
  'entra-memberships.csv': {
    reading: { encoding: 'UTF-8', separator: 'comma', headerLine: '1', preset: '', dateOrder: '' },
    grants: [
      'ann@example.com ann@example.com USER ENABLED resource/App entra-memberships.csv/Finance - - -',
      'ann@example.com ann@example.com USER ENABLED resource/App entra-memberships.csv/VPN Users - - -',
      'bob@example.com bob@example.com USER DISABLED resource/App entra-memberships.csv/Finance - - -',
    ],
  },
  'workday-security-groups.csv': {
    reading: { encoding: 'UTF-8', separator: 'comma', headerLine: '1', preset: '', dateOrder: '' },
    grants: [
      'asample  USER ENABLED resource/App workday-security-groups.csv/HR Partner - - -',
      'bsample  USER DISABLED resource/App workday-security-groups.csv/Payroll Administrator - - -',
    ],
  },
  'salesforce-report.csv': {
    reading: { encoding: 'UTF-8', separator: 'comma', headerLine: '1', preset: 'salesforce-user-list', dateOrder: 'MDY' },
    grants: [
      'ann@example.com.crm ann@example.com USER ENABLED resource/App salesforce-report.csv/System Administrator - 2026-08-14T17:05:00Z -',
      'bob@example.com.crm bob@example.com USER DISABLED resource/App salesforce-report.csv/Standard User - - -',
    ],
  },
};

/** By file: number, address, name, status, title, department, manager. */
export const expectedPeople: Readonly<Record<string, { readonly reading: ExpectedReading; readonly people: readonly string[] }>> = {
  'workday-people.csv': {
    reading: { encoding: 'UTF-8', separator: 'comma', headerLine: '4', preset: '', dateOrder: '' },
    people: [
      '1001 | ann@example.com | Ann Sample | ENABLED | Chief Clerk | Sales | <- -',
      '1002 | bob@example.com | Bob Sample | ENABLED | Clerk | Sales | <- Ann Sample',
      '1003 | cid@example.com | Cid Sample | DISABLED | Clerk | Sales | <- Ann Sample',
    ],
  },
  'successfactors-people.csv': {
    reading: { encoding: 'UTF-8', separator: 'comma', headerLine: '1', preset: 'successfactors-people', dateOrder: '' },
    people: [
      '101 | ann@example.com | Ann Sample | ENABLED | Head of Sales | Sales | <- -',
      '102 | bob@example.com | Bob Sample | ENABLED | Clerk | Sales | <- Ann Sample',
      '103 | cid@example.com | Cid Sample | DISABLED | Clerk | Sales | <- Ann Sample',
    ],
  },
  'bamboohr-people.csv': {
    reading: { encoding: 'UTF-8', separator: 'comma', headerLine: '1', preset: '', dateOrder: '' },
    people: [
      '1 | ann@example.com | Ann Sample | ENABLED | Chief Clerk | Sales | <- -',
      '2 | bob@example.com | Bob Sample | ENABLED | Clerk | Sales | <- Ann Sample',
      '3 | cid@example.com | Cid Sample | DISABLED | Clerk | Sales | <- Ann Sample',
    ],
  },
  'personio-people.csv': {
    reading: { encoding: 'windows-1252', separator: 'semicolon', headerLine: '1', preset: '', dateOrder: '' },
    people: [
      'P1 | ann@example.com | Änne Müller | ENABLED | Leitung | Vertrieb | <- -',
      'P2 | bob@example.com | Bob Größe | ENABLED | Einkauf | Vertrieb | <- Änne Müller',
      'P3 | cid@example.com | Cid Sample | DISABLED | Einkauf | Vertrieb | <- Änne Müller',
    ],
  },
  'no-mail-people.csv': {
    reading: { encoding: 'UTF-8', separator: 'comma', headerLine: '1', preset: '', dateOrder: '' },
    people: [
      '5001 | ann@example.com | Ann Sample | ENABLED | - | - | <- -',
      '5002 | - | Bob Sample | ENABLED | - | - | <- Ann Sample',
      '5003 | - | Cid Sample | DISABLED | - | - | <- Bob Sample',
    ],
  },
  'okta-people.csv': {
    reading: { encoding: 'UTF-8', separator: 'comma', headerLine: '1', preset: '', dateOrder: '' },
    people: [
      '1001 | ann@example.com | Ann Sample | ENABLED | Head | Finance | <- -',
      '1002 | bob@example.com | Bob Sample | DISABLED | Clerk | Finance | <- Ann Sample',
      '1003 | cid@example.com | Cid Sample | DISABLED | Clerk | Finance | <- Ann Sample',
      '1004 | dee@example.com | Dee Sample | ENABLED | Clerk | Finance | <- Ann Sample',
    ],
  },
  'german-people.csv': {
    reading: { encoding: 'UTF-8', separator: 'semicolon', headerLine: '1', preset: '', dateOrder: '' },
    people: [
      '1001 | anna@example.com | Anna Müller | ENABLED | - | Finanzen | <- -',
      '1002 | anna2@example.com | Anna Müller | ENABLED | - | Finanzen | <- Anna Müller',
      '1003 | bert@example.com | Bert Klein | DISABLED | - | Finanzen | <- Anna Müller',
    ],
  },
};
