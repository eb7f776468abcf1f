/** Apps and what belongs to them, for clients: rows of the contract's messages. */
import {
  type App,
  type AppResource,
  AppResourceSchema,
  type AppResourceTypeView,
  type AppResourceView,
  AppSchema,
  type AppUser,
  type AppUserView,
} from '../../../gen/c1/api/app/v1/app_pb.js';
import type { User } from '../../../gen/c1/api/user/v1/user_pb.js';
import { keptRow, type Row, unset } from '../../../wire/row.ts';
import { asSeen, seesAccountWhole, seesAppWhole, type Sight } from '../../../foundation/authority/index.ts';
import type { AccountRow } from './store-accounts.ts';
import type { AppRow } from './store-apps.ts';
import type { ResourceRow, ResourceTypeRow } from './store-resources.ts';

/** Path of an expanded object, '' where it is not; see wire/expand.ts. */
export type PathOf = (path: string, id: string) => string;

/** For replies in which nothing is expanded. */
export const noPath: PathOf = () => '';

/** An app as c1.api.app.v1.App, as far as it is seen; `owners` are its owners, shaped. */
export function shapeApp(sight: Sight, row: AppRow, owners: readonly Row<User>[]): Row<App> {
  const content = keptRow(AppSchema, row.document);
  const whole: Row<App> = {
    ...content,
    ...(content.appUserMapper && { appUserMapper: shapeMapper(row.id, content.appUserMapper) }),
    ...row,
    appOwners: owners,
    logoUri: content.iconUrl,
    // The account (of a cloud, say) that an app stands for and the app above it are reported by sources alone, and none reports them.
    ...unset('appAccountId', 'appAccountName', 'parentAppId', 'fieldMask'),
  };
  return asSeen('app', seesAppWhole(sight, row.id), whole);
}

function shapeMapper(appId: string, mapper: NonNullable<Row<App>['appUserMapper']>): NonNullable<Row<App>['appUserMapper']> {
  return { appId, mappingCases: (mapper.mappingCases ?? []).map((one, caseIndex) => ({ ...one, appId, caseIndex })) };
}

/** A resource type with the place of its app. */
export function shapeResourceTypeView(row: ResourceTypeRow, pathOf: PathOf): Row<AppResourceTypeView> {
  return { appResourceType: row, appPath: pathOf('app_id', row.appId) };
}

/** A resource as c1.api.app.v1.AppResource, as far as it is seen. */
export function shapeResource(sight: Sight, row: ResourceRow): Row<AppResource> {
  const whole: Row<AppResource> = {
    ...keptRow(AppResourceSchema, row.document),
    ...row,
    appResourceTypeId: row.resourceTypeId,
    parentAppResourceId: row.parentId,
    parentAppResourceTypeId: row.parentTypeId,
    ...unset('nhiDetail', 'nhiType', 'profile'),
  };
  return asSeen('resource', seesAppWhole(sight, row.appId), whole);
}

/** A resource with the places of its app, its type and the one above it; `mayWrite` says whether the caller may change the inventory. */
export function shapeResourceView(sight: Sight, row: ResourceRow, pathOf: PathOf, mayWrite: boolean): Row<AppResourceView> {
  return {
    appResource: shapeResource(sight, row),
    appPath: pathOf('app_id', row.appId),
    resourceTypePath: pathOf('app_resource_type_id', row.resourceTypeId),
    parentResourcePath: pathOf('parent_app_resource_id', row.parentId),
    parentResourceTypePath: pathOf('parent_app_resource_type_id', row.parentTypeId),
    objectPermissions: { read: true, edit: mayWrite, delete: mayWrite && row.isManual, extra: {} },
  };
}

/** An account as c1.api.app.v1.AppUser, as far as it is seen. */
export function shapeAccount(sight: Sight, row: AccountRow): Row<AppUser> {
  const whole: Row<AppUser> = {
    ...row,
    emails: row.email === '' ? [] : [row.email],
    // Many sources identify accounts by the name people sign in with, and say no other.
    username: row.username === '' ? row.externalId : row.username,
    usernames: [...new Set([row.username, row.externalId])].filter((name) => name !== ''),
    employeeIds: row.employeeId === '' ? [] : [row.employeeId],
    identityUserId: row.userId,
    appUserType: row.accountType,
    status: { status: row.status, ...unset('details') },
    // What the import put there came in as JSON.
    profile: row.profile,
    ...unset('agentStatus', 'nhiDetail', 'nhiType'),
  };
  return asSeen('account', seesAccountWhole(sight, row), whole);
}

/** An account with the places of its app and owner. */
export function shapeAccountView(sight: Sight, row: AccountRow, pathOf: PathOf): Row<AppUserView> {
  return {
    appUser: shapeAccount(sight, row),
    appPath: pathOf('app_id', row.appId),
    identityUserPath: pathOf('identity_user_id', row.userId ?? ''),
    lastUsagePath: '',
  };
}
