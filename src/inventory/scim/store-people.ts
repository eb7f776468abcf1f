/**
 * SQL that finds the people behind pushed users.
 */
import type { Context } from '../../context.ts';
import { type Sql, sql } from '../../lib/sql.ts';

/** Condition that a person `u` is this one. */
export function getIsPersonSql(id: string): Sql {
  return sql`u.id = ${id}`;
}

/** The person behind a live user with this SCIM id. */
export function findPersonOfUser(context: Context, sourceId: string, id: string): Promise<string | undefined> {
  return context.db.maybeValue<string>(
    `SELECT user_id AS "userId" FROM scim_resources
     WHERE tenant_id = $1 AND source_id = $2 AND id = $3 AND kind = 'USER' AND deleted_at IS NULL`,
    [context.tenantId, sourceId, id],
  );
}

/** Lets all pushed users of a person, deleted ones too, stand for another. What their provider reads stays as it is. */
export async function movePushed({ db, tenantId }: Context, fromId: string, intoId: string): Promise<void> {
  await db.run(sql`UPDATE scim_resources SET user_id = ${intoId} WHERE tenant_id = ${tenantId} AND user_id = ${fromId} AND kind = 'USER'`);
}
