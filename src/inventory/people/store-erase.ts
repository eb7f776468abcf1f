/** SQL that removes what sources said of a person. */
import type { Context } from '../../context.ts';
import { sql } from '../../lib/sql.ts';

/** Removes the records of a person, and takes them from those of whom it is disputed who they are. */
export async function erasePersonRecords({ db, tenantId }: Context, userId: string): Promise<void> {
  await db.run(sql`DELETE FROM person_records WHERE tenant_id = ${tenantId} AND user_id = ${userId}`);
  await db.run(
    sql`UPDATE person_records SET candidate_ids = array_remove(candidate_ids, ${userId}) WHERE tenant_id = ${tenantId} AND user_id IS NULL
      AND candidate_ids @> ARRAY[${userId}::text COLLATE "C"]`,
  );
}
