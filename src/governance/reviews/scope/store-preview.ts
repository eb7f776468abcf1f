/**
 * SQL that counts a snapshot: what it would ask and of whom. One pass over the items, the rest in proportion to the accounts.
 */
import { empty, fixed, type Sql, sql } from '../../../lib/sql.ts';
import type { Context } from '../../../context.ts';
import type { Plans } from '../../policies/index.ts';
import { getHolds, getObjectPickSql, getRoutePickSql, listMachineRoutes } from '../../tasks/index.ts';
import { getJudgedGrantsSql, type ItemConditions, type PrincipalKind, type SnapshotItems } from '../../snapshots/index.ts';

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

/** Figures of a preview; lists hold the first 100 by number of items. */
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
  /** Reviewers without a mail address, and five of their names at most. */
  readonly withoutAddress: number;
  readonly withoutAddressNames: readonly string[];
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

/** Counts whose accounts are ids yet, in place of names. */
type CountsById = Omit<PreviewCounts, 'unassigned'> & {
  readonly unassigned: readonly Omit<PreviewCounts['unassigned'][number], 'displayName'>[];
};

/** The place of a filter among all of them, which stands for it while grants are counted. */
const placeOf = (stage: (typeof funnelStages)[number]): Sql => fixed(String(funnelStages.indexOf(stage)));

/** Bits of a key of a group: the filter, then the route, then the account. */
const [stageBits, routeBits] = [4, 16];

/**
 * The parts of a WITH that count the grants of the apps of a snapshot: `counted` by account, filter, and route and object where they are items, and
 * `by_entitlement` those that are items. One pass that keeps no row of a single grant. A group is known by one number, since a text of 27 letters costs
 * several times that, and the planner hashes what has one key whatever it thinks of how many there are.
 */
