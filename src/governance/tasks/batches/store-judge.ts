/**
 * SQL that finds what stands out about the items of a piece of a snapshot, in the statement that makes their tasks: by sets, from what was
 * frozen, from the grants as of the snapshot and from the tasks of the review before. Which terms there are is in store-terms.ts.
 */
import type { Context } from '../../../context.ts';
import { fixed, joinSql, type Sql, sql } from '../../../lib/sql.ts';
import { changedMask, type Flag, flagBits, getMask, points } from '../task/index.ts';

/** The review before, with which items are compared. */
export interface Before {
  readonly reviewId: string;
  /** The revision of its snapshot. */
  readonly revision: number;
  /** True if the item `i` was inherited then; asked only of tasks of which that was not kept. */
  readonly wasInherited: Sql;
}

/** Basis to judge items by. */
export interface Judging {
  /** Time of the snapshot. */
  readonly takenAt: Date;
  readonly before: Before | undefined;
  /** True if what is certified already and has not changed is carried over instead of asked about. */
  readonly carries: boolean;
}

/** A last use that long ago is none. */
const dormantMs = 90 * 86_400_000;

/**
 * Facts of the account `a` of the snapshot and of its owner, to stand behind its columns, and where they come from. Looked up account by account:
 * OFFSET 0 keeps it so.
 */
export function getAccountFacts(tenantId: string, reviewId: string, before: Before | undefined): { columns: Sql; joins: Sql } {
  const columns = fixed(`a.user_status <> 'ENABLED' AND a.user_id IS NOT NULL OR a.employment_status = 'TERMINATED' AS is_left,
    a.account_status = 'DISABLED' AS is_disabled, a.is_external, a.owner_by_former_address,
    coalesce(p.peer_kind, 0) AS peer_kind, p.peer_group, coalesce(p.peers, 0) AS peers,
    coalesce(p.status = 'ENABLED' AND p.user_type = 'HUMAN', false) AS is_peer, coalesce(b.account_changed, false) AS account_changed,
    coalesce(b.has_moved, false) AS has_moved`);
  const was =
    before === undefined
      ? fixed('(SELECT false AS account_changed, false AS has_moved) b')
      : sql`(SELECT (a.account_status, a.account_type, a.user_id) IS DISTINCT FROM (o.account_status, o.account_type, o.user_id) AS account_changed,
          a.user_id = o.user_id AND (a.department, a.job_title, a.manager_id) IS DISTINCT FROM (o.department, o.job_title, o.manager_id) AS has_moved
        FROM snapshot_accounts o WHERE o.tenant_id = ${tenantId} AND o.review_id = ${before.reviewId} AND o.app_id = a.app_id
          AND o.account_id = a.account_id OFFSET 0) b`;
  return {
    columns,
    joins: sql`LEFT JOIN LATERAL (SELECT p.peer_kind, p.peer_group, p.peers, p.status, p.user_type FROM snapshot_people p
        WHERE p.tenant_id = ${tenantId} AND p.review_id = ${reviewId} AND p.user_id = a.user_id OFFSET 0) p ON true
      LEFT JOIN LATERAL ${was} ON true`,
  };
}

/** Tasks of the accounts `chunk` in the review before. */
export function getWasSql(tenantId: string, before: Before | undefined): Sql {
  const columns = fixed(
    't.account_id, t.entitlement_id, t.id, t.outcome, t.end_reason, t.decided_by_id, t.decided_issuer_id, t.flags, t.certify_until, t.previous_task_id',
  );
  return before === undefined
    ? sql`SELECT ${columns} FROM tasks t WHERE FALSE`
    : sql`SELECT t.* FROM chunk c CROSS JOIN LATERAL (SELECT ${columns} FROM tasks t
        WHERE t.tenant_id = ${tenantId} AND t.review_id = ${before.reviewId} AND t.account_id = c.account_id AND t.app_id = c.app_id OFFSET 0) t`;
}

const bit = (flag: Flag): number => 1 << flagBits[flag];
const isRisk = (name: string): string => `lower(btrim(i.risk_level_display_name) COLLATE "C") = '${name}'`;

/** The sum of the points of the flags of `f`. */
const score = fixed(
  Object.entries(points)
    .map(([flag, of]) => `((f.flags >> ${flagBits[flag as Flag]}) & 1) * ${of < 0 ? `(${of})` : of}`)
    .join(' + '),
);

