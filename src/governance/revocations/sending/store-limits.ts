/** SQL of removals that wait for a release, and of what a connector was asked so far. */
import { sql } from '../../../lib/sql.ts';
import type { Context } from '../../../context.ts';
import { getMakersSql } from '../../../foundation/directory/index.ts';

/** Sendings of a source by what became of them. */
export interface SendingCounts {
  readonly underWay: number;
  readonly limited: number;
  readonly carriedOut: number;
  readonly failed: number;
  readonly leftToPeople: number;
}

/** Counts the sendings of a source. */
export function countSendings({ db, tenantId }: Context, sourceId: string): Promise<SendingCounts> {
  return db.one<SendingCounts>(
    sql`SELECT count(*) FILTER (WHERE state IN ('PLANNED', 'WAITING', 'SENT')) AS "underWay", count(*) FILTER (WHERE state = 'LIMITED') AS limited,
        count(*) FILTER (WHERE state = 'DONE') AS "carriedOut", count(*) FILTER (WHERE state = 'FAILED') AS failed,
        count(*) FILTER (WHERE state = 'PEOPLE') AS "leftToPeople"
      FROM removal_sendings WHERE tenant_id = ${tenantId} AND source_id = ${sourceId}`,
  );
}

/** The next removals of a source that wait for a release, with their tasks. */
export function listLimited({ db, tenantId }: Context, sourceId: string, limit: number): Promise<{ id: string; taskId: string }[]> {
  return db.rows(
    sql`SELECT revocation_id AS id, task_id AS "taskId" FROM removal_sendings WHERE tenant_id = ${tenantId} AND source_id = ${sourceId} AND state = 'LIMITED'
      ORDER BY revocation_id LIMIT ${limit}`,
  );
}

/** The people who denied these removals, or asked for them: also those who issued or made what that was done through. */
export function listAskers({ db, tenantId }: Context, ids: readonly string[]): Promise<string[]> {
  const people = getMakersSql('r.tenant_id', 'ARRAY[r.denied_by_id, t.decided_issuer_id, r.requested_by_id, r.requested_issuer_id]');
  return db.column<string>(
    sql`SELECT DISTINCT n.id FROM revocations r LEFT JOIN tasks_public t ON t.tenant_id = ${tenantId} AND t.id = r.certify_task_id
      CROSS JOIN LATERAL unnest(${people}) AS n (id) WHERE r.tenant_id = ${tenantId} AND r.id = ANY (${[...ids]})`,
  );
}
