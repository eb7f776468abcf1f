/**
 * SQL that freezes a snapshot: the chosen entitlements, what was reviewed lately or is in conflict, and the policies; accounts and people are in
 * store-holders.ts. Each is one statement in proportion to accounts and entitlements, never to grants; the tasks are made from it piece by piece by
 * the module tasks.
 */
import { usualSettings, wholeSettings } from '../../conflicts/index.ts';
import { empty, fixed, joinSql, type Sql, sql } from '../../../lib/sql.ts';
import type { PolicyJson } from '../../../gen/c1/api/policy/v1/policy_pb.js';
import type { Context } from '../../../context.ts';
import type { ReviewPolicy, ReviewScope, What } from '../scope/index.ts';
import { getAddedSql, getCarriersSql, getInheritedResourcesSql } from '../items/index.ts';

/** Lets all statements of a transaction see the database at one moment, that of the next one. Nothing may have been asked in it before. */
export async function setOneMoment(context: Context): Promise<void> {
  await context.db.run('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ');
}

/** The chosen entitlements, each with the policy that was named for it, '' for none; some more than once. */
function getChosen(context: Context, reviewId: string, what: What): Sql {
  const { tenantId } = context;
  const all = (where: Sql): Sql => sql`SELECT e.app_id, e.id AS entitlement_id, '' AS policy_id FROM entitlements_public e
    WHERE e.tenant_id = ${tenantId} AND e.deleted_at IS NULL AND ${where}`;
  const setup = sql`SELECT s.app_id, s.entitlement_id, s.custom_policy_id AS policy_id FROM review_setup_entitlements s
    WHERE s.tenant_id = ${tenantId} AND s.review_id = ${reviewId}`;
  const types = sql`SELECT t.app_id, t.resource_type_id FROM review_setup_resource_types t
    WHERE t.tenant_id = ${tenantId} AND t.review_id = ${reviewId}`;
  if (what.everything) {
    return all(what.appAccess ? sql`e.is_app_access` : sql`TRUE`);
  }
  if (what.scopeType === 'BY_RESOURCE') {
    return all(sql`e.resource_id <> '' AND (e.app_id, e.resource_id) IN (
      SELECT r.app_id, r.object_id FROM scope_entries r WHERE r.tenant_id = ${tenantId} AND r.subject_id = ${reviewId} AND r.list = 'RESOURCE')`);
  }
  if (what.scopeType === 'BY_ACCESS_CONFLICTS') {
    // What a negated group B holds is what makes no conflict.
    return all(sql`(e.app_id, e.id) IN (SELECT s.app_id, s.entitlement_id FROM conflict_entitlements s
      JOIN monitors_public m ON m.tenant_id = ${tenantId} AND m.id = s.monitor_id AND m.enabled AND m.deleted_at IS NULL
      WHERE s.tenant_id = ${tenantId} AND (s.side = 'A' OR NOT m.negate_group_b) AND (${what.allMonitors}::boolean OR m.id IN (
        SELECT o.object_id FROM scope_entries o WHERE o.tenant_id = ${tenantId} AND o.subject_id = ${reviewId} AND o.list = 'MONITOR')))`);
  }
  if (what.scopeType === 'BY_INHERITANCE') {
    return all(sql`e.resource_id <> '' AND (e.app_id, e.resource_id) IN (${getInheritedResourcesSql(context, reviewId, what)})`);
  }
  if (what.appAccess) {
    return all(sql`e.is_app_access AND (e.app_id = ANY (${what.namedAppIds}::text[]) OR e.app_id IN (
      SELECT s.app_id FROM (${setup}) s UNION SELECT t.app_id FROM (${types}) t))`);
  }
  const parts = [
    all(sql`e.app_id = ANY (${what.wholeAppIds}::text[]) AND NOT e.is_app_access`),
    sql`SELECT n.app_id, n.entitlement_id, n.policy_id FROM unnest(${what.entitlements.map((one) => one.appId)}::text[],
      ${what.entitlements.map((one) => one.entitlementId)}::text[], ${what.entitlements.map((one) => one.policyId)}::text[])
      AS n (app_id, entitlement_id, policy_id)`,
    setup,
    all(sql`e.resource_type_id <> '' AND (e.app_id, e.resource_type_id) IN (${types})`),
    ...(what.criteria === undefined
      ? []
      : [
          all(sql`(cardinality(${what.criteria.riskLevelIds}::text[]) = 0 OR e.risk_level_value_id = ANY (${what.criteria.riskLevelIds}::text[]))
            AND (cardinality(${what.criteria.frameworkIds}::text[]) = 0
              OR e.compliance_framework_value_ids && ${what.criteria.frameworkIds}::text[])`),
        ]),
  ];
  return joinSql(parts, ' UNION ALL ');
}

