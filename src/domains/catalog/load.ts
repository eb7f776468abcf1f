/**
 * What the catalog offers to be expanded in other modules' replies, by id: apps, resource types, resources, entitlements, accounts.
 */
import type { JsonObject } from '@bufbuild/protobuf';
import type { UserJson } from '../../gen/c1/api/user/v1/user_pb.js';
import type { AppJson } from '../../gen/c1/api/app/v1/app_pb.js';
import type { Context } from '../../context.ts';
import type { Loader } from '../../wire/expand.ts';
import { listUsersByIds, shapeUser } from '../directory/index.ts';
import { listAccountsByIds } from './store-accounts.ts';
import { type AppRow, listAppsByIds } from './store-apps.ts';
import { listEntitlementsByIds } from './store-entitlements.ts';
import { listResourcesByIds, listResourceTypesByIds } from './store-resources.ts';
import { shapeAccount, shapeApp, shapeResource, shapeResourceType } from './view.ts';
import { shapeEntitlement } from './view-entitlements.ts';

/** Apps with their owners; one query for the owners of all of them. */
export async function shapeApps(context: Context, rows: readonly AppRow[]): Promise<AppJson[]> {
  const users = await listUsersByIds(
    context,
    rows.flatMap((row) => row.ownerIds),
  );
  const ownersOf = (row: AppRow): UserJson[] =>
    row.ownerIds.flatMap((id) => {
      const user = users.get(id);
      return user === undefined ? [] : [shapeUser(user)];
    });
  return rows.map((row) => shapeApp(row, ownersOf(row)));
}

function loader<Row>(
  list: (context: Context, ids: readonly string[]) => Promise<Map<string, Row>>,
  shapeRow: (row: Row) => object,
): Loader {
  return async (context, ids) => new Map([...(await list(context, ids))].map(([id, row]) => [id, shapeRow(row) as JsonObject]));
}

/** Apps by id, for c1.api.app.v1.App; deleted ones too, since old reviews name them. */
export const appLoader: Loader = async (context, ids) => {
  const rows = [...(await listAppsByIds(context, ids)).values()];
  const apps = await shapeApps(context, rows);
  return new Map(apps.map((app) => [app.id ?? '', app as JsonObject]));
};

/** Resource types by id, for c1.api.app.v1.AppResourceType. */
export const resourceTypeLoader: Loader = loader(listResourceTypesByIds, shapeResourceType);

/** Resources by id, for c1.api.app.v1.AppResource. */
export const resourceLoader: Loader = loader(listResourcesByIds, shapeResource);

/** Entitlements by id, for c1.api.app.v1.AppEntitlement. */
export const entitlementLoader: Loader = loader(listEntitlementsByIds, shapeEntitlement);

/** Accounts by id, for c1.api.app.v1.AppUser. */
export const accountLoader: Loader = loader(listAccountsByIds, shapeAccount);