function getGroups(context: Context, items: SnapshotItems, plans: Plans, conditions: ItemConditions | undefined): Sql {
  const { tenantId } = context;
  const { id: reviewId } = items;
  const route = getRoutePickSql(plans, { policyId: sql`e.policy_id`, holds: getHolds('h', 'e', conditions) });
  const object = getObjectPickSql(plans, {
    routeNo: sql`h.route_no`,
    entitlementId: sql`h.entitlement_id`,
    resourceId: sql`h.resource_id`,
    accountId: sql`h.account_id`,
  });
  const isItem = sql`h.stage_no = ${placeOf('ITEM')}`;
  const shift = (bits: number): Sql => fixed(String(bits));
  // OFFSET 0: otherwise accounts would be paired with entitlements of their app before their grants are joined.
  const held = sql`SELECT c.no, c.app_id, c.account_id, c.out_by, c.principal_kind, c.user_id, c.access_profile_ids, c.conditions, h.*
    FROM principals c CROSS JOIN LATERAL (${getJudgedGrantsSql(context, items)}) h OFFSET 0`;
  return sql`principals AS MATERIALIZED (
       SELECT (row_number() OVER ())::bigint AS no, c.app_id, c.account_id, c.principal_kind, c.user_id, c.excluded_by, c.access_profile_ids, c.conditions,
         array_position(${funnelStages}::text[], c.excluded_by) - 1 AS out_by
       FROM ${items.holders.getAccounts()} c),
     chosen AS MATERIALIZED (
       SELECT row_number() OVER () AS no, e.* FROM snapshot_entitlements e WHERE e.tenant_id = ${tenantId} AND e.review_id = ${reviewId}),
     judged AS MATERIALIZED (
       SELECT j.key, j.object_id, j.entitlement_no, count(*) AS n
       FROM (
         SELECT (h.no << ${shift(stageBits + routeBits)}) | (CASE WHEN ${isItem} THEN h.route_no ELSE 0 END::bigint << ${shift(stageBits)}) | h.stage_no AS key,
           CASE WHEN ${isItem} THEN ${object} END AS object_id, CASE WHEN ${isItem} THEN h.entitlement_no END AS entitlement_no
         FROM (SELECT h.no, h.account_id, h.entitlement_id, e.no AS entitlement_no, e.resource_id,
             CASE WHEN e.no IS NULL OR NOT h.is_chosen THEN ${placeOf('NOT_CHOSEN')} WHEN e.is_excluded OR h.is_listed THEN ${placeOf('EXCLUDED_BY_LIST')}
               WHEN h.out_by IS NOT NULL THEN h.out_by WHEN NOT (h.passes AND ${items.ofEntitlement}) THEN ${placeOf('GRANT')}
               ELSE ${placeOf('ITEM')} END AS stage_no,
             CASE WHEN e.no IS NOT NULL THEN ${route} END AS route_no
           FROM (${held}) h LEFT JOIN chosen e ON e.app_id = h.app_id AND e.entitlement_id = h.entitlement_id
           ${conditions?.getJoins(() => sql`TRUE`) ?? empty} OFFSET 0) h
         OFFSET 0) j
       GROUP BY GROUPING SETS ((j.key, j.object_id), (j.entitlement_no))),
     counted AS MATERIALIZED (
       SELECT (j.key & ${fixed(String(2 ** stageBits - 1))})::integer AS stage_no, ((j.key >> ${shift(stageBits)}) & ${fixed(String(2 ** routeBits - 1))})::integer AS route_no,
         j.object_id, a.no, a.app_id, a.account_id, a.principal_kind, a.user_id, j.n
       FROM judged j JOIN principals a ON a.no = j.key >> ${shift(stageBits + routeBits)}),
     by_entitlement AS (
       SELECT e.app_id, e.entitlement_id, e.display_name, e.description, j.n FROM judged j JOIN chosen e ON e.no = j.entitlement_no)`;
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
    "SET LOCAL enable_nestloop = off; SET LOCAL enable_mergejoin = off; SET LOCAL jit = off; SET LOCAL plan_cache_mode = force_custom_plan; SET LOCAL work_mem = '32MB'",
  );
  const { counts } = await db.one<{ counts: CountsById }>(
    sql`WITH ${getGroups(context, items, plans, conditions)},
     funnel AS (SELECT c.stage_no, sum(c.n)::bigint AS n FROM counted c WHERE c.principal_kind = 'A' GROUP BY c.stage_no),
     drawn AS (
       SELECT f.stage_no, jsonb_agg(x.account_id ORDER BY x.app_id, x.account_id) AS ids
       FROM funnel f CROSS JOIN LATERAL (
         SELECT DISTINCT c.app_id, c.account_id FROM counted c WHERE c.stage_no = f.stage_no AND c.principal_kind = 'A'
         ORDER BY c.app_id, c.account_id LIMIT ${samplesPerStage}) x
       GROUP BY f.stage_no),
     items AS MATERIALIZED (
       SELECT c.no, c.app_id, c.account_id, c.principal_kind, c.user_id, c.route_no, CASE WHEN o.found THEN o.assignment_id ELSE b.assignment_id END AS assignment_id, c.n
       FROM counted c
       LEFT JOIN (${asked(true)}) o ON o.route_no = c.route_no AND o.app_id = c.app_id AND o.object_id = c.object_id AND o.user_id = c.user_id
       LEFT JOIN (${asked(false)}) b ON b.route_no = c.route_no AND b.app_id = c.app_id AND b.object_id = c.object_id
       WHERE c.stage_no = ${placeOf('ITEM')}),
     by_set AS (SELECT i.assignment_id, sum(i.n) AS n FROM items i WHERE i.assignment_id IS NOT NULL GROUP BY i.assignment_id),
     undescribed AS (SELECT b.n FROM by_entitlement b WHERE btrim(b.description) = ''),
     by_app AS (SELECT i.app_id, sum(i.n)::bigint AS n FROM items i GROUP BY i.app_id),
     by_reviewer AS (
       SELECT p.user_id, sum(b.n)::bigint AS n, string_agg(DISTINCT s.reason, ', ' ORDER BY s.reason) AS reason
       FROM by_set b JOIN assignments_public s ON s.tenant_id = ${tenantId} AND s.id = b.assignment_id, unnest(s.user_ids) AS p (user_id) GROUP BY p.user_id),
     unreached AS (SELECT u.id, u.display_name FROM by_reviewer b JOIN users_public u ON u.tenant_id = ${tenantId} AND u.id = b.user_id WHERE u.email = '')
     SELECT jsonb_build_object(
       'items', (SELECT coalesce(sum(i.n), 0) FROM items i), 'accounts', (SELECT count(*) FROM (SELECT DISTINCT i.no FROM items i WHERE i.principal_kind = 'A') y),
       'linkItems', (SELECT coalesce(sum(i.n), 0) FROM items i WHERE i.principal_kind = 'R'),
       'people', (SELECT count(*) FROM (SELECT DISTINCT i.user_id FROM items i WHERE i.user_id IS NOT NULL) y),
       'entitlements', (SELECT count(*) FROM chosen e WHERE NOT e.is_excluded
         AND (NOT e.is_carrier OR EXISTS (SELECT FROM by_entitlement b WHERE b.app_id = e.app_id AND b.entitlement_id = e.entitlement_id))),
       'undescribedEntitlements', (SELECT count(*) FROM undescribed), 'undescribedItems', (SELECT coalesce(sum(u.n), 0) FROM undescribed u),
       'fallbackItems', (SELECT coalesce(sum(b.n), 0) FROM by_set b JOIN assignments_public s ON s.tenant_id = ${tenantId} AND s.id = b.assignment_id AND s.is_fallback),
       'unassignedItems', (SELECT coalesce(sum(i.n), 0) FROM items i WHERE ${isUnassigned}),
       'acceptedItems', ${countOn(machine.accept)}, 'rejectedItems', ${countOn(machine.reject)}, 'waitingItems', ${countOn(machine.wait)},
       'funnel', (SELECT jsonb_agg(jsonb_build_object('filter', f.stage, 'grants', coalesce(n.n, 0), 'samples', coalesce(m.ids, '[]')) ORDER BY f.place)
         FROM unnest(${funnelStages}::text[]) WITH ORDINALITY AS f (stage, place)
         LEFT JOIN funnel n ON n.stage_no = f.place - 1 LEFT JOIN drawn m ON m.stage_no = f.place - 1),
       'sampleIds', (SELECT coalesce(jsonb_agg(x.account_id), '[]') FROM (
         SELECT y.account_id FROM (SELECT DISTINCT i.account_id FROM items i) y ORDER BY md5(${sampleSeed} || y.account_id), y.account_id LIMIT ${sampleItems}) x),
       'topEntitlements', (SELECT coalesce(jsonb_agg(jsonb_build_object('appId', x.app_id, 'appEntitlementId', x.entitlement_id,
           'displayName', x.display_name, 'items', x.n) ORDER BY x.n DESC, x.app_id, x.entitlement_id), '[]')
         FROM (SELECT b.app_id, b.entitlement_id, b.display_name, b.n FROM by_entitlement b ORDER BY b.n DESC, b.app_id, b.entitlement_id LIMIT 100) x),
       'appCount', (SELECT count(*) FROM by_app), 'reviewerCount', (SELECT count(*) FROM by_reviewer),
       'apps', (SELECT coalesce(jsonb_agg(jsonb_build_object('appId', x.app_id, 'displayName', x.display_name, 'items', x.n) ORDER BY x.n DESC, x.app_id), '[]')
         FROM (SELECT b.app_id, p.display_name, b.n FROM by_app b JOIN apps_public p ON p.tenant_id = ${tenantId} AND p.id = b.app_id ORDER BY b.n DESC, b.app_id LIMIT 100) x),
       'reviewers', (SELECT coalesce(jsonb_agg(jsonb_build_object('userId', x.user_id, 'displayName', x.display_name, 'reason', x.reason, 'items', x.n)
           ORDER BY x.n DESC, x.user_id), '[]')
         FROM (SELECT b.user_id, u.display_name, b.reason, b.n FROM by_reviewer b JOIN users_public u ON u.tenant_id = ${tenantId} AND u.id = b.user_id
               ORDER BY b.n DESC, b.user_id LIMIT 100) x),
       'withoutAddress', (SELECT count(*) FROM unreached), 'withoutAddressNames', (SELECT coalesce(jsonb_agg(x.display_name), '[]')
         FROM (SELECT u.display_name FROM unreached u ORDER BY u.display_name, u.id LIMIT 5) x),
       'unassigned', (SELECT coalesce(jsonb_agg(jsonb_build_object('userId', x.user_id, 'appId', x.app_id,
           'accountId', x.account_id, 'principalKind', x.principal_kind, 'items', x.n) ORDER BY x.n DESC, x.account_id), '[]')
         FROM (SELECT i.user_id, i.app_id, i.account_id, i.principal_kind, i.n FROM items i
               WHERE ${isUnassigned} ORDER BY i.n DESC, i.account_id LIMIT 100) x)) AS counts`,
  );
  await db.run('SET LOCAL enable_nestloop TO DEFAULT; SET LOCAL enable_mergejoin TO DEFAULT');
  return nameAccounts(context, items, counts);
}

/** The counts with the names of the accounts that they show: those of the funnel with their owners, and of what nobody is asked about. */
async function nameAccounts({ db }: Context, { holders }: SnapshotItems, counts: CountsById): Promise<PreviewCounts> {
  const ids = [...new Set([...counts.funnel.flatMap(({ samples }) => samples), ...counts.unassigned.map(({ accountId }) => accountId)])];
  const rows = await db.rows<{ id: string; name: string; owner: string }>(
    sql`SELECT a.account_id AS id, a.external_id AS name, a.user_display_name AS owner FROM ${holders.getAccounts(ids)} a`,
  );
  const named = new Map(rows.map((row) => [row.id, row]));
  const sampleOf = (id: string): string => {
    const { name = '', owner = '' } = named.get(id) ?? {};
    return owner === '' ? name : `${name} (${owner})`;
  };
  return {
    ...counts,
    funnel: counts.funnel.map((stage) => ({ ...stage, samples: stage.samples.map(sampleOf) })),
    unassigned: counts.unassigned.map((one) => {
      const { name = '', owner = '' } = named.get(one.accountId) ?? {};
      return { ...one, displayName: owner || name };
    }),
  };
}