/** Most counts of peers that are joined to a piece at once: reading so many takes less than looking them up item by item. */
const maxPeersAtOnce = 150_000;

/** Counts of peers of a snapshot: few are joined to a piece at once, many are looked up item by item. */
export async function measurePeers({ db, tenantId }: Context, reviewId: string): Promise<'few' | 'many'> {
  const { isMany } = await db.one<{ isMany: boolean }>(
    sql`SELECT EXISTS (SELECT FROM snapshot_peers v WHERE v.tenant_id = ${tenantId} AND v.review_id = ${reviewId} OFFSET ${maxPeersAtOnce}) AS "isMany"`,
  );
  return isMany ? 'many' : 'few';
}

/** Joins the number of peers `v` who hold the entitlement of the item `i`. */
function getPeersJoin(tenantId: string, reviewId: string, peers: 'few' | 'many'): Sql {
  const counts = sql`SELECT v.app_id, v.entitlement_id, v.peer_group, v.holders FROM snapshot_peers v WHERE v.tenant_id = ${tenantId} AND v.review_id = ${reviewId}`;
  return peers === 'few'
    ? sql`LEFT JOIN (${counts}) v ON v.app_id = i.app_id AND v.entitlement_id = i.entitlement_id AND v.peer_group = i.peer_group`
    : sql`LEFT JOIN LATERAL (${counts} AND v.app_id = i.app_id AND v.entitlement_id = i.entitlement_id AND v.peer_group = i.peer_group OFFSET 0) v ON true`;
}

/**
 * The `items` with what stands out about them: `flags`, `score`, `peers`, `peers_with`, the task `w` they had before as `previous_task_id`, and
 * whether they are carried over (`is_carried`, with who decided as `carried_by`, and the issuer as `carried_issuer`). Reads `items` and `was`.
 */
