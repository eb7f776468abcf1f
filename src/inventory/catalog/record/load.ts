/** Catalog objects that other modules' replies expand, by id: apps, resource types, resources, entitlements, accounts. */
import type { Message } from '@bufbuild/protobuf';
import type { User } from '../../../gen/c1/api/user/v1/user_pb.js';
import type { App, AppEntitlement, AppResource, AppResourceType, AppUser } from '../../../gen/c1/api/app/v1/app_pb.js';
import type { Context } from '../../../context.ts';
import type { Loader } from '../../../wire/expand.ts';
import type { Row } from '../../../wire/row.ts';
import { listUsersByIds, shapeUser } from '../../../foundation/directory/index.ts';
import type { Sight } from '../../../foundation/authority/index.ts';
import { loadSight } from './sight.ts';
import { listAccountsByIds } from './store-accounts.ts';
import { type AppRow, listAppsByIds } from './store-apps.ts';
import { listEntitlementsByIds } from './store-entitlements.ts';
import { listResourcesByIds, listResourceTypesByIds } from './store-resources.ts';
import { shapeAccount, shapeApp, shapeResource } from './view.ts';
import { shapeEntitlement } from './view-entitlements.ts';

/** Apps with their owners; one query for the owners of all of them. */
export async function shapeApps(context: Context, rows: readonly AppRow[]): Promise<Row<App>[]> {
  const users = await listUsersByIds(
    context,
    rows.flatMap((row) => row.ownerIds),
  );
  const ownersOf = (row: AppRow): Row<User>[] =>
    row.ownerIds.flatMap((id) => {
      const user = users.get(id);
      return user === undefined ? [] : [shapeUser(context.actor, user)];
    });
  const sight = await loadSight(context);
  return rows.map((row) => shapeApp(sight, row, ownersOf(row)));
}

/** Loads objects by id, each as far as the caller's sight goes. */
function seen<From, M extends Message>(
  list: (context: Context, ids: readonly string[]) => Promise<Map<string, From>>,
  shapeOne: (sight: Sight, row: From) => Row<M>,
): Loader<M> {
  return async (context, ids) => {
    const sight = await loadSight(context);
    return new Map([...(await list(context, ids))].map(([id, row]) => [id, shapeOne(sight, row)]));
  };
}

/** Apps by id, for c1.api.app.v1.App; deleted ones too, since old reviews name them. */
export const appLoader: Loader<App> = async (context, ids) => {
  const rows = [...(await listAppsByIds(context, ids)).values()];
  const apps = await shapeApps(context, rows);
  return new Map(apps.map((app) => [app.id ?? '', app]));
};

/** Resource types by id, for c1.api.app.v1.AppResourceType. */
export const resourceTypeLoader: Loader<AppResourceType> = listResourceTypesByIds;

/** Resources by id, for c1.api.app.v1.AppResource. */
export const resourceLoader: Loader<AppResource> = seen(listResourcesByIds, shapeResource);

/** Entitlements by id, for c1.api.app.v1.AppEntitlement. */
export const entitlementLoader: Loader<AppEntitlement> = seen(listEntitlementsByIds, shapeEntitlement);

/** Accounts by id, for c1.api.app.v1.AppUser. */
export const accountLoader: Loader<AppUser> = seen(listAccountsByIds, shapeAccount);
