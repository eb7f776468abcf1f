/** SQL that gives the templates of one owner to another. */
import type { Context } from '../../../context.ts';
import { sql } from '../../../lib/sql.ts';

/** Gives the templates that a person owns to another, and returns how many, with the first of them by name. */
export function moveTemplates(
  { db, tenantId, now }: Context,
  fromId: string,
  intoId: string,
  most: number,
): Promise<{ readonly count: number; readonly names: readonly string[] }> {
  return db.one(
    sql`WITH gone AS (
        DELETE FROM template_owners o USING review_templates t WHERE o.tenant_id = ${tenantId} AND o.user_id = ${fromId} AND t.tenant_id = ${tenantId}
          AND t.id = o.template_id RETURNING t.id, coalesce(t.document ->> 'displayName', '') AS display_name),
      added AS (
        INSERT INTO template_owners (tenant_id, template_id, user_id, created_at) SELECT ${tenantId}, g.id, ${intoId}, ${now} FROM gone g
        ON CONFLICT DO NOTHING)
      SELECT (SELECT count(*) FROM gone) AS count, ARRAY(SELECT g.display_name FROM gone g ORDER BY g.id LIMIT ${most}) AS names`,
  );
}
