/** SQL that gives the reviews of one owner to another, and follows what goes on as others in what reviews say. */
import type { Context } from '../../../context.ts';
import { sql } from '../../../lib/sql.ts';
import { getNamesMergedSql, getRenamedSql, type Merge } from '../../../inventory/ledger/index.ts';

/** Reviews that changed hands. */
export interface MovedReviews {
  readonly count: number;
  readonly ids: readonly string[];
  readonly names: readonly string[];
}

/** Names the other person where a review that is not closed or being closed asks one to acknowledge its decisions, and nobody did. */
async function moveAcknowledgements({ db, tenantId }: Context, fromId: string, intoId: string): Promise<void> {
  await db.run(
    sql`UPDATE reviews r SET acknowledgement = jsonb_set(r.acknowledgement, '{userIds}', (SELECT jsonb_agg(DISTINCT x.id ORDER BY x.id) FROM (
          SELECT CASE WHEN u = ${fromId} THEN ${intoId} ELSE u END AS id FROM jsonb_array_elements_text(r.acknowledgement -> 'userIds') AS u) x))
      WHERE r.tenant_id = ${tenantId} AND r.state NOT IN ('CLOSED', 'DELETED') AND NOT r.closing
        AND r.acknowledgement -> 'userIds' ? ${fromId} AND NOT r.acknowledgement ? 'signature'`,
  );
}

/** Gives the reviews that a person owns to another, but those that are closed or being closed: they keep whom they had. Returns the first of them. */
export async function moveReviews(context: Context, fromId: string, intoId: string, most: number): Promise<MovedReviews> {
  const { db, tenantId, now } = context;
  await moveAcknowledgements(context, fromId, intoId);
  return db.one<MovedReviews>(
    sql`WITH gone AS (
        DELETE FROM review_owners o USING reviews r WHERE o.tenant_id = ${tenantId} AND o.user_id = ${fromId} AND r.tenant_id = ${tenantId}
          AND r.id = o.review_id AND r.state NOT IN ('CLOSED', 'DELETED') AND NOT r.closing
        RETURNING r.id, coalesce(r.document ->> 'displayName', '') AS display_name),
      added AS (
        INSERT INTO review_owners (tenant_id, review_id, user_id, created_at) SELECT ${tenantId}, g.id, ${intoId}, ${now} FROM gone g
        ON CONFLICT DO NOTHING)
      SELECT (SELECT count(*) FROM gone) AS count, ARRAY(SELECT g.id FROM gone g ORDER BY g.id LIMIT ${most}) AS ids,
        ARRAY(SELECT g.display_name FROM gone g ORDER BY g.id LIMIT ${most}) AS names`,
  );
}

/** Lets reviews that froze nothing yet name what stays where they name entitlements, resources or resource types which went. */
export async function renameInReviews({ db, tenantId }: Context, merges: readonly Merge[]): Promise<void> {
  await db.run(
    sql`UPDATE reviews r SET document = ${getRenamedSql(sql`r.document`, merges)}
      WHERE r.tenant_id = ${tenantId} AND r.prepared_revision IS NULL AND r.state NOT IN ('CLOSED', 'DELETED') AND ${getNamesMergedSql(sql`r.document`, merges)}`,
  );
}