export function getJudgedSql(tenantId: string, reviewId: string, { takenAt, before, carries }: Judging, peers: 'few' | 'many'): Sql {
  const dormantAt = new Date(takenAt.getTime() - dormantMs);
  const inherited = fixed(
    `CASE WHEN i.paths IS NULL THEN false ELSE EXISTS (SELECT FROM jsonb_array_elements(i.paths) AS way WHERE way <> '[]') END`,
  );
  const had = fixed('w.id IS NOT NULL');
  const byPerson = fixed("w.decided_by_id IS NOT NULL AND w.end_reason IN ('DECIDED', 'CARRIED')");
  const isNew =
    before === undefined
      ? fixed('false')
      : sql`CASE WHEN w.id IS NOT NULL OR i.added_revision <= ${before.revision} THEN false ELSE NOT EXISTS (
          SELECT FROM grants_public g WHERE g.tenant_id = ${tenantId} AND g.app_id = i.app_id AND g.entitlement_id = i.entitlement_id
            AND g.account_id = i.account_id AND g.added_revision <= ${before.revision}
            AND (g.removed_revision IS NULL OR g.removed_revision > ${before.revision})) END`;
  const wasInherited =
    before === undefined
      ? fixed('false')
      : sql`CASE WHEN w.id IS NULL THEN NULL WHEN w.flags & ${fixed(String(bit('JUDGED')))} <> 0 THEN w.flags & ${fixed(String(bit('INHERITED')))} <> 0
          ELSE ${before.wasInherited} END`;
  const conditions: readonly (readonly [Flag, Sql])[] = [
    ['LEAVER', fixed('i.is_left')],
    ['DENIED_BEFORE', fixed("w.outcome = 'DECERTIFIED' AND w.end_reason = 'DECIDED'")],
    [
      'CONFLICT',
      // Most snapshots have no conflict at all; that is asked once, and the rest only where there is one.
      sql`CASE WHEN EXISTS (SELECT FROM snapshot_conflicts v WHERE v.tenant_id = ${tenantId} AND v.review_id = ${reviewId}) THEN EXISTS (
        SELECT FROM snapshot_conflicts w WHERE w.tenant_id = ${tenantId} AND w.review_id = ${reviewId} AND w.app_id = i.app_id
          AND w.account_id = i.account_id AND w.entitlement_id = i.entitlement_id) ELSE false END`,
    ],
    ['ORPHAN', fixed("i.user_id IS NULL AND i.principal_kind = 'A'")],
    ['DORMANT', sql`i.last_used_at <= ${dormantAt}::timestamptz`],
    ['RISK_CRITICAL', fixed(isRisk('critical'))],
    ['RISK_HIGH', fixed(isRisk('high'))],
    ['RISK_MEDIUM', fixed(isRisk('medium'))],
    ['OUTLIER', fixed('i.peer_kind > 0 AND i.peers_with * 10 <= i.peers')],
    ['COMMON', fixed('i.peer_kind > 0 AND i.peers_with * 5 >= i.peers * 4')],
    ['MOVER', fixed(`w.id IS NOT NULL AND i.has_moved`)],
    ['NEW', isNew],
    ['EXTERNAL', fixed('i.is_external')],
    ['FORMER_ADDRESS', fixed('i.owner_by_former_address')],
    ['DISABLED_ACCOUNT', fixed('i.is_disabled')],
    ['UNKNOWN_USE', fixed('i.last_used_at IS NULL')],
    ['INHERITED', fixed('i.is_inherited')],
    ['PAST_END', sql`i.deprovision_at <= ${takenAt}::timestamptz`],
    ['TEMPORARY', sql`i.deprovision_at > ${takenAt}::timestamptz`],
    ['NO_DESCRIPTION', fixed('i.is_undescribed')],
    ['ACCOUNT_CHANGED', sql`${had} AND i.account_changed`],
    ['RISK_CHANGED', sql`${had} AND o.risk_level_value_id IS DISTINCT FROM i.risk_level_value_id`],
    ['WAY_CHANGED', sql`${had} AND i.is_inherited IS DISTINCT FROM (${wasInherited})`],
    ['PEERS_BY_TITLE', fixed('i.peer_kind = 1')],
    ['PEERS_BY_DEPARTMENT', fixed('i.peer_kind = 2')],
  ];
  const always = before === undefined ? getMask('JUDGED') : getMask('JUDGED', 'COMPARED');
  const found = joinSql(
    [
      fixed(String(always)),
      ...conditions.map(([flag, condition]) => sql`CASE WHEN ${condition} THEN ${fixed(String(bit(flag)))} ELSE 0 END`),
    ],
    ' + ',
  );
  const certified = fixed(`CASE WHEN f.was_certified AND f.found & ${changedMask} = 0 THEN ${bit('CERTIFIED_BEFORE')} ELSE 0 END`);
  const carried = carries
    ? sql`f.was_certified AND f.found & ${fixed(String(changedMask | getMask('LEAVER', 'CONFLICT', 'PAST_END')))} = 0
        AND (f.certified_until IS NULL OR f.certified_until > ${takenAt}::timestamptz)`
    : fixed('false');
  // OFFSET 0 keeps what was found and the flags from being worked out again for each of the terms that read them.
  return sql`SELECT f.*, ${score} AS score FROM (
     SELECT f.*, f.found + ${certified} AS flags, ${carried} AS is_carried FROM (
       SELECT i.*, ${found} AS found,
         CASE WHEN w.end_reason = 'CARRIED' THEN w.previous_task_id ELSE w.id END AS previous_task_id, w.decided_by_id AS carried_by,
         w.decided_issuer_id AS carried_issuer,
         w.certify_until AS certified_until, coalesce(w.outcome = 'CERTIFIED' AND ${byPerson}, false) AS was_certified
       FROM (
         SELECT i.*, ${inherited} AS is_inherited,
           CASE WHEN i.peer_kind > 0 THEN greatest(0, coalesce(v.holders, 0) - CASE WHEN i.is_peer THEN 1 ELSE 0 END) ELSE 0 END AS peers_with
         FROM items i
         ${getPeersJoin(tenantId, reviewId, peers)} OFFSET 0) i
       LEFT JOIN was w ON w.account_id = i.account_id AND w.entitlement_id = i.entitlement_id
       LEFT JOIN snapshot_entitlements o ON o.tenant_id = ${tenantId} AND o.review_id = ${before?.reviewId ?? ''} AND o.app_id = i.app_id
         AND o.entitlement_id = i.entitlement_id OFFSET 0) f OFFSET 0) f`;
}
