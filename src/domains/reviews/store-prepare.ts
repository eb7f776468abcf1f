/**
 * SQL of a snapshot: which entitlements, whose accounts, under which policies. Each is one statement in proportion to what is chosen; the
 * tasks are made from it piece by piece by the module tasks. What the choice means is scope.ts.
 */
import type { JsonObject } from '@bufbuild/protobuf';
import { timeBefore } from '../../lib/time-before.ts';
import { allOf, type Sql, sql } from '../../lib/sql.ts';
import { type Conditions, conditionsOf } from '../../lib/where.ts';
import type { Context } from '../../context.ts';
import type { GrantFilter, ReviewScope } from './scope.ts';
import type { ReviewPolicy } from './store-setup.ts';

/** What stands in the lists beside the document. */
export function countSetup(context: Context, reviewId: string): Promise<{ entitlements: number; resourceTypes: number }> {
  return context.db.one(
    `SELECT (SELECT count(*) FROM review_setup_entitlements s WHERE s.tenant_id = $1 AND s.review_id = $2) AS entitlements,
       (SELECT count(*) FROM review_setup_resource_types t WHERE t.tenant_id = $1 AND t.review_id = $2) AS "resourceTypes"`,
    [context.tenantId, reviewId],
  );
}

/** Freezes the chosen entitlements with the names they have now and the policy that decides each; how many. */
export function insertSnapshotEntitlements(
  context: Context,
  reviewId: string,
  setupFrom: string,
  chosen: ReviewScope,
  policy: ReviewPolicy,
): Promise<number> {
  return context.db.run(
    `WITH what AS (
       SELECT e.app_id, e.id AS entitlement_id, '' AS policy_id FROM entitlements e
       WHERE e.tenant_id = $1 AND e.app_id = ANY ($3) AND e.is_app_access = $4
       UNION ALL
       SELECT n.app_id, n.entitlement_id, n.policy_id FROM unnest($5::text[], $6::text[], $7::text[]) AS n (app_id, entitlement_id, policy_id)
       UNION ALL
       SELECT s.app_id, s.entitlement_id, s.custom_policy_id FROM review_setup_entitlements s
       WHERE s.tenant_id = $1 AND s.review_id = $10 AND NOT $4
       UNION ALL
       SELECT e.app_id, e.id, '' FROM review_setup_resource_types t
       JOIN entitlements e ON e.tenant_id = $1 AND e.app_id = t.app_id AND e.resource_type_id = t.resource_type_id
       WHERE t.tenant_id = $1 AND t.review_id = $10 AND NOT $4
       UNION ALL
       SELECT e.app_id, e.id, '' FROM entitlements e
       WHERE $4 AND e.tenant_id = $1 AND e.is_app_access AND e.app_id IN (
         SELECT s.app_id FROM review_setup_entitlements s WHERE s.tenant_id = $1 AND s.review_id = $10
         UNION SELECT t.app_id FROM review_setup_resource_types t WHERE t.tenant_id = $1 AND t.review_id = $10)
       UNION ALL
       SELECT e.app_id, e.id, '' FROM entitlements e WHERE $8 AND e.tenant_id = $1 AND (e.is_app_access OR NOT $4)),
     one_each AS (SELECT w.app_id, w.entitlement_id, max(w.policy_id) AS policy_id FROM what w GROUP BY w.app_id, w.entitlement_id)
     INSERT INTO review_entitlements (tenant_id, review_id, app_id, entitlement_id, app_display_name, resource_type_id,
       resource_type_display_name, resource_id, resource_display_name, display_name, description, policy_id)
     SELECT $1, $2, e.app_id, e.id, a.display_name, e.resource_type_id, coalesce(rt.display_name, ''), e.resource_id,
       coalesce(rs.display_name, ''), e.display_name, e.description,
       coalesce(nullif(o.policy_id, ''), CASE WHEN $9 THEN coalesce(nullif(e.certify_policy_id, ''), nullif(a.certify_policy_id, '')) END, $11)
     FROM one_each o
     JOIN entitlements e ON e.tenant_id = $1 AND e.app_id = o.app_id AND e.id = o.entitlement_id AND e.deleted_at IS NULL
     JOIN apps a ON a.tenant_id = $1 AND a.id = e.app_id AND a.deleted_at IS NULL
     LEFT JOIN resource_types rt ON rt.tenant_id = $1 AND rt.app_id = e.app_id AND rt.id = e.resource_type_id
     LEFT JOIN resources rs ON rs.tenant_id = $1 AND rs.app_id = e.app_id AND rs.id = e.resource_id`,
    [
      context.tenantId,
      reviewId,
      chosen.appIds,
      chosen.appAccess,
      chosen.entitlements.map((one) => one.appId),
      chosen.entitlements.map((one) => one.entitlementId),
      chosen.entitlements.map((one) => one.policyId),
      chosen.everything,
      policy.usePolicyOverride,
      setupFrom,
      policy.policyId,
    ],
  );
}

