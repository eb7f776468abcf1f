/**
 * SQL of whom the people of a snapshot are compared with, and of how many of these held what. Which share stands out is said by the module tasks.
 */
import { fixed, type Sql, sql } from '../../../lib/sql.ts';
import type { Context } from '../../../context.ts';

/** People of fewer others than this are compared with a wider circle. */
const fewestPeers = 5;

/** Condition that the person `u` counts as somebody else's peer. */
const isPeer = (u: string): Sql => fixed(`${u}.status = 'ENABLED' AND ${u}.user_type = 'HUMAN'`);

/**
 * Behind the columns of the `people` `n` of a snapshot: the kind of their circle, how many others are in it, and its number; with the joins. The
 * circle is of the same department and title, else of the same department, else of the same manager; an empty department or title is none.
 */
export function getPeerColumnsSql(people: Sql, tenantId: string): Sql {
  const self = sql`CASE WHEN ${isPeer('n')} THEN 1 ELSE 0 END`;
  const kind = fixed(
    `CASE WHEN t.others >= ${fewestPeers} THEN 1 WHEN d.others >= ${fewestPeers} THEN 2 WHEN m.others >= ${fewestPeers} THEN 3 ELSE 0 END`,
  );
  const peers = (columns: string, where: string): Sql =>
    sql`(SELECT ${fixed(columns)}, count(*)::integer AS people FROM users_public u
      WHERE u.tenant_id = ${tenantId} AND ${isPeer('u')} AND ${fixed(where)} GROUP BY ${fixed(columns)})`;
  return sql`c.kind, CASE c.kind WHEN 1 THEN t.others WHEN 2 THEN d.others WHEN 3 THEN m.others ELSE 0 END,
      CASE WHEN c.kind = 0 THEN 0 ELSE dense_rank() OVER (ORDER BY c.kind, CASE WHEN c.kind < 3 THEN n.department END COLLATE "C",
        CASE WHEN c.kind = 1 THEN n.job_title END COLLATE "C", CASE WHEN c.kind = 3 THEN n.manager_id END) END
    FROM ${people} n
    LEFT JOIN ${peers('department, job_title', "u.department <> '' AND u.job_title <> ''")} tp ON tp.department = n.department AND tp.job_title = n.job_title
    LEFT JOIN ${peers('department', "u.department <> ''")} dp ON dp.department = n.department
    LEFT JOIN ${peers('manager_id', 'u.manager_id IS NOT NULL')} mp ON mp.manager_id = n.manager_id
    CROSS JOIN LATERAL (SELECT tp.people - ${self} AS others) t
    CROSS JOIN LATERAL (SELECT dp.people - ${self} AS others) d
    CROSS JOIN LATERAL (SELECT mp.people - ${self} AS others) m
    CROSS JOIN LATERAL (SELECT ${kind} AS kind) c`;
}

/**
 * Counts once for a snapshot how many people of each circle held each of its entitlements as of its revision, over any of their accounts. One hash
 * aggregate over numbers: ids of 27 letters would take four times the memory. Who has two accounts in an app counts once.
 */
export async function insertPeers({ db, tenantId }: Context, reviewId: string, revision: number): Promise<void> {
  await db.run(
    `SET LOCAL plan_cache_mode = force_custom_plan; SET LOCAL enable_nestloop = off; SET LOCAL jit = off; SET LOCAL work_mem = '64MB'`,
  );
  const inReview = (name: string): Sql => sql`${fixed(name)}.tenant_id = ${tenantId} AND ${fixed(name)}.review_id = ${reviewId}`;
  await db.run(
    sql`WITH circles AS MATERIALIZED (
       SELECT p.peer_group, min(p.peer_kind) AS kind, min(p.department) AS department, min(p.job_title) AS job_title, min(p.manager_id) AS manager_id
       FROM review_people p WHERE ${inReview('p')} AND p.peer_kind > 0 GROUP BY p.peer_group),
     people AS MATERIALIZED (
       SELECT row_number() OVER ()::integer AS no, p.user_id, p.department, p.job_title, p.manager_id FROM review_people p
       WHERE ${inReview('p')} AND ${isPeer('p')}),
     members AS MATERIALIZED (
       SELECT p.no, c.peer_group FROM people p JOIN circles c ON c.department = p.department AND c.job_title = p.job_title AND c.kind = 1
       UNION ALL SELECT p.no, c.peer_group FROM people p JOIN circles c ON c.department = p.department AND c.kind = 2
       UNION ALL SELECT p.no, c.peer_group FROM people p JOIN circles c ON c.manager_id = p.manager_id AND c.kind = 3),
     asked AS MATERIALIZED (
       SELECT row_number() OVER ()::integer AS no, e.app_id, e.entitlement_id FROM review_entitlements e WHERE ${inReview('e')} AND NOT e.is_excluded),
     owned AS MATERIALIZED (
       SELECT a.app_id, a.account_id, p.no, count(*) OVER (PARTITION BY a.app_id, a.user_id) > 1 AS has_more FROM review_accounts a
       JOIN people p ON p.user_id = a.user_id WHERE ${inReview('a')}),
     held AS (
       SELECT o.no, o.has_more, e.no AS entitlement_no FROM grants_public g
       JOIN owned o ON o.app_id = g.app_id AND o.account_id = g.account_id
       JOIN asked e ON e.app_id = g.app_id AND e.entitlement_id = g.entitlement_id
       WHERE g.tenant_id = ${tenantId} AND g.app_id IN (SELECT x.app_id FROM asked x) AND g.added_revision <= ${revision}
         AND (g.removed_revision IS NULL OR g.removed_revision > ${revision})),
     counted AS (
       SELECT m.peer_group, h.entitlement_no, count(*) AS holders FROM (
         SELECT h.no, h.entitlement_no FROM held h WHERE NOT h.has_more
         UNION ALL SELECT DISTINCT h.no, h.entitlement_no FROM held h WHERE h.has_more) h
       JOIN members m ON m.no = h.no GROUP BY m.peer_group, h.entitlement_no)
     INSERT INTO review_peers (tenant_id, review_id, app_id, entitlement_id, peer_group, holders)
     SELECT ${tenantId}, ${reviewId}, e.app_id, e.entitlement_id, c.peer_group, c.holders FROM counted c JOIN asked e ON e.no = c.entitlement_no`,
  );
}
