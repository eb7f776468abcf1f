/**
 * SQL that counts a snapshot: what it would ask and of whom. One pass over the items, the rest in proportion to the accounts.
 */
import { empty, type Sql, sql } from '../../lib/sql.ts';
import type { Context } from '../../context.ts';
import type { Plans } from '../policies/index.ts';
import { getHolds, getObjectPick, getRoutePick, type ItemConditions, listMachineRoutes, type PrincipalKind } from '../tasks/index.ts';
import { getJudgedGrants, type SnapshotItems } from './store-items.ts';

/** The filters in the order they are asked, and what remains. */
const funnelStages = [
  'NOT_CHOSEN',
  'EXCLUDED_BY_LIST',
  'EXCLUSION_SCOPE',
  'LEGACY',
  'ACCOUNT',
  'ACCOUNT_CEL',
  'UNOWNED',
  'USER',
  'USER_CEL',
  'CEL_ERROR',
  'GRANT',
  'ITEM',
] as const;

/** The grants of which this filter is the first that leaves them out, and a few of their accounts, each with its owner. */
export interface FunnelStage {
  readonly filter: (typeof funnelStages)[number];
  readonly grants: number;
  readonly samples: readonly string[];
}

/** Accounts that a stage of the funnel shows. */
const samplesPerStage = 5;

/** Items that a preview shows one by one. */
export const sampleItems = 10;

/** What a preview shows; lists hold the first 100 by number of items. */
export interface PreviewCounts {
  readonly items: number;
  readonly accounts: number;
  /** Items that are links of resources; the funnel, which is of grants, leaves them out. */
  readonly linkItems: number;
  readonly people: number;
  readonly entitlements: number;
  /** Entitlements of items that have no description, and the items that ask about them. */
  readonly undescribedEntitlements: number;
  readonly undescribedItems: number;
  readonly fallbackItems: number;
  readonly unassignedItems: number;
  /** Items that ask nobody: the policy decides them by itself, or waits first. */
  readonly acceptedItems: number;
  readonly rejectedItems: number;
  readonly waitingItems: number;
  readonly appCount: number;
  readonly reviewerCount: number;
  readonly funnel: readonly FunnelStage[];
  /** Up to ten accounts or resources that have an item, chosen by a seed. */
  readonly sampleIds: readonly string[];
  readonly topEntitlements: readonly { appId: string; appEntitlementId: string; displayName: string; items: number }[];
  readonly apps: readonly { appId: string; displayName: string; items: number }[];
  readonly reviewers: readonly { userId: string; displayName: string; reason: string; items: number }[];
  readonly unassigned: readonly {
    userId: string | null;
    displayName: string;
    appId: string;
    accountId: string;
    principalKind: PrincipalKind;
    items: number;
  }[];
}

/**
 * The grants of the apps of a snapshot by filter, and those that are items by route: once counted by account (`of_account`), once by entitlement.
 * One pass that keeps no row of a single grant.
 */
