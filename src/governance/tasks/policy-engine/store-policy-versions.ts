/** SQL of the policies of a review as they were when a task of it was reset (review_policy_versions). */
import type { PolicyJson } from '../../../gen/c1/api/policy/v1/policy_pb.js';
import { sql } from '../../../lib/sql.ts';
import type { Context } from '../../../context.ts';
import type { Task } from '../task/index.ts';

/** The policy that decides the item of a task: of its entitlement as the review froze it. */
export function findItemPolicyId({ db, tenantId }: Context, task: Task): Promise<string | undefined> {
  return db.maybeValue<string>(
    sql`SELECT e.policy_id AS id FROM snapshot_entitlements e
      WHERE e.tenant_id = ${tenantId} AND e.review_id = ${task.reviewId} AND e.app_id = ${task.appId} AND e.entitlement_id = ${task.entitlementId}`,
  );
}

/** Keeps others from making a version of the policies of a review until the transaction ends. */
export async function lockPolicyVersions({ db, tenantId }: Context, reviewId: string): Promise<void> {
  const name = `countersign.policy_versions.${tenantId}/${reviewId}`;
  await db.rows(sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 10))`);
}

/** The version of a review with exactly these policies; undefined where there is none. */
export function findPolicyVersion(
  { db, tenantId }: Context,
  reviewId: string,
  rootId: string,
  digest: string,
): Promise<number | undefined> {
  return db.maybeValue<number>(
    sql`SELECT v.version FROM review_policy_versions v WHERE v.tenant_id = ${tenantId} AND v.review_id = ${reviewId}
      AND v.root_id = ${rootId} AND v.digest = ${digest} ORDER BY v.version LIMIT 1`,
  );
}

/** Policies as a version keeps them. */
export interface PolicyVersion {
  readonly rootId: string;
  readonly documents: Readonly<Record<string, PolicyJson>>;
}

/** The policies of a version; undefined where there is no such version. */
export function findPolicies({ db, tenantId }: Context, reviewId: string, version: number): Promise<PolicyVersion | undefined> {
  return db.maybe<PolicyVersion>(
    sql`SELECT v.root_id AS "rootId", v.documents FROM review_policy_versions v
      WHERE v.tenant_id = ${tenantId} AND v.review_id = ${reviewId} AND v.version = ${version}`,
  );
}

/** Keeps policies as the next version of a review, and gives its number. Behind `lockPolicyVersions`. */
export function insertPolicyVersion(
  { db, tenantId, now }: Context,
  reviewId: string,
  { rootId, documents }: PolicyVersion,
  digest: string,
): Promise<number> {
  return db.value<number>(
    sql`INSERT INTO review_policy_versions (tenant_id, review_id, version, root_id, digest, documents, created_at)
      SELECT ${tenantId}, ${reviewId}, coalesce(max(v.version), 0) + 1, ${rootId}, ${digest}, ${JSON.stringify(documents)}::jsonb, ${now}::timestamptz
      FROM review_policy_versions v WHERE v.tenant_id = ${tenantId} AND v.review_id = ${reviewId}
      RETURNING version`,
  );
}