/** Accounts of a sample: enough to find one item of almost every review. */
const sampleSize = 200;

/** Freezes the accounts of the chosen apps that the filters keep, with their owners as they are now (some of them, for a sample); how many. */
export function insertSnapshotAccounts(context: Context, reviewId: string, chosen: ReviewScope, which: 'all' | 'sample'): Promise<number> {
  const attributes = chosen.attributes.length === 0 ? null : JSON.stringify(chosen.attributes);
  return context.db.run(
    `INSERT INTO review_accounts (tenant_id, review_id, app_id, account_id, external_id, account_type, account_status, user_id, user_email,
       user_display_name, user_status, employment_status, department, job_title, manager_id, manager_email)
     SELECT $1, $2, a.app_id, a.id, a.external_id, a.account_type, a.status, u.id, coalesce(u.email, ''), coalesce(u.display_name, ''),
       coalesce(u.status, ''), coalesce(u.employment_status, ''), coalesce(u.department, ''), coalesce(u.job_title, ''), u.manager_id,
       coalesce(m.email, '')
     FROM accounts a
     LEFT JOIN users u ON u.tenant_id = $1 AND u.id = a.user_id
     LEFT JOIN users m ON m.tenant_id = $1 AND m.id = u.manager_id
     WHERE a.tenant_id = $1 AND a.deleted_at IS NULL
       AND a.app_id IN (SELECT e.app_id FROM review_entitlements e WHERE e.tenant_id = $1 AND e.review_id = $2)
       AND ($3::text[] IS NULL OR a.account_type = ANY ($3)) AND ($4::text[] IS NULL OR a.status = ANY ($4))
       AND NOT a.account_type = ANY ($5) AND NOT a.status = ANY ($6)
       AND (NOT $7 OR a.user_id IS NULL) AND (NOT $8 OR a.user_id IS NOT NULL)
       AND ($9::text[] IS NULL OR a.user_id = ANY ($9)) AND ($10::text[] IS NULL OR u.status = ANY ($10))
       AND ($11::text[] IS NULL OR u.manager_id = ANY ($11))
       AND ($12::jsonb IS NULL OR NOT EXISTS (
         SELECT FROM jsonb_array_elements($12::jsonb) f
         WHERE NOT coalesce(f -> 'values' ? ((u.profile || jsonb_build_object(
           'email', u.email, 'displayName', u.display_name, 'display_name', u.display_name, 'department', u.department,
           'jobTitle', u.job_title, 'job_title', u.job_title, 'employmentStatus', u.employment_status,
           'employment_status', u.employment_status)) ->> (f ->> 'key')), false)))
       AND (cardinality($13::text[]) = 0 OR EXISTS (
         SELECT FROM unnest($13::text[], $14::text[]) AS w (app_id, entitlement_id)
         JOIN apps gp ON gp.tenant_id = $1 AND gp.id = w.app_id AND gp.deleted_at IS NULL
         JOIN accounts ga ON ga.tenant_id = $1 AND ga.user_id = u.id AND ga.app_id = w.app_id
         JOIN grants gg ON gg.tenant_id = $1 AND gg.app_id = w.app_id AND gg.entitlement_id = w.entitlement_id AND gg.account_id = ga.id
           AND gg.removed_revision IS NULL))
     ${which === 'sample' ? `LIMIT ${sampleSize}` : ''}`,
    [
      context.tenantId,
      reviewId,
      chosen.accountTypes ?? null,
      chosen.accountStatuses ?? null,
      chosen.excludedTypes,
      chosen.excludedStatuses,
      chosen.unownedOnly,
      chosen.filtersUsers,
      chosen.userIds ?? null,
      chosen.userStatuses ?? null,
      chosen.managerIds ?? null,
      attributes,
      chosen.groups.map((group) => group.appId),
      chosen.groups.map((group) => group.id),
    ],
  );
}

