/** SQL that gives what one person owns to another. */
import { fixed, sql } from '../../../lib/sql.ts';
import type { Context } from '../../../context.ts';
import { listOwned, ownedKinds } from './store-ownership.ts';

/** The tables of owners who are people, and what keeps the owned things of each apart. */
const tables = {
  app_owners: ['app_id'],
  resource_owners: ['app_id', 'resource_id'],
  entitlement_owners: ['app_id', 'entitlement_id'],
  account_owners: ['app_id', 'account_id'],
  source_owners: ['source_id'],
  user_owners: ['owned_id'],
} as const;

/** Gives all that a person owns to another, in the same roles, and returns how much it is, with the first of the apps and what is in them by name. */
export async function moveOwnerships(
  context: Context,
  fromId: string,
  intoId: string,
  most: number,
): Promise<{ readonly count: number; readonly names: readonly string[] }> {
  const { db, tenantId } = context;
  const owned = await listOwned(context, fromId, ownedKinds, undefined, most);
  let count = 0;
  for (const [table, keys] of Object.entries(tables)) {
    const isSame = fixed([...keys, 'role_slug'].map((key) => `x.${key} = o.${key}`).join(' AND '));
    count += await db.run(
      sql`UPDATE ${fixed(table)} o SET user_id = ${intoId} WHERE o.tenant_id = ${tenantId} AND o.user_id = ${fromId}
        AND NOT EXISTS (SELECT FROM ${fixed(table)} x WHERE x.tenant_id = ${tenantId} AND x.user_id = ${intoId} AND ${isSame})`,
    );
    count += await db.run(sql`DELETE FROM ${fixed(table)} WHERE tenant_id = ${tenantId} AND user_id = ${fromId}`);
  }
  const names = owned.map((one) =>
    [one.appDisplayName, one.resourceDisplayName, one.entitlementDisplayName].filter((text) => text !== '').join(' / '),
  );
  return { count, names };
}
