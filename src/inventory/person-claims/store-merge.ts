/** SQL of the sources that may change people of whom two are one. */
import type { Context } from '../../context.ts';
import { sql } from '../../lib/sql.ts';

/** Gives a person to the sources that may change another, and forgets what these ask to change of that one. */
export async function moveBelongings({ db, tenantId, now, actor }: Context, fromId: string, intoId: string): Promise<void> {
  await db.run(
    sql`WITH gone AS (DELETE FROM person_sources WHERE tenant_id = ${tenantId} AND user_id = ${fromId} RETURNING source_id)
      INSERT INTO person_sources (tenant_id, user_id, source_id, how, given_by_id, created_at)
      SELECT ${tenantId}, ${intoId}, g.source_id, 'GIVEN', ${actor.userId}, ${now} FROM gone g ON CONFLICT DO NOTHING`,
  );
  await db.run(sql`DELETE FROM person_claims WHERE tenant_id = ${tenantId} AND user_id = ${fromId} AND state = 'WAITING'`);
}

/** Takes a person from a source that reports them no longer, so that nothing it says of somebody else changes them. */
export async function removeBelonging({ db, tenantId }: Context, userId: string, sourceId: string): Promise<void> {
  await db.run(sql`DELETE FROM person_sources WHERE tenant_id = ${tenantId} AND user_id = ${userId} AND source_id = ${sourceId}`);
}
