/**
 * SQL of who is a member of an access profile: who holds everything it gives. Counted at once where few can be, by a job where many can.
 */
import type { Context } from '../../context.ts';

const live = `JOIN entitlements_public e ON e.tenant_id = $1 AND e.app_id = r.app_id AND e.id = r.entitlement_id AND e.deleted_at IS NULL`;

/** Cost of counting the members of a profile, and its last count. */
export interface CountState {
  readonly id: string;
  /** The holders of the entitlement that fewest hold, times the entitlements: that many grants are looked up. */
  readonly lookups: number;
  readonly memberCount: number;
  /** Null where it was never counted, or what it gives has changed since. */
  readonly countedRevision: number | null;
  readonly countedAt: Date | null;
}

const states = `SELECT c.id, coalesce(n.lookups, 0) AS lookups, c.member_count AS "memberCount", c.counted_revision AS "countedRevision",
    c.counted_at AS "countedAt"
  FROM access_profiles c
  CROSS JOIN LATERAL (
    SELECT min(e.grant_count) * count(*) AS lookups FROM access_profile_entitlements r ${live}
    WHERE r.tenant_id = $1 AND r.profile_id = c.id AND r.part = 'REQUESTABLE') AS n
  WHERE c.tenant_id = $1 AND c.deleted_at IS NULL`;

/** The states of these profiles. */
export function listCountStates(context: Context, ids: readonly string[]): Promise<CountState[]> {
  return context.db.rows<CountState>(`${states} AND c.id = ANY ($2)`, [context.tenantId, ids]);
}

/** The next profile by id after `after` that takes more lookups than this and was not counted as of this revision since this moment. */
export function findUncounted(
  context: Context,
  after: string,
  moreThan: number,
  revision: number,
  since: Date,
): Promise<CountState | undefined> {
  return context.db.maybe<CountState>(
    `${states} AND c.id > $2 AND n.lookups > $3 AND (c.counted_revision IS DISTINCT FROM $4 OR c.counted_at < $5) ORDER BY c.id LIMIT 1`,
    [context.tenantId, after, moreThan, revision, since],
  );
}

/** Keeps how many members a profile has as of a revision. */
export async function updateCounted(context: Context, id: string, memberCount: number, revision: number): Promise<void> {
  await context.db.run(
    'UPDATE access_profiles SET member_count = $3, counted_revision = $4, counted_at = $5 WHERE tenant_id = $1 AND id = $2',
    [context.tenantId, id, memberCount, revision, context.now],
  );
}

/** Marks a profile as changed: what was counted is no longer true. */
export async function updateUncounted(context: Context, id: string): Promise<void> {
  await context.db.run('UPDATE access_profiles SET counted_revision = NULL WHERE tenant_id = $1 AND id = $2', [context.tenantId, id]);
}

/**
 * Counts people who hold all a profile gives, by reading all that anybody holds of it once: for those that many hold. In a transaction: whatever
 * the planner believes, looking holders up one by one would take minutes where hashing them takes a second.
 */
export async function countManyMembers(context: Context, id: string): Promise<number> {
  await context.db.run('SET LOCAL enable_nestloop = off');
  const given = await context.db.rows<{ appId: string; id: string }>(
    `SELECT r.app_id AS "appId", e.id FROM access_profile_entitlements r ${live}
     WHERE r.tenant_id = $1 AND r.profile_id = $2 AND r.part = 'REQUESTABLE'`,
    [context.tenantId, id],
  );
  return context.db.value<number>(
    `WITH held AS (
       SELECT a.user_id, g.entitlement_id FROM grants_held g
       JOIN accounts_public a ON a.tenant_id = $1 AND a.app_id = g.app_id AND a.id = g.account_id
       WHERE g.tenant_id = $1 AND g.app_id = ANY ($2) AND g.entitlement_id = ANY ($3) AND a.user_id IS NOT NULL
       GROUP BY a.user_id, g.entitlement_id),
     holders AS (SELECT user_id FROM held GROUP BY user_id HAVING count(*) = $4::bigint)
     SELECT count(*) AS count FROM holders h JOIN users_public u ON u.tenant_id = $1 AND u.id = h.user_id AND u.status = 'ENABLED'`,
    [context.tenantId, [...new Set(given.map((ref) => ref.appId))], given.map((ref) => ref.id), given.length],
  );
}

/**
 * Counts people who hold all that each of these profiles gives, by profile; one that gives nothing has no members. Grows with the holders of the
 * rarest entitlement of each profile: they are found first, and the others are looked up for them. OFFSET 0 keeps that order, whatever the planner
 * believes of tables that were filled just now: it would read all grants of an app for each account.
 */
export async function countMembers(context: Context, ids: readonly string[]): Promise<Map<string, number>> {
  const rows = await context.db.rows<{ id: string; count: number }>(
    `SELECT c.id, m.count
     FROM unnest($2::text[]) AS c (id)
     CROSS JOIN LATERAL (
       SELECT r.app_id, r.entitlement_id
       FROM access_profile_entitlements r
       JOIN entitlements_public e ON e.tenant_id = $1 AND e.app_id = r.app_id AND e.id = r.entitlement_id AND e.deleted_at IS NULL
       WHERE r.tenant_id = $1 AND r.profile_id = c.id AND r.part = 'REQUESTABLE'
       ORDER BY e.grant_count, e.id LIMIT 1) AS rarest
     CROSS JOIN LATERAL (
       SELECT count(DISTINCT a.user_id) AS count
       FROM (SELECT g.app_id, g.account_id FROM grants_held g
             WHERE g.tenant_id = $1 AND g.app_id = rarest.app_id AND g.entitlement_id = rarest.entitlement_id
             OFFSET 0) AS g
       CROSS JOIN LATERAL (SELECT a.user_id FROM accounts_public a WHERE a.tenant_id = $1 AND a.app_id = g.app_id AND a.id = g.account_id OFFSET 0) AS a
       CROSS JOIN LATERAL (SELECT FROM users_public u WHERE u.tenant_id = $1 AND u.id = a.user_id AND u.status = 'ENABLED' OFFSET 0) AS u
       WHERE NOT EXISTS (
         SELECT FROM (
           SELECT o.app_id, o.entitlement_id FROM access_profile_entitlements o
           JOIN entitlements_public oe ON oe.tenant_id = $1 AND oe.app_id = o.app_id AND oe.id = o.entitlement_id AND oe.deleted_at IS NULL
           WHERE o.tenant_id = $1 AND o.profile_id = c.id AND o.part = 'REQUESTABLE' AND o.entitlement_id <> rarest.entitlement_id
           OFFSET 0) AS o
         WHERE NOT EXISTS (
           SELECT FROM (SELECT b.id FROM accounts_public b WHERE b.tenant_id = $1 AND b.user_id = a.user_id AND b.app_id = o.app_id OFFSET 0) AS b
           CROSS JOIN LATERAL (
             SELECT FROM grants_held h
             WHERE h.tenant_id = $1 AND h.app_id = o.app_id AND h.entitlement_id = o.entitlement_id AND h.account_id = b.id
             OFFSET 0) AS h))) AS m`,
    [context.tenantId, [...ids]],
  );
  return new Map(rows.map(({ id, count }) => [id, count]));
}