/** Entitlements for which a review names more than one policy itself, the first 100, each with those policies. */
export function listDoublePolicies(
  context: Context,
  reviewId: string,
  what: What,
): Promise<{ appId: string; entitlementId: string; policyIds: string[] }[]> {
  return context.db.rows(
    sql`SELECT w.app_id AS "appId", w.entitlement_id AS "entitlementId", array_agg(DISTINCT w.policy_id ORDER BY w.policy_id) AS "policyIds"
     FROM (${getChosen(context, reviewId, what)}) w WHERE w.policy_id <> ''
     GROUP BY w.app_id, w.entitlement_id HAVING count(DISTINCT w.policy_id) > 1 ORDER BY w.app_id, w.entitlement_id LIMIT 100`,
  );
}

/**
 * Freezes the chosen entitlements as they are now, with the policy that decides each, those left out by the list too; how many. With a revision only
 * those that somebody got after it, unless others say what they pass on.
 */
export function insertSnapshotEntitlements(
  context: Context,
  snapshotId: string,
  reviewId: string,
  { what, filters }: ReviewScope,
  policy: ReviewPolicy,
  after?: number,
): Promise<number> {
  const { tenantId } = context;
  const isNew =
    after === undefined || what.scopeType === 'BY_INHERITANCE'
      ? empty
      : sql`WHERE (o.app_id, o.entitlement_id) IN (SELECT g.app_id, g.entitlement_id FROM (${getAddedSql(tenantId, after)}) g)`;
  const given = (ids: readonly string[] | 'all' | undefined): Sql =>
    ids === undefined
      ? sql`'{}'`
      : sql`ARRAY(SELECT y.profile_id FROM profile_entitlements_public y JOIN profiles_public z ON z.tenant_id = ${tenantId} AND z.id = y.profile_id
          WHERE y.tenant_id = ${tenantId} AND y.app_id = e.app_id AND y.entitlement_id = e.id AND y.part = 'REQUESTABLE' AND z.deleted_at IS NULL
            ${ids === 'all' ? fixed('') : sql`AND y.profile_id = ANY (${ids}::text[])`} ORDER BY y.profile_id)`;
  const carrying =
    what.scopeType === 'BY_INHERITANCE'
      ? sql`, ${getCarriersSql(context)}, carrying AS (SELECT k.app_id, k.entitlement_id FROM carriers k EXCEPT SELECT w.app_id, w.entitlement_id FROM what w)`
      : sql`, carrying AS (SELECT w.app_id, w.entitlement_id FROM what w WHERE FALSE)`;
  return context.db.run(
    sql`WITH RECURSIVE what AS (${getChosen(context, reviewId, what)})${carrying},
     one_each AS (
       SELECT w.app_id, w.entitlement_id, max(w.policy_id) AS policy_id, false AS is_carrier FROM what w GROUP BY w.app_id, w.entitlement_id
       UNION ALL SELECT k.app_id, k.entitlement_id, '', true FROM carrying k)
     INSERT INTO review_entitlements (tenant_id, review_id, app_id, entitlement_id, app_display_name, resource_type_id,
       resource_type_display_name, resource_id, resource_display_name, display_name, description, policy_id, is_app_access, alias, slug, purpose,
       risk_level_value_id, compliance_framework_value_ids, risk_level_display_name, included_profile_ids, excluded_profile_ids, is_excluded, is_carrier)
     SELECT ${tenantId}, ${snapshotId}, e.app_id, e.id, a.display_name, e.resource_type_id, coalesce(rt.display_name, ''), e.resource_id,
       coalesce(rs.display_name, ''), e.display_name, e.description,
       coalesce(nullif(o.policy_id, ''),
         CASE WHEN ${policy.usePolicyOverride}::boolean THEN coalesce(nullif(e.certify_policy_id, ''), nullif(a.certify_policy_id, '')) END,
         ${policy.policyId}),
       e.is_app_access, e.alias, e.slug, e.purpose, e.risk_level_value_id, e.compliance_framework_value_ids,
       coalesce((SELECT v.value FROM classifications_public v WHERE v.tenant_id = ${tenantId} AND v.id = e.risk_level_value_id), ''),
       ${given(filters.profiles.included)}, ${given(filters.profiles.excluded)},
       EXISTS (SELECT FROM scope_entries x WHERE x.tenant_id = ${tenantId} AND x.subject_id = ${reviewId} AND x.list = 'EXCLUSION'
         AND x.app_id = e.app_id AND (x.kind = 'ENTITLEMENT' AND x.entitlement_id = e.id OR x.kind = 'RESOURCE' AND x.object_id = e.resource_id
           OR x.kind = 'RESOURCE_TYPE' AND x.object_id = e.resource_type_id)), o.is_carrier
     FROM one_each o
     JOIN entitlements_public e ON e.tenant_id = ${tenantId} AND e.app_id = o.app_id AND e.id = o.entitlement_id AND e.deleted_at IS NULL
     JOIN apps_public a ON a.tenant_id = ${tenantId} AND a.id = e.app_id AND a.deleted_at IS NULL
     LEFT JOIN resource_types_public rt ON rt.tenant_id = ${tenantId} AND rt.app_id = e.app_id AND rt.id = e.resource_type_id
     LEFT JOIN resources_public rs ON rs.tenant_id = ${tenantId} AND rs.app_id = e.app_id AND rs.id = e.resource_id
     ${isNew}`,
  );
}