/** Freezes the policies that the frozen entitlements name; ids of no policy are left out. */
export async function insertSnapshotPolicies(context: Context, reviewId: string): Promise<void> {
  await context.db.run(
    `INSERT INTO review_policies (tenant_id, review_id, policy_id, document)
     SELECT $1, $2, p.id, p.document || jsonb_build_object('id', p.id) FROM policies p
     WHERE p.tenant_id = $1 AND p.id IN (SELECT e.policy_id FROM review_entitlements e WHERE e.tenant_id = $1 AND e.review_id = $2)`,
    [context.tenantId, reviewId],
  );
}

/** The frozen policies of a review, each with its type, and the ids that frozen entitlements name and no policy has. */
export function listSnapshotPolicies(
  context: Context,
  reviewId: string,
): Promise<{ id: string; document: JsonObject | null; policyType: string; deleted: boolean }[]> {
  return context.db.rows(
    `SELECT n.policy_id AS id, r.document, coalesce(p.policy_type, '') AS "policyType", p.deleted_at IS NOT NULL AS deleted
     FROM (SELECT DISTINCT e.policy_id FROM review_entitlements e WHERE e.tenant_id = $1 AND e.review_id = $2) n
     LEFT JOIN review_policies r ON r.tenant_id = $1 AND r.review_id = $2 AND r.policy_id = n.policy_id
     LEFT JOIN policies p ON p.tenant_id = $1 AND p.id = n.policy_id ORDER BY n.policy_id`,
    [context.tenantId, reviewId],
  );
}

/**
 * Shows the planner what a snapshot brought, before anything is joined with it: without it, the first pages and reports after a large prepare
 * would be planned for empty tables. A sample of each table, whatever its size; one prepare at a time waits for another's.
 */
export async function analyzeTables(
  context: Context,
  tables: readonly ('review_accounts' | 'review_entitlements' | 'tasks' | 'task_assignments' | 'task_subject_assignments')[],
): Promise<void> {
  for (const table of tables) {
    await context.db.rows('SELECT update_statistics($1)', [table]);
  }
}

/** Removes the snapshot of a review; its tasks are removed by the module tasks. */
export async function removeSnapshot(context: Context, reviewId: string): Promise<void> {
  for (const table of ['review_accounts', 'review_entitlements', 'review_policies']) {
    await context.db.run(`DELETE FROM ${table} WHERE tenant_id = $1 AND review_id = $2`, [context.tenantId, reviewId]);
  }
}

