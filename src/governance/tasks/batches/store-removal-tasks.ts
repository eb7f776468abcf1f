/** SQL of the tasks of removals: their batches, making them, and putting them on the routes that their policies have for them. */
import { type Sql, sql } from '../../../lib/sql.ts';
import type { Context } from '../../../context.ts';
import type { PrincipalKind } from '../../snapshots/index.ts';
import { takeNumbers } from '../../../foundation/tenants/index.ts';

/**
 * Stands behind the id of a review, or of a removal without one, in the ids of the batches of its removals. A number follows where access was denied
 * again.
 */
export const removalBatchMark = '-R';

/** Returns the condition that the row `b` of `task_reviews` is a batch of the removals of a review. */
export function isRemovalBatchSql(reviewId: string): Sql {
  return sql`b.kind = 'REVOKE' AND starts_with(b.id, ${reviewId + removalBatchMark})`;
}

/** Returns the batches of the removals of a review. */
export function listRemovalBatches({ db, tenantId }: Context, reviewId: string): Promise<string[]> {
  return db.column<string>(
    sql`SELECT b.id FROM task_reviews b WHERE b.tenant_id = ${tenantId} AND ${isRemovalBatchSql(reviewId)} ORDER BY b.id`,
  );
}

/** Adds an open batch of removals, or gives the one that is there these managers. */
export async function insertRemovalBatch({ db, tenantId, now }: Context, batchId: string, managerIds: readonly string[]): Promise<void> {
  await db.run(
    sql`INSERT INTO task_reviews (tenant_id, id, kind, state, manager_ids, created_at, updated_at)
      VALUES (${tenantId}, ${batchId}, 'REVOKE', 'OPEN', ${[...managerIds]}, ${now}, ${now})
      ON CONFLICT (tenant_id, id) DO UPDATE SET manager_ids = excluded.manager_ids, updated_at = excluded.updated_at`,
  );
}

/** A task to be made. */
export interface NewRemovalTask {
  readonly id: string;
  readonly appId: string;
  readonly entitlementId: string;
  readonly accountId: string;
  readonly principalKind: PrincipalKind;
  readonly userId: string | null;
  readonly policyId: string;
}

/** Adds open tasks to a batch that has its snapshot; their routes are chosen behind that. */
export async function insertRemovalTasks(context: Context, batchId: string, tasks: readonly NewRemovalTask[]): Promise<void> {
  const { db, tenantId, now } = context;
  const base = (await takeNumbers(context, 'task_number', tasks.length)) - tasks.length;
  await db.run(
    sql`WITH added AS (
      INSERT INTO tasks (tenant_id, id, review_id, numeric_id, app_id, entitlement_id, account_id, principal_kind, user_id, policy_id, granted_at,
        last_used_at, created_at, updated_at, account_key, owner_key, place_key)
      SELECT ${tenantId}, n."id", ${batchId}, ${base} + row_number() OVER (ORDER BY n."id"), n."appId", n."entitlementId", n."accountId",
        n."principalKind", n."userId", n."policyId", g.granted_at, g.last_used_at, ${now}::timestamptz, ${now}::timestamptz,
        coalesce(a.account_key, ''), coalesce(a.owner_key, ''), coalesce(e.place_key, '')
      FROM jsonb_to_recordset(${JSON.stringify(tasks)}::jsonb) AS n (id text, "appId" text, "entitlementId" text, "accountId" text,
        "principalKind" text, "userId" text, "policyId" text)
      LEFT JOIN grants_held g ON g.tenant_id = ${tenantId} AND g.app_id = n."appId" AND g.entitlement_id = n."entitlementId" AND g.account_id = n."accountId"
      LEFT JOIN snapshot_accounts a ON a.tenant_id = ${tenantId} AND a.review_id = ${batchId} AND a.app_id = n."appId" AND a.account_id = n."accountId"
      LEFT JOIN snapshot_entitlements e ON e.tenant_id = ${tenantId} AND e.review_id = ${batchId} AND e.app_id = n."appId"
        AND e.entitlement_id = n."entitlementId"
      RETURNING tenant_id, id, review_id, numeric_id)
    INSERT INTO task_numbers (tenant_id, first_number, last_number, first_id, review_id)
    SELECT a.tenant_id, a.numeric_id, a.numeric_id, a.id, a.review_id FROM added a`,
  );
}

/** Place of a new task. */
export interface RemovalPlace {
  readonly taskId: string;
  readonly routeNo: number;
  readonly policyId: string;
  readonly step: number;
  readonly assignmentId: string | null;
}

/** Puts new tasks on their routes. */
export async function updateRemovalPlaces({ db, tenantId }: Context, places: readonly RemovalPlace[]): Promise<void> {
  await db.run(
    sql`UPDATE tasks t SET route_no = n."routeNo", policy_id = n."policyId", step = n.step, assignment_id = n."assignmentId"
      FROM jsonb_to_recordset(${JSON.stringify(places)}::jsonb) AS n ("taskId" text, "routeNo" smallint, "policyId" text, step smallint,
        "assignmentId" text)
      WHERE t.tenant_id = ${tenantId} AND t.id = n."taskId"`,
  );
}
