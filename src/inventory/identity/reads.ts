/** Data other modules may read of directories: pieces of SQL. `directories_pkey` answers by app. */
import type { Context } from '../../context.ts';
import { fixed, type Sql, sql } from '../../lib/sql.ts';

/** Returns the ids of the directories that the person `u` is in, an array in order; `accounts_by_user` answers. */
export function getDirectoryIdsSql(): Sql {
  return fixed(`ARRAY(SELECT DISTINCT a.app_id FROM accounts_public a
    JOIN directories y ON y.tenant_id = a.tenant_id AND y.app_id = a.app_id AND y.deleted_at IS NULL
    WHERE a.tenant_id = u.tenant_id AND a.user_id = u.id AND a.deleted_at IS NULL ORDER BY a.app_id)`);
}

/** Tests if the people of the app `a` are the people of the tenant; `directories_pkey` answers. */
export const isDirectory =
  'EXISTS (SELECT FROM directories d WHERE d.tenant_id = a.tenant_id AND d.app_id = a.id AND d.deleted_at IS NULL)';

/** Returns the order in which the directory that an app is matches people; undefined where it is none. `directories_pkey` answers. */
export function findDirectoryOrder({ db, tenantId }: Context, appId: string): Promise<readonly string[] | undefined> {
  return db.maybeValue(
    sql`SELECT d.match_order FROM directories d WHERE d.tenant_id = ${tenantId} AND d.app_id = ${appId} AND d.deleted_at IS NULL`,
  );
}

/** Tests if the app is a directory; `directories_pkey` answers. */
export async function isDirectoryApp({ db, tenantId }: Context, appId: string): Promise<boolean> {
  const found = await db.rows(sql`SELECT FROM directories WHERE tenant_id = ${tenantId} AND app_id = ${appId} AND deleted_at IS NULL`);
  return found.length > 0;
}