/** Counts the entitlements of a snapshot that are asked about, and tells whether anybody holds one of them, directly or through a resource. */
export function findChosenHeld({ db, tenantId }: Context, snapshotId: string): Promise<{ entitlements: number; isHeld: boolean }> {
  const chosen = sql`FROM review_entitlements e WHERE e.tenant_id = ${tenantId} AND e.review_id = ${snapshotId} AND NOT e.is_excluded`;
  return db.one(
    sql`SELECT (SELECT count(*) ${chosen}) AS entitlements,
      EXISTS (SELECT ${chosen} AND (
        EXISTS (SELECT FROM grants_held g WHERE g.tenant_id = ${tenantId} AND g.app_id = e.app_id AND g.entitlement_id = e.entitlement_id)
        OR EXISTS (SELECT FROM links_public l WHERE l.tenant_id = ${tenantId} AND l.app_id = e.app_id AND l.to_entitlement_id = e.entitlement_id
          AND l.removed_revision IS NULL))) AS "isHeld"`,
  );
}

/** Freezes what was decided lately, so that later decisions change nothing of the snapshot: `rows` selects `account_id` and `entitlement_id`. */
export async function insertSnapshotReviewed({ db, tenantId }: Context, snapshotId: string, rows: Sql): Promise<void> {
  await db.run(
    sql`INSERT INTO review_reviewed (tenant_id, review_id, account_id, entitlement_id)
     SELECT DISTINCT ${tenantId}, ${snapshotId}, n.account_id, n.entitlement_id FROM (${rows}) n`,
  );
}

/**
 * Freezes grants that are in conflict: `rows` selects `monitor_id`, `app_id`, `account_id` and `entitlement_id`, some more than once; `looksAtAll`
 * where it goes through all that is held.
 */
