/**
 * SQL about which policy refers to which (policy_references): kept with each document, read along its paths.
 */
import type { PolicyJson } from '../../gen/c1/api/policy/v1/policy_pb.js';
import type { Context } from '../../context.ts';

/** Waits for whoever changes references of the tenant, and keeps others from it until the transaction ends. */
export async function lockReferences(context: Context): Promise<void> {
  await context.db.rows('SELECT pg_advisory_xact_lock(hashtextextended($1, 9))', [`countersign.policies.${context.tenantId}`]);
}

/** Sets what a policy refers to. */
export async function updateReferences(context: Context, id: string, referencedIds: readonly string[]): Promise<void> {
  await context.db.run('DELETE FROM policy_references WHERE tenant_id = $1 AND policy_id = $2 AND referenced_id <> ALL ($3)', [
    context.tenantId,
    id,
    referencedIds,
  ]);
  await context.db.run(
    `INSERT INTO policy_references (tenant_id, policy_id, referenced_id)
     SELECT $1, $2, x.id FROM (SELECT DISTINCT unnest($3::text[]) AS id) x ON CONFLICT DO NOTHING`,
    [context.tenantId, id, referencedIds],
  );
}

/** Longest paths of references. */
export interface Reach {
  /** The policies on the longest path that leads to the policy, itself left out. */
  readonly above: number;
  /** For each policy referred to: the policies on the longest path from it on, itself included, and whether one leads back. */
  readonly below: ReadonlyMap<string, { readonly longest: number; readonly loops: boolean }>;
}

/** Measures how references lead to a policy, and from these on; counted up to one more than `most`. */
export async function findReach(context: Context, id: string, referencedIds: readonly string[], most: number): Promise<Reach> {
  const rows = await context.db.rows<{ root: string; above: number; longest: number; loops: boolean }>(
    `WITH RECURSIVE up (id, n) AS (
       SELECT $2::text COLLATE "C", 0
       UNION SELECT r.policy_id, u.n + 1 FROM up u
       JOIN policy_references r ON r.tenant_id = $1 AND r.referenced_id = u.id WHERE u.n <= $4),
     down (root, id, n) AS (
       SELECT x.id COLLATE "C", x.id COLLATE "C", 1 FROM unnest($3::text[]) AS x (id)
       UNION SELECT d.root, r.referenced_id, d.n + 1 FROM down d
       JOIN policy_references r ON r.tenant_id = $1 AND r.policy_id = d.id WHERE d.n <= $4 AND d.id <> $2)
     SELECT d.root, (SELECT max(u.n) FROM up u)::int AS above, max(d.n)::int AS longest, bool_or(d.id = $2) AS loops
     FROM down d GROUP BY d.root`,
    [context.tenantId, id, referencedIds, most],
  );
  return {
    above: rows[0]?.above ?? 0,
    below: new Map(rows.map(({ root, longest, loops }) => [root, { longest, loops }])),
  };
}

/** Up to `limit` policies that refer to one, by id. */
export function listReferringPolicies(context: Context, id: string, limit: number): Promise<{ id: string; displayName: string }[]> {
  return context.db.rows(
    `SELECT p.id, p.display_name AS "displayName" FROM policy_references r
     JOIN policies p ON p.tenant_id = $1 AND p.id = r.policy_id AND p.deleted_at IS NULL
     WHERE r.tenant_id = $1 AND r.referenced_id = $2 ORDER BY p.id LIMIT $3`,
    [context.tenantId, id, limit],
  );
}

/** The documents of a policy and of all that it leads to, by id. */
export async function listReachedDocuments(context: Context, id: string): Promise<Map<string, PolicyJson>> {
  const rows = await context.db.rows<{ id: string; document: PolicyJson }>(
    `WITH RECURSIVE reached (id) AS (
       SELECT $2::text COLLATE "C"
       UNION SELECT r.referenced_id FROM reached x JOIN policy_references r ON r.tenant_id = $1 AND r.policy_id = x.id)
     SELECT p.id, p.document FROM reached x JOIN policies p ON p.tenant_id = $1 AND p.id = x.id AND p.deleted_at IS NULL`,
    [context.tenantId, id],
  );
  return new Map(rows.map((row) => [row.id, row.document]));
}