/** The condition over a grant `g` that a filter means at this moment. */
export function getGrantCondition({ tenantId }: Context, filter: GrantFilter, now: Date): Sql {
  const ago = (seconds: number): Sql => sql`${timeBefore(now, seconds * 1000)}::timestamptz`;
  const addedAt = sql`coalesce(g.granted_at, g.created_at)`;
  const conditions: Conditions<GrantFilter> = {
    heldHow: (how) =>
      // An empty path among the paths says that it is also held directly; jsonb's @> would find one in every path.
      how === 'DIRECT'
        ? sql`(g.paths IS NULL OR EXISTS (SELECT FROM jsonb_array_elements(g.paths) AS path WHERE path = '[]'))`
        : sql`EXISTS (SELECT FROM jsonb_array_elements(g.paths) AS path WHERE path <> '[]')`,
    lasts: (how) => (how === 'TEMPORARY' ? sql`g.deprovision_at IS NOT NULL` : sql`g.deprovision_at IS NULL`),
    addedAtLeastSecondsAgo: (seconds) => sql`${addedAt} <= ${ago(seconds)}`,
    addedFrom: (moment) => sql`${addedAt} >= ${moment}::timestamptz`,
    addedBefore: (moment) => sql`${addedAt} < ${moment}::timestamptz`,
    // An unknown last use counts as unused.
    unusedForSeconds: (seconds) => sql`(g.last_used_at IS NULL OR g.last_used_at <= ${ago(seconds)})`,
    // A subselect, so that the tasks are looked up for one grant at a time whatever the planner assumes.
    unreviewedForSeconds: (seconds) => sql`NOT EXISTS (
      SELECT FROM task_reviews pb WHERE pb.tenant_id = ${tenantId} AND pb.state IN ('OPEN', 'CLOSING', 'CLOSED') AND (
        SELECT true FROM tasks pt WHERE pt.tenant_id = ${tenantId} AND pt.review_id = pb.id AND pt.account_id = g.account_id
          AND pt.entitlement_id = g.entitlement_id AND pt.outcome IN ('CERTIFIED', 'DECERTIFIED')
          AND pt.ended_at > ${ago(seconds)} LIMIT 1))`,
  };
  return allOf(conditionsOf(filter, conditions));
}

/** A snapshot, the revision of the inventory it is read at, and what narrows its grants `g`. */
export interface SnapshotGrants {
  readonly reviewId: string;
  readonly revision: number;
  readonly condition: Sql;
}

/** That the grant `g` is held at a revision. */
const isHeldAt = (revision: number): Sql =>
  sql`g.added_revision <= ${revision} AND (g.removed_revision IS NULL OR g.removed_revision > ${revision})`;

/** How many items a snapshot that the planner knows has. */
export async function countItems({ db, tenantId }: Context, { reviewId, revision, condition }: SnapshotGrants): Promise<number> {
  const { count } = await db.one<{ count: number }>(
    sql`SELECT count(*) AS count
    FROM review_accounts a
    JOIN grants g ON g.tenant_id = ${tenantId} AND g.app_id = a.app_id AND g.account_id = a.account_id AND ${isHeldAt(revision)}
    JOIN review_entitlements e
      ON e.tenant_id = ${tenantId} AND e.review_id = ${reviewId} AND e.app_id = g.app_id AND e.entitlement_id = g.entitlement_id
    WHERE a.tenant_id = ${tenantId} AND a.review_id = ${reviewId} AND (${condition})`,
  );
  return count;
}

/**
 * Whether a snapshot has any item: stops at the first. The snapshot was made in this transaction, so the planner takes it for empty and would
 * pair every account with every entitlement first. Each OFFSET 0 holds it to the order account, its grants, their entitlement: one index
 * look-up for each.
 */
export async function hasItems({ db, tenantId }: Context, { reviewId, revision, condition }: SnapshotGrants): Promise<boolean> {
  const { found } = await db.one<{ found: boolean }>(
    sql`SELECT EXISTS (
    SELECT FROM review_accounts a
    CROSS JOIN LATERAL (
      SELECT g.* FROM grants g
      WHERE g.tenant_id = ${tenantId} AND g.app_id = a.app_id AND g.account_id = a.account_id AND ${isHeldAt(revision)} OFFSET 0) g
    CROSS JOIN LATERAL (
      SELECT FROM review_entitlements e
      WHERE e.tenant_id = ${tenantId} AND e.review_id = ${reviewId} AND e.app_id = a.app_id AND e.entitlement_id = g.entitlement_id OFFSET 0) e
    WHERE a.tenant_id = ${tenantId} AND a.review_id = ${reviewId} AND (${condition})) AS found`,
  );
  return found;
}

/** What a preview shows; lists hold the first 100 by number of items. */
export interface PreviewCounts {
  readonly items: number;
  readonly accounts: number;
  readonly people: number;
  readonly entitlements: number;
  readonly fallbackItems: number;
  readonly unassignedItems: number;
  readonly appCount: number;
  readonly reviewerCount: number;
  readonly apps: readonly { appId: string; displayName: string; items: number }[];
  readonly reviewers: readonly { userId: string; displayName: string; reason: string; items: number }[];
  readonly unassigned: readonly { userId: string | null; displayName: string; appId: string; accountId: string; items: number }[];
}