export async function insertSnapshotConflicts(
  { db, tenantId }: Context,
  snapshotId: string,
  rows: Sql,
  looksAtAll: boolean,
): Promise<void> {
  if (looksAtAll) {
    await db.run(wholeSettings);
  }
  await db.run(
    sql`INSERT INTO review_conflict_grants (tenant_id, review_id, app_id, account_id, entitlement_id, monitor_ids)
     SELECT ${tenantId}, ${snapshotId}, n.app_id, n.account_id, n.entitlement_id, array_agg(DISTINCT n.monitor_id ORDER BY n.monitor_id)
     FROM (${rows}) n GROUP BY n.app_id, n.account_id, n.entitlement_id`,
  );
  if (looksAtAll) {
    await db.run(usualSettings);
  }
}

/** Freezes the policies that the frozen entitlements name, and all that these refer to; ids of no policy are left out. */
export async function insertSnapshotPolicies(context: Context, reviewId: string): Promise<void> {
  await context.db.run(
    `WITH RECURSIVE roots AS (
       SELECT DISTINCT e.policy_id AS id FROM review_entitlements e WHERE e.tenant_id = $1 AND e.review_id = $2 AND NOT e.is_excluded),
     reached AS (
       SELECT r.id FROM roots r
       UNION SELECT p.referenced_id FROM reached x JOIN policy_references p ON p.tenant_id = $1 AND p.policy_id = x.id)
     INSERT INTO review_policies (tenant_id, review_id, policy_id, document, is_root)
     SELECT $1, $2, p.id, p.document || jsonb_build_object('id', p.id), p.id IN (SELECT r.id FROM roots r) FROM policies_public p
     WHERE p.tenant_id = $1 AND p.id IN (SELECT x.id FROM reached x)`,
    [context.tenantId, reviewId],
  );
}

/** The policies that a review froze, and which of them its items name. */
export function listFrozenPolicies(context: Context, reviewId: string): Promise<{ id: string; document: PolicyJson; isRoot: boolean }[]> {
  return context.db.rows(
    `SELECT p.policy_id AS id, p.document, p.is_root AS "isRoot" FROM review_policies p WHERE p.tenant_id = $1 AND p.review_id = $2 ORDER BY p.policy_id`,
    [context.tenantId, reviewId],
  );
}

/** The frozen policies of a review with their types, and the ids that frozen entitlements name and no policy has, as deleted. */
export function listSnapshotPolicies(context: Context, reviewId: string): Promise<{ id: string; policyType: string; deleted: boolean }[]> {
  return context.db.rows(
    `SELECT n.policy_id AS id, coalesce(p.policy_type, '') AS "policyType", p.id IS NULL OR p.deleted_at IS NOT NULL AS deleted
     FROM (SELECT e.policy_id FROM review_entitlements e WHERE e.tenant_id = $1 AND e.review_id = $2 AND NOT e.is_excluded
           UNION SELECT r.policy_id FROM review_policies r WHERE r.tenant_id = $1 AND r.review_id = $2) n
     LEFT JOIN policies_public p ON p.tenant_id = $1 AND p.id = n.policy_id ORDER BY n.policy_id`,
    [context.tenantId, reviewId],
  );
}

/**
 * Shows the planner what a snapshot brought, before anything is joined with it: without it, the first pages and reports after a large prepare
 * would be planned for empty tables. A sample of each table, whatever its size; one prepare at a time waits for another's.
 */
export async function analyzeTables(
  context: Context,
  tables: readonly (
    | 'review_accounts'
    | 'review_entitlements'
    | 'review_people'
    | 'review_peers'
    | 'tasks'
    | 'task_assignments'
    | 'task_subject_assignments'
  )[],
): Promise<void> {
  for (const table of tables) {
    await context.db.rows('SELECT update_statistics($1)', [table]);
  }
}

/** Removes the snapshot of a review; its tasks are removed by the module tasks. */
export async function removeSnapshot(context: Context, reviewId: string): Promise<void> {
  for (const table of [
    'review_accounts',
    'review_people',
    'review_peers',
    'review_entitlements',
    'review_policies',
    'review_reviewed',
    'review_conflict_grants',
    'review_items',
    'review_digests',
    'review_verdicts',
    'review_sources',
    'review_source_changes',
    'review_unchosen',
    'review_snapshots',
  ]) {
    await context.db.run(`DELETE FROM ${table} WHERE tenant_id = $1 AND review_id = $2`, [context.tenantId, reviewId]);
  }
}