function getGroups(context: Context, items: SnapshotItems, plans: Plans, conditions: ItemConditions | undefined): Sql {
  const { tenantId } = context;
  const { id: reviewId } = items;
  const route = getRoutePick(plans, { policyId: sql`e.policy_id`, holds: getHolds('h', 'e', conditions) });
  const object = getObjectPick(plans, {
    routeNo: sql`h.route_no`,
    entitlementId: sql`h.entitlement_id`,
    resourceId: sql`h.resource_id`,
    accountId: sql`h.account_id`,
  });
  // OFFSET 0: otherwise accounts would be paired with entitlements of their app before their grants are joined.
  const held = sql`SELECT c.app_id, c.account_id, c.principal_kind, c.user_id, c.excluded_by, c.access_profile_ids, c.conditions, h.*
    FROM review_accounts c CROSS JOIN LATERAL (${getJudgedGrants(context, items)}) h
    WHERE c.tenant_id = ${tenantId} AND c.review_id = ${reviewId} OFFSET 0`;
  return sql`SELECT grouping(j.account_id) = 0 AS of_account, j.stage, j.app_id, j.account_id, j.principal_kind, j.user_id, j.route_no, j.object_id,
      j.entitlement_id, count(*) AS n
    FROM (SELECT h.stage, h.app_id, h.account_id, h.principal_kind, h.user_id, h.entitlement_id,
        CASE WHEN h.stage = 'ITEM' THEN h.route_no END AS route_no, CASE WHEN h.stage = 'ITEM' THEN ${object} END AS object_id
      FROM (SELECT h.app_id, h.account_id, h.principal_kind, h.user_id, h.entitlement_id, e.resource_id,
          CASE WHEN e.entitlement_id IS NULL OR NOT h.is_chosen THEN 'NOT_CHOSEN' WHEN e.is_excluded OR h.is_listed THEN 'EXCLUDED_BY_LIST'
            WHEN h.excluded_by <> '' THEN h.excluded_by WHEN NOT (h.passes AND ${items.ofEntitlement}) THEN 'GRANT' ELSE 'ITEM' END AS stage,
          CASE WHEN e.entitlement_id IS NOT NULL THEN ${route} END AS route_no
        FROM (${held}) h
        LEFT JOIN review_entitlements e
          ON e.tenant_id = ${tenantId} AND e.review_id = ${reviewId} AND e.app_id = h.app_id AND e.entitlement_id = h.entitlement_id
        ${conditions?.getJoins(() => sql`TRUE`) ?? empty}) h
      OFFSET 0) j
    GROUP BY GROUPING SETS ((j.stage, j.app_id, j.account_id, j.principal_kind, j.user_id, j.route_no, j.object_id), (j.stage, j.app_id, j.entitlement_id))`;
}