/** Counts a snapshot by app and by reviewer. One pass over the items, the rest in proportion to the accounts. */
export async function countPreview({ db, tenantId }: Context, { reviewId, revision, condition }: SnapshotGrants): Promise<PreviewCounts> {
  // The planner takes what was just made for empty and would loop over it. What is to be looked up row by row says so itself: OFFSET 0, and no
  // coalesce() there, which row-level security keeps from an index (it is not known to leak nothing).
  await db.run("SET LOCAL enable_nestloop = off; SET LOCAL plan_cache_mode = force_custom_plan; SET LOCAL work_mem = '32MB'");
  const { counts } = await db.one<{ counts: PreviewCounts }>(
    sql`WITH held AS MATERIALIZED (
       SELECT a.app_id, a.account_id, a.user_id, g.entitlement_id
       FROM review_accounts a
       CROSS JOIN LATERAL (
         SELECT g.entitlement_id FROM grants g WHERE g.tenant_id = ${tenantId} AND g.app_id = a.app_id AND g.account_id = a.account_id
           AND ${isHeldAt(revision)} AND (${condition}) OFFSET 0) g
       WHERE a.tenant_id = ${tenantId} AND a.review_id = ${reviewId}),
     counted AS MATERIALIZED (
       SELECT h.app_id, h.account_id, h.user_id, coalesce(h.user_id, '') AS user_key, e.policy_id, count(*) AS n
       FROM held h
       JOIN review_entitlements e ON e.tenant_id = ${tenantId} AND e.review_id = ${reviewId} AND e.app_id = h.app_id AND e.entitlement_id = h.entitlement_id
       GROUP BY h.app_id, h.account_id, h.user_id, e.policy_id),
     items AS MATERIALIZED (
       SELECT c.app_id, c.account_id, c.user_id, r.assignment_id, c.n
       FROM counted c
       LEFT JOIN LATERAL (
         SELECT x.assignment_id FROM task_subject_assignments x
         WHERE x.tenant_id = ${tenantId} AND x.review_id = ${reviewId} AND x.policy_id = c.policy_id AND x.app_id = c.app_id AND x.user_id = c.user_key
         OFFSET 0) r ON true),
     by_set AS (SELECT i.assignment_id, sum(i.n) AS n FROM items i WHERE i.assignment_id IS NOT NULL GROUP BY i.assignment_id),
     by_app AS (SELECT i.app_id, sum(i.n)::bigint AS n FROM items i GROUP BY i.app_id),
     by_reviewer AS (
       SELECT p.user_id, sum(b.n)::bigint AS n, string_agg(DISTINCT s.reason, ', ' ORDER BY s.reason) AS reason
       FROM by_set b JOIN task_assignments s ON s.tenant_id = ${tenantId} AND s.id = b.assignment_id, unnest(s.user_ids) AS p (user_id) GROUP BY p.user_id)
     SELECT jsonb_build_object(
       'items', (SELECT coalesce(sum(i.n), 0) FROM items i), 'accounts', (SELECT count(DISTINCT (i.app_id, i.account_id)) FROM items i),
       'people', (SELECT count(DISTINCT i.user_id) FROM items i),
       'entitlements', (SELECT count(*) FROM review_entitlements e WHERE e.tenant_id = ${tenantId} AND e.review_id = ${reviewId}),
       'fallbackItems', (SELECT coalesce(sum(b.n), 0) FROM by_set b JOIN task_assignments s ON s.tenant_id = ${tenantId} AND s.id = b.assignment_id AND s.is_fallback),
       'unassignedItems', (SELECT coalesce(sum(i.n), 0) FROM items i WHERE i.assignment_id IS NULL),
       'appCount', (SELECT count(*) FROM by_app), 'reviewerCount', (SELECT count(*) FROM by_reviewer),
       'apps', (SELECT coalesce(jsonb_agg(jsonb_build_object('appId', x.app_id, 'displayName', x.display_name, 'items', x.n) ORDER BY x.n DESC, x.app_id), '[]')
         FROM (SELECT b.app_id, p.display_name, b.n FROM by_app b JOIN apps p ON p.tenant_id = ${tenantId} AND p.id = b.app_id ORDER BY b.n DESC, b.app_id LIMIT 100) x),
       'reviewers', (SELECT coalesce(jsonb_agg(jsonb_build_object('userId', x.user_id, 'displayName', x.display_name, 'reason', x.reason, 'items', x.n)
           ORDER BY x.n DESC, x.user_id), '[]')
         FROM (SELECT b.user_id, u.display_name, b.reason, b.n FROM by_reviewer b JOIN users u ON u.tenant_id = ${tenantId} AND u.id = b.user_id
               ORDER BY b.n DESC, b.user_id LIMIT 100) x),
       'unassigned', (SELECT coalesce(jsonb_agg(jsonb_build_object('userId', x.user_id, 'displayName', x.name, 'appId', x.app_id,
           'accountId', x.account_id, 'items', x.n) ORDER BY x.n DESC, x.account_id), '[]')
         FROM (SELECT i.user_id, coalesce(nullif(a.user_display_name, ''), a.external_id) AS name, i.app_id, i.account_id, i.n
               FROM items i JOIN review_accounts a ON a.tenant_id = ${tenantId} AND a.review_id = ${reviewId} AND a.app_id = i.app_id AND a.account_id = i.account_id
               WHERE i.assignment_id IS NULL ORDER BY i.n DESC, i.account_id LIMIT 100) x)) AS counts`,
  );
  return counts;
}

