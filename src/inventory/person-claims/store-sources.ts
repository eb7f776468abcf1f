/** SQL of the sources that people belong to, and of what decides about a change of them: the table `person_sources`. */
import type { Context } from '../../context.ts';
import { sql } from '../../lib/sql.ts';

/** Way a person came to a source (`person_sources.how`): the source made the person, or an administrator gave the person to it. */
export type Belonging = 'MADE' | 'GIVEN';

/** True if the person belongs to the source. */
export function findBelonging(context: Context, userId: string, sourceId: string): Promise<boolean> {
  return context.db.value<boolean>(
    sql`SELECT EXISTS (SELECT FROM person_sources p WHERE p.tenant_id = ${context.tenantId} AND p.user_id = ${userId}
      AND p.source_id = ${sourceId}) AS found`,
  );
}

/** Lets a person belong to a source. */
export async function insertBelonging(
  context: Context,
  belonging: { readonly userId: string; readonly sourceId: string; readonly how: Belonging; readonly givenById: string },
): Promise<void> {
  await context.db.run(
    sql`INSERT INTO person_sources (tenant_id, user_id, source_id, how, given_by_id, created_at)
      VALUES (${context.tenantId}, ${belonging.userId}, ${belonging.sourceId}, ${belonging.how}, ${belonging.givenById}, ${context.now})
      ON CONFLICT DO NOTHING`,
  );
}

/** Finds the delivering system's id of a person. */
export async function findExternalId(context: Context, id: string): Promise<string> {
  const found = await context.db.maybeValue<string>(
    sql`SELECT u.external_id AS "externalId" FROM users_public u WHERE u.tenant_id = ${context.tenantId} AND u.id = ${id}`,
  );
  return found ?? '';
}

/** Counts the managers above `managerId`, themselves included, who are this person: 0 unless that would be a circle. */
export function countAbove(context: Context, managerId: string, personId: string): Promise<number> {
  return context.db.value<number>(
    `WITH RECURSIVE above (id) AS (
       SELECT $2::text COLLATE "C"
       UNION SELECT u.manager_id FROM above a JOIN users_public u ON u.tenant_id = $1 AND u.id = a.id WHERE u.manager_id IS NOT NULL)
     SELECT count(*) AS count FROM above WHERE id = $3`,
    [context.tenantId, managerId, personId],
  );
}