/** Counts a snapshot by filter, by app and by reviewer. One pass over all grants of its apps, the rest in proportion to the accounts. */
export async function countPreview(
  context: Context,
  items: SnapshotItems,
  plans: Plans,
  conditions: ItemConditions | undefined,
  sampleSeed: string,
): Promise<PreviewCounts> {
  const { db, tenantId } = context;
  const { id: reviewId } = items;
  const machine = listMachineRoutes(plans);
  const ofMachines = [...machine.accept, ...machine.reject, ...machine.wait];
  const countOn = (routes: readonly number[]) =>
    sql`(SELECT coalesce(sum(i.n), 0) FROM items i WHERE i.route_no = ANY (${routes}::smallint[]))`;
  const isUnassigned = sql`i.assignment_id IS NULL AND i.route_no <> ALL (${ofMachines}::smallint[])`;
  // Whom a person was found for comes before whom everybody was. Somebody may be found to be nobody.
  const asked = (ofPerson: boolean): Sql =>
    sql`SELECT r.route_no, r.app_id, r.object_id, r.user_id, r.assignment_id, TRUE AS found FROM task_subject_assignments r
      WHERE r.tenant_id = ${tenantId} AND r.review_id = ${reviewId} AND (r.user_id <> '') = ${ofPerson}`;
  // The planner takes what was just made for empty and would loop over it. What is to be looked up row by row says so itself: OFFSET 0, and no
  // coalesce() there, which row-level security keeps from an index (it is not known to leak nothing).
  await db.run(
    "SET LOCAL enable_nestloop = off; SET LOCAL enable_mergejoin = off; SET LOCAL plan_cache_mode = force_custom_plan; SET LOCAL work_mem = '32MB'",
  );
  const { counts } = await db.one<{ counts: PreviewCounts }>(
    sql`WITH judged AS MATERIALIZED (${getGroups(context, items, plans, conditions)}),
     staged AS MATERIALIZED (
       SELECT j.stage, j.app_id, j.account_id, sum(j.n)::bigint AS n FROM judged j WHERE j.of_account AND j.principal_kind = 'A'
       GROUP BY j.stage, j.app_id, j.account_id),
     funnel AS (SELECT s.stage, sum(s.n)::bigint AS n FROM staged s GROUP BY s.stage),
     samples AS (
       SELECT f.stage, jsonb_agg(a.external_id || CASE WHEN a.user_display_name = '' THEN '' ELSE ' (' || a.user_display_name || ')' END
           ORDER BY x.app_id, x.account_id) AS names
       FROM funnel f CROSS JOIN LATERAL (
         SELECT s.app_id, s.account_id FROM staged s WHERE s.stage = f.stage ORDER BY s.app_id, s.account_id LIMIT ${samplesPerStage}) x
       CROSS JOIN LATERAL (SELECT a.external_id, a.user_display_name FROM review_accounts a
         WHERE a.tenant_id = ${tenantId} AND a.review_id = ${reviewId} AND a.app_id = x.app_id AND a.account_id = x.account_id OFFSET 0) a
       GROUP BY f.stage),
     by_entitlement AS (SELECT j.app_id, j.entitlement_id, j.n FROM judged j WHERE NOT j.of_account AND j.stage = 'ITEM'),
     items AS MATERIALIZED (
       SELECT j.app_id, j.account_id, j.principal_kind, j.user_id, j.route_no, CASE WHEN o.found THEN o.assignment_id ELSE b.assignment_id END AS assignment_id, j.n
       FROM judged j
       LEFT JOIN (${asked(true)}) o ON o.route_no = j.route_no AND o.app_id = j.app_id AND o.object_id = j.object_id AND o.user_id = j.user_id
       LEFT JOIN (${asked(false)}) b ON b.route_no = j.route_no AND b.app_id = j.app_id AND b.object_id = j.object_id
       WHERE j.of_account AND j.stage = 'ITEM'),
     by_set AS (SELECT i.assignment_id, sum(i.n) AS n FROM items i WHERE i.assignment_id IS NOT NULL GROUP BY i.assignment_id),
     undescribed AS (SELECT b.n FROM by_entitlement b JOIN review_entitlements e ON e.tenant_id = ${tenantId} AND e.review_id = ${reviewId}
       AND e.app_id = b.app_id AND e.entitlement_id = b.entitlement_id AND btrim(e.description) = ''),
     by_app AS (SELECT i.app_id, sum(i.n)::bigint AS n FROM items i GROUP BY i.app_id),
     by_reviewer AS (
       SELECT p.user_id, sum(b.n)::bigint AS n, string_agg(DISTINCT s.reason, ', ' ORDER BY s.reason) AS reason
       FROM by_set b JOIN task_assignments s ON s.tenant_id = ${tenantId} AND s.id = b.assignment_id, unnest(s.user_ids) AS p (user_id) GROUP BY p.user_id)
     SELECT jsonb_build_object(
       'items', (SELECT coalesce(sum(i.n), 0) FROM items i), 'accounts', (SELECT count(*) FROM (SELECT DISTINCT i.app_id, i.account_id FROM items i WHERE i.principal_kind = 'A') y),
       'linkItems', (SELECT coalesce(sum(i.n), 0) FROM items i WHERE i.principal_kind = 'R'),
       'people', (SELECT count(*) FROM (SELECT DISTINCT i.user_id FROM items i WHERE i.user_id IS NOT NULL) y),
       'entitlements', (SELECT count(*) FROM review_entitlements e WHERE e.tenant_id = ${tenantId} AND e.review_id = ${reviewId} AND NOT e.is_excluded
         AND (NOT e.is_carrier OR EXISTS (SELECT FROM by_entitlement b WHERE b.app_id = e.app_id AND b.entitlement_id = e.entitlement_id))),
       'undescribedEntitlements', (SELECT count(*) FROM undescribed), 'undescribedItems', (SELECT coalesce(sum(u.n), 0) FROM undescribed u),
       'fallbackItems', (SELECT coalesce(sum(b.n), 0) FROM by_set b JOIN task_assignments s ON s.tenant_id = ${tenantId} AND s.id = b.assignment_id AND s.is_fallback),
       'unassignedItems', (SELECT coalesce(sum(i.n), 0) FROM items i WHERE ${isUnassigned}),
       'acceptedItems', ${countOn(machine.accept)}, 'rejectedItems', ${countOn(machine.reject)}, 'waitingItems', ${countOn(machine.wait)},
       'funnel', (SELECT jsonb_agg(jsonb_build_object('filter', f.stage, 'grants', coalesce(n.n, 0), 'samples', coalesce(m.names, '[]')) ORDER BY f.place)
         FROM unnest(${funnelStages}::text[]) WITH ORDINALITY AS f (stage, place)
         LEFT JOIN funnel n ON n.stage = f.stage LEFT JOIN samples m ON m.stage = f.stage),
       'sampleIds', (SELECT coalesce(jsonb_agg(x.account_id), '[]') FROM (
         SELECT y.account_id FROM (SELECT DISTINCT i.account_id FROM items i) y ORDER BY md5(${sampleSeed} || y.account_id), y.account_id LIMIT ${sampleItems}) x),
       'topEntitlements', (SELECT coalesce(jsonb_agg(jsonb_build_object('appId', x.app_id, 'appEntitlementId', x.entitlement_id,
           'displayName', x.display_name, 'items', x.n) ORDER BY x.n DESC, x.app_id, x.entitlement_id), '[]')
         FROM (SELECT b.app_id, b.entitlement_id, e.display_name, b.n FROM by_entitlement b
               JOIN review_entitlements e
                 ON e.tenant_id = ${tenantId} AND e.review_id = ${reviewId} AND e.app_id = b.app_id AND e.entitlement_id = b.entitlement_id
               ORDER BY b.n DESC, b.app_id, b.entitlement_id LIMIT 100) x),
       'appCount', (SELECT count(*) FROM by_app), 'reviewerCount', (SELECT count(*) FROM by_reviewer),
       'apps', (SELECT coalesce(jsonb_agg(jsonb_build_object('appId', x.app_id, 'displayName', x.display_name, 'items', x.n) ORDER BY x.n DESC, x.app_id), '[]')
         FROM (SELECT b.app_id, p.display_name, b.n FROM by_app b JOIN apps p ON p.tenant_id = ${tenantId} AND p.id = b.app_id ORDER BY b.n DESC, b.app_id LIMIT 100) x),
       'reviewers', (SELECT coalesce(jsonb_agg(jsonb_build_object('userId', x.user_id, 'displayName', x.display_name, 'reason', x.reason, 'items', x.n)
           ORDER BY x.n DESC, x.user_id), '[]')
         FROM (SELECT b.user_id, u.display_name, b.reason, b.n FROM by_reviewer b JOIN users u ON u.tenant_id = ${tenantId} AND u.id = b.user_id
               ORDER BY b.n DESC, b.user_id LIMIT 100) x),
       'unassigned', (SELECT coalesce(jsonb_agg(jsonb_build_object('userId', x.user_id, 'displayName', x.name, 'appId', x.app_id,
           'accountId', x.account_id, 'principalKind', x.principal_kind, 'items', x.n) ORDER BY x.n DESC, x.account_id), '[]')
         FROM (SELECT i.user_id, coalesce(nullif(a.user_display_name, ''), a.external_id) AS name, i.app_id, i.account_id, i.principal_kind, i.n
               FROM items i JOIN review_accounts a ON a.tenant_id = ${tenantId} AND a.review_id = ${reviewId} AND a.app_id = i.app_id AND a.account_id = i.account_id
               WHERE ${isUnassigned} ORDER BY i.n DESC, i.account_id LIMIT 100) x)) AS counts`,
  );
  return counts;
}