/** Which of these are there: ids in the order given that are of nothing. */
export async function listUnknownIds(context: Context, kind: 'apps' | 'users', ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) {
    return [];
  }
  const condition = kind === 'apps' ? 'AND x.deleted_at IS NULL' : '';
  const rows = await context.db.rows<{ id: string }>(
    `SELECT i.id FROM unnest($2::text[]) AS i (id) WHERE NOT EXISTS (
       SELECT FROM ${kind} x WHERE x.tenant_id = $1 AND x.id = i.id ${condition}) LIMIT 100`,
    [context.tenantId, ids],
  );
  return rows.map((row) => row.id);
}

/** Of the entitlements and resource types that a review names one by one, the first 100 that are not there, as "what: app id/id". */
export async function listUnknownChoices(
  context: Context,
  reviewId: string,
  chosen: ReviewScope,
): Promise<{ kind: string; appId: string; id: string }[]> {
  return context.db.rows(
    `SELECT * FROM (
       SELECT 'entitlement' AS kind, n.app_id AS "appId", n.id FROM (
         SELECT x.app_id, x.id FROM unnest($3::text[], $4::text[]) AS x (app_id, id)
         UNION SELECT s.app_id, s.entitlement_id FROM review_setup_entitlements s WHERE s.tenant_id = $1 AND s.review_id = $2
         UNION SELECT y.app_id, y.id FROM unnest($5::text[], $6::text[]) AS y (app_id, id)) n
       WHERE NOT EXISTS (SELECT FROM entitlements e WHERE e.tenant_id = $1 AND e.app_id = n.app_id AND e.id = n.id AND e.deleted_at IS NULL)
       UNION ALL
       SELECT 'resource type', t.app_id, t.resource_type_id FROM review_setup_resource_types t
       WHERE t.tenant_id = $1 AND t.review_id = $2 AND NOT EXISTS (
         SELECT FROM resource_types r WHERE r.tenant_id = $1 AND r.app_id = t.app_id AND r.id = t.resource_type_id AND r.deleted_at IS NULL)) u
     ORDER BY kind, "appId", id LIMIT 100`,
    [
      context.tenantId,
      reviewId,
      chosen.entitlements.map((one) => one.appId),
      chosen.entitlements.map((one) => one.entitlementId),
      chosen.groups.map((one) => one.appId),
      chosen.groups.map((one) => one.id),
    ],
  );
}
