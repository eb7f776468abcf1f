/** SQL on removals and their tasks: which need one, by which policy, and which one it is. */
import type { ProvisionPolicyJson } from '../../gen/c1/api/policy/v1/provision_pb.js';
import { sql } from '../../lib/sql.ts';
import type { Context } from '../../context.ts';
import { removalBatchMark } from '../tasks/index.ts';
import { type Piece, told } from './store-request.ts';
import { byNobody, listStatesBefore } from './record/index.ts';

/** A requested removal that has no task yet. */
export interface TasklessRow {
  readonly id: string;
  /** Place of its task: beside those of the same review, or by itself. */
  readonly batchId: string;
  readonly managerIds: readonly string[];
  readonly appId: string;
  readonly entitlementId: string;
  readonly accountId: string;
  readonly principalKind: 'A' | 'R';
  readonly userId: string | null;
  /** The policy of its entitlement, else of its app; empty for neither. */
  readonly policyId: string;
  /** Way its entitlement says that access is taken away, else how it is given; null where it says nothing. */
  readonly own: ProvisionPolicyJson | null;
}

/**
 * Those of these removals that are requested and have no task. A batch has one task for each grant: what was denied again, which its id says behind a
 * dash, is in another.
 */
export function listTaskless({ db, tenantId }: Context, ids: readonly string[]): Promise<TasklessRow[]> {
  return db.rows<TasklessRow>(
    sql`SELECT r.id, CASE WHEN r.review_id = '' THEN r.id ELSE r.review_id END || ${removalBatchMark}::text
        || CASE WHEN r.review_id = '' THEN '' ELSE split_part(r.id, '-', 2) END AS "batchId",
        coalesce(b.manager_ids, '{}') AS "managerIds", r.app_id AS "appId", r.entitlement_id AS "entitlementId", r.account_id AS "accountId",
        r.principal_kind AS "principalKind", r.user_id AS "userId",
        coalesce(nullif(e.document ->> 'revokePolicyId', ''), p.document ->> 'revokePolicyId', '') AS "policyId",
        coalesce(e.document -> 'deprovisionerPolicy', e.document -> 'provisionerPolicy') AS own
      FROM revocations r
      LEFT JOIN task_reviews_public b ON b.tenant_id = ${tenantId} AND b.id = r.review_id
      LEFT JOIN entitlements_public e ON e.tenant_id = ${tenantId} AND e.app_id = r.app_id AND e.id = r.entitlement_id
      LEFT JOIN apps_public p ON p.tenant_id = ${tenantId} AND p.id = r.app_id
      WHERE r.tenant_id = ${tenantId} AND r.id = ANY (${ids}) AND r.state = 'REQUESTED' AND r.revoke_task_id = '' ORDER BY r.id`,
  );
}

/** Keeps what removals are about beside the batch of their tasks. */
export async function insertSnapshot({ db, tenantId }: Context, batchId: string, ids: readonly string[]): Promise<void> {
  await db.rows(sql`SELECT keep_removal_snapshot(${tenantId}, ${batchId}, ${[...ids]})`);
}

/** Gives removals their tasks. */
export async function updateTaskIds({ db, tenantId }: Context, taskIds: ReadonlyMap<string, string>): Promise<void> {
  await db.run(
    sql`UPDATE revocations r SET revoke_task_id = n.task_id
      FROM unnest(${[...taskIds.keys()]}::text[], ${[...taskIds.values()]}::text[]) AS n (id, task_id)
      WHERE r.tenant_id = ${tenantId} AND r.id = n.id`,
  );
}

/** Ends the removals that their policies refuse by themselves, each with what the policy says. */
export function updateRefused(context: Context, refused: ReadonlyMap<string, string>): Promise<Piece> {
  const { tenantId, now } = context;
  return context.db.one<Piece>(
    sql`WITH changed AS (
       UPDATE revocations r SET state = 'REFUSED', state_at = ${now}, ${byNobody}, note = n.note, due_at = NULL, updated_at = ${now}
       FROM unnest(${[...refused.keys()]}::text[], ${[...refused.values()]}::text[]) AS n (id, note)
       WHERE r.tenant_id = ${tenantId} AND r.id = n.id AND r.state = ANY (${listStatesBefore('REFUSE')}) RETURNING r.id)
     ${told}`,
  );
}

/** Locks the removal of a task to the end of the transaction, and returns its id; undefined where the task is none of a removal. */
export function lockRevocationOfTask({ db, tenantId }: Context, taskId: string): Promise<string | undefined> {
  return db.maybeValue<string>(
    sql`SELECT r.id FROM revocations r WHERE r.tenant_id = ${tenantId} AND r.revoke_task_id = ${taskId} AND r.revoke_task_id <> '' FOR UPDATE`,
  );
}
