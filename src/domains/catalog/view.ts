/**
 * How apps and what belongs to them look outside: plain objects of the contract's JSON types.
 */
import {
  type AppJson,
  AppResourceSchema,
  type AppResourceJson,
  type AppResourceTypeJson,
  AppResourceTypeSchema,
  type AppResourceTypeViewJson,
  AppResourceTypeViewSchema,
  type AppResourceViewJson,
  AppResourceViewSchema,
  AppSchema,
  type AppUserJson,
  AppUserSchema,
  AppUserStatusSchema,
  type AppUserViewJson,
  AppUserViewSchema,
} from '../../gen/c1/api/app/v1/app_pb.js';
import { ActorObjectPermissionsSchema } from '../../gen/c1/api/iam/v1/iam_pb.js';
import type { UserJson } from '../../gen/c1/api/user/v1/user_pb.js';
import { shape, timestamp } from '../../wire/reply.ts';
import type { AccountRow } from './store-accounts.ts';
import type { AppRow } from './store-apps.ts';
import type { ResourceRow, ResourceTypeRow } from './store-resources.ts';

/** Where an expanded object is, '' where it is not; see wire/expand.ts. */
export type PathOf = (path: string, id: string) => string;

/** For replies in which nothing is expanded. */
export const noPath: PathOf = () => '';

/** An app as c1.api.app.v1.App; `owners` are its owners, shaped. */
export function shapeApp(row: AppRow, owners: readonly UserJson[]): AppJson {
  const content = row.document as AppJson;
  return shape(AppSchema, {
    ...content,
    ...(content.appUserMapper && { appUserMapper: shapeMapper(row.id, content.appUserMapper) }),
    id: row.id,
    displayName: row.displayName,
    certifyPolicyId: row.certifyPolicyId,
    appOwners: [...owners],
    userCount: String(row.userCount),
    isDirectory: row.isDirectory,
    // The account (of a cloud, say) that an app stands for and the app above it are reported by sources alone, and none reports them: ''.
    logoUri: content.iconUrl ?? '',
    createdAt: timestamp(row.createdAt),
    updatedAt: timestamp(row.updatedAt),
    deletedAt: timestamp(row.deletedAt),
  });
}

function shapeMapper(appId: string, mapper: NonNullable<AppJson['appUserMapper']>): NonNullable<AppJson['appUserMapper']> {
  return { appId, mappingCases: (mapper.mappingCases ?? []).map((one, caseIndex) => ({ ...one, appId, caseIndex })) };
}

/** A resource type as c1.api.app.v1.AppResourceType. */
export function shapeResourceType(row: ResourceTypeRow): AppResourceTypeJson {
  return shape(AppResourceTypeSchema, {
    id: row.id,
    appId: row.appId,
    displayName: row.displayName,
    traitIds: [...row.traitIds],
    createdAt: timestamp(row.createdAt),
    updatedAt: timestamp(row.updatedAt),
    deletedAt: timestamp(row.deletedAt),
  });
}

/** A resource type with the place of its app. */
export function shapeResourceTypeView(row: ResourceTypeRow, pathOf: PathOf): AppResourceTypeViewJson {
  return shape(AppResourceTypeViewSchema, { appResourceType: shapeResourceType(row), appPath: pathOf('app_id', row.appId) });
}

/** A resource as c1.api.app.v1.AppResource. */
export function shapeResource(row: ResourceRow): AppResourceJson {
  return shape(AppResourceSchema, {
    ...(row.document as AppResourceJson),
    id: row.id,
    appId: row.appId,
    appResourceTypeId: row.resourceTypeId,
    displayName: row.displayName,
    parentAppResourceId: row.parentId,
    parentAppResourceTypeId: row.parentTypeId,
    externalId: row.externalId,
    grantCount: String(row.grantCount),
    createdAt: timestamp(row.createdAt),
    updatedAt: timestamp(row.updatedAt),
    deletedAt: timestamp(row.deletedAt),
  });
}

/** A resource with the places of its app, its type and the one above it; `mayWrite` says whether the caller may change the inventory. */
export function shapeResourceView(row: ResourceRow, pathOf: PathOf, mayWrite: boolean): AppResourceViewJson {
  return shape(AppResourceViewSchema, {
    appResource: shapeResource(row),
    appPath: pathOf('app_id', row.appId),
    resourceTypePath: pathOf('app_resource_type_id', row.resourceTypeId),
    parentResourcePath: pathOf('parent_app_resource_id', row.parentId),
    parentResourceTypePath: pathOf('parent_app_resource_type_id', row.parentTypeId),
    objectPermissions: shape(ActorObjectPermissionsSchema, { read: true, edit: mayWrite, delete: mayWrite && row.isManual }),
  });
}

/** An account as c1.api.app.v1.AppUser. */
export function shapeAccount(row: AccountRow): AppUserJson {
  return shape(AppUserSchema, {
    id: row.id,
    appId: row.appId,
    displayName: row.displayName,
    email: row.email,
    emails: row.email === '' ? [] : [row.email],
    // Many sources identify accounts by the name people sign in with, and say no other.
    username: row.username === '' ? row.externalId : row.username,
    usernames: [...new Set([row.username, row.externalId])].filter((name) => name !== ''),
    employeeIds: row.employeeId === '' ? [] : [row.employeeId],
    isExternal: row.isExternal,
    identityUserId: row.userId ?? '',
    appUserType: `APP_USER_TYPE_${row.accountType}`,
    status: shape(AppUserStatusSchema, { status: `STATUS_${row.status}` }),
    // What the import put there came in as JSON.
    profile: row.profile as NonNullable<AppUserJson['profile']>,
    createdAt: timestamp(row.createdAt),
    updatedAt: timestamp(row.updatedAt),
    deletedAt: timestamp(row.deletedAt),
  });
}

/** An account with the places of its app and owner. */
export function shapeAccountView(row: AccountRow, pathOf: PathOf): AppUserViewJson {
  return shape(AppUserViewSchema, {
    appUser: shapeAccount(row),
    appPath: pathOf('app_id', row.appId),
    identityUserPath: pathOf('identity_user_id', row.userId ?? ''),
    lastUsagePath: '',
  });
}
