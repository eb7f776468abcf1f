/** SQL that finds the sources that the caller owns. */
import type { Context } from '../../context.ts';
import { sql } from '../../lib/sql.ts';
import { getOwnerPeopleSql } from '../catalog/index.ts';

/** Lists the sources that the caller owns: of these or of all, of an app or of all; deleted ones too. Grows with the sources that are looked at. */
export function listOwnedSources(context: Context, ids: readonly string[] | undefined, appId?: string): Promise<string[]> {
  const { db, tenantId, actor } = context;
  const things = sql`SELECT c.app_id, c.id FROM sources c
    WHERE c.tenant_id = ${tenantId} AND ${ids === undefined ? sql`TRUE` : sql`c.id = ANY (${[...ids]})`}
      AND ${appId === undefined ? sql`TRUE` : sql`c.app_id = ${appId}`}`;
  return db.column<string>(
    sql`SELECT DISTINCT w.id FROM (${getOwnerPeopleSql(context, 'source', things)}) w WHERE w.user_id = ${actor.userId} AND ${actor.userId} <> ''`,
  );
}

/** True if the caller owns a source of the app. */
export async function ownsSourceOf(context: Context, appId: string): Promise<boolean> {
  return (await listOwnedSources(context, undefined, appId)).length > 0;
}
