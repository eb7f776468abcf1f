/** `countersign identity`: what is to be looked after of people, accounts and names, and whose records of people are, through the API. */
import { IdentityService } from '../../gen/countersign/v1/identity_pb.js';
import { SuspensionService } from '../../gen/countersign/v1/suspensions_pb.js';
import type { Commands } from '../frame/commands.ts';
import { findAppId } from '../frame/find.ts';
import { nameApps } from '../frame/list.ts';
import { addMergeCommands } from './identity-merge.ts';
import { addRecordCommands } from './identity-record.ts';

const options = { '--app <app>': { text: 'only accounts of this app: its name or id', field: 'appId', find: findAppId } } as const;

/** Adds the `identity` commands. */
export function addIdentityCommands(group: Commands): void {
  group.list('leavers', {
    description: 'people who left and still have enabled accounts',
    options,
    method: IdentityService.method.listLeaversWithAccounts,
    columns: {
      EMAIL: 'user.email',
      NAME: 'user.displayName',
      STATUS: ({ user }) => user?.status,
      EMPLOYMENT: ({ user }) => user?.employmentStatus,
      ACCOUNTS: 'accountCount',
    },
  });

  group.list('suspended', {
    description: 'people of whom roles, credentials or delegations are suspended since they left',
    options: { '--back': { text: 'only people who are enabled again', field: 'onlyEnabled' } },
    method: SuspensionService.method.listPeople,
    columns: {
      EMAIL: 'email',
      NAME: 'displayName',
      STATUS: 'status',
      ROLES: 'roles',
      CREDENTIALS: 'credentials',
      DELEGATIONS: 'delegations',
      SINCE: 'suspendedAt',
    },
  });

  group.list('unowned', {
    description: 'accounts without an owner',
    options,
    method: IdentityService.method.listUnownedAccounts,
    names: nameApps,
    columns: {
      APP: ({ appId }, nameApp) => nameApp(appId),
      ACCOUNT: 'username',
      EMAIL: 'email',
      TYPE: 'appUserType',
      STATUS: 'status.status',
    },
  });

  group.list('ambiguous', {
    description: 'unowned accounts that match several people',
    options,
    method: IdentityService.method.listAmbiguousAccounts,
    names: nameApps,
    columns: {
      APP: ({ appUser }, nameApp) => nameApp(appUser?.appId),
      ACCOUNT: 'appUser.username',
      MATCHES: 'matchCount',
      'AMONG THEM': ({ candidates = [] }) => candidates.map((one) => one.email || one.displayName || one.id).join(', '),
    },
  });

  group.list('look-alikes', {
    description: 'accounts, resources and entitlements of one app whose names look the same, and apps',
    options,
    method: IdentityService.method.listLookAlikes,
    columns: {
      APP: 'appDisplayName',
      KIND: 'kind',
      RESOURCE: 'resource',
      NAMES: ({ names = [] }) => names.join(', '),
      COUNT: 'count',
    },
  });

  group.list('no-manager', {
    description: 'enabled people without a manager who can be asked about them',
    method: IdentityService.method.listPeopleWithoutManager,
    columns: { EMAIL: 'email', NAME: 'displayName', DEPARTMENT: 'department' },
  });

  addRecordCommands(group);
  addMergeCommands(group);
}
