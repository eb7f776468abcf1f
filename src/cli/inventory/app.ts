/** `countersign app list` and `app owner ...`: the apps of the inventory and their owners, through the API. */
import { AppService } from '../../gen/c1/api/app/v1/app_service_pb.js';
import type { Commands } from '../frame/commands.ts';
import { addOwnerCommands } from './owner.ts';

/** Adds `app list` and the commands about owners of apps. */
export function addAppCommands(group: Commands): void {
  group.list('list', {
    description: 'list apps with their number of accounts',
    options: { '--query <text>': 'only those whose name, description or id contains this' },
    method: AppService.method.list,
    search: AppService.method.search,
    columns: {
      ID: 'id',
      ACCOUNTS: 'userCount',
      KEPT: ({ isManuallyManaged }) => (isManuallyManaged === true ? 'manual' : 'by files'),
      NAME: 'displayName',
    },
  });
  addOwnerCommands(group, 'app');
}

/** Adds the commands about owners of entitlements. */
export function addEntitlementCommands(group: Commands): void {
  addOwnerCommands(group, 'entitlement');
}
