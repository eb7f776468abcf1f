/**
 * SQL that finds whose a record is: the one place that decides who somebody is, for files and identity providers alike. A record that its source
 * reported before is the same person's; of all others, what they say is evidence, looked at in a fixed order.
 */
import { fixed, type Sql, sql } from '../../lib/sql.ts';

/** Outcome for a record. KNOWN: its source reported it before; SAME: evidence names one person; NEW: nobody; DISPUTED: evidence contradicts itself. */
export type Outcome = 'KNOWN' | 'SAME' | 'NEW' | 'DISPUTED' | 'IGNORED';

/** Reason a record is disputed (`person_records.reason`); '' for none. */
export type DisputeReason = '' | 'SEVERAL_PEOPLE' | 'ADDRESS_OF_ANOTHER' | 'OTHER_ID' | 'OTHER_NAME';

/** Condition that the person `u` is not there any more: disabled, deleted, or terminated by a source that owns employment. */
const isGone = fixed(`(u.status <> 'ENABLED' OR u.employment_status = 'TERMINATED')`);

/** Condition that the record `k` is one that files report: of what an identity provider pushes, only what the person says by now is evidence. */
const isOfFile = fixed(`k.state = 'LIVE' AND k.anchor_kind IN ('EMPLOYEE_ID', 'ADDRESS')`);

/**
 * Decides for each row of `r` (line, email_key, employee_id, display_name, external_id, is_shared) that has no known anchor. `is_shared` says that another
 * row of the file has the employee id, too: then it is evidence of somebody together with their address or name alone. `holder` is a subselect of who
 * has the address `r.email_key` now: rows (id); `leaves` a condition that the person `u` leaves by the very file that is read. Returns line, outcome, reason,
 * user_id (of SAME), candidate_ids (of DISPUTED), and leaver_id: who has the address still and loses it, since the record is somebody else's. Costs a few probes of indexes for each row.
 */
export function getEvidenceSql(tenantId: string, sourceId: string, rows: Sql, holder: Sql, leaves: Sql = fixed('false')): Sql {
  // OFFSET keeps the ids, which are asked for several times, from being looked up as often.
  return sql`SELECT d.line, d.outcome,
      CASE WHEN d.outcome <> 'DISPUTED' THEN '' WHEN cardinality(d.ids) > 1 THEN 'SEVERAL_PEOPLE'
        WHEN cardinality(d.ids) = 1 THEN CASE WHEN d.holder_id IS NULL THEN 'SEVERAL_PEOPLE' ELSE 'ADDRESS_OF_ANOTHER' END
        WHEN d.is_other THEN 'OTHER_ID' ELSE 'OTHER_NAME' END AS reason,
      CASE WHEN d.outcome = 'SAME' THEN coalesce(d.ids[1], d.holder_id) END AS user_id,
      CASE WHEN d.outcome = 'DISPUTED' THEN ARRAY(SELECT DISTINCT x FROM unnest(d.ids || d.holder_id) AS x WHERE x IS NOT NULL ORDER BY x) END AS candidate_ids,
      CASE WHEN d.outcome = 'NEW' THEN d.holder_id END AS leaver_id
    FROM (
      SELECT r.line, e.ids, u.id AS holder_id, c.is_other,
        CASE
          WHEN cardinality(e.ids) > 1 THEN 'DISPUTED'
          WHEN cardinality(e.ids) = 1 THEN CASE WHEN u.id = e.ids[1] THEN 'SAME' WHEN u.id IS NOT NULL THEN 'DISPUTED'
            WHEN NOT r.is_shared OR EXISTS (SELECT FROM users_public n WHERE n.tenant_id = ${tenantId} AND n.id = e.ids[1]
              AND name_key(n.display_name) = name_key(r.display_name)) THEN 'SAME' ELSE 'DISPUTED' END
          WHEN u.id IS NULL THEN 'NEW'
          WHEN c.is_other THEN CASE WHEN ${isGone} OR ${leaves} THEN 'NEW' ELSE 'DISPUTED' END
          WHEN NOT (${isGone} OR ${leaves}) THEN 'SAME'
          WHEN name_key(u.display_name) = name_key(r.display_name) THEN 'SAME'
          ELSE 'DISPUTED' END AS outcome
      FROM (${rows}) AS r
      CROSS JOIN LATERAL (SELECT ARRAY(
        SELECT p.id FROM users_public p
        WHERE p.tenant_id = ${tenantId} AND p.employee_id <> '' AND p.employee_id = r.employee_id AND p.user_type = 'HUMAN'
        UNION
        SELECT k.user_id FROM person_records k
        WHERE k.tenant_id = ${tenantId} AND k.employee_id <> '' AND k.employee_id = r.employee_id AND k.user_id IS NOT NULL AND ${isOfFile}) AS ids OFFSET 0) AS e
      LEFT JOIN LATERAL (${holder}) AS h ON r.email_key <> ''
      LEFT JOIN users_public u ON u.tenant_id = ${tenantId} AND u.id = h.id
      CROSS JOIN LATERAL (SELECT u.id IS NOT NULL AND (
        (r.employee_id <> '' AND (u.employee_id <> '' OR EXISTS (
          SELECT FROM person_records k WHERE k.tenant_id = ${tenantId} AND k.user_id = u.id AND k.employee_id <> '' AND ${isOfFile})))
        OR (r.external_id <> '' AND EXISTS (
          SELECT FROM person_records k WHERE k.tenant_id = ${tenantId} AND k.user_id = u.id AND k.source_id = ${sourceId}
            AND k.anchor_kind = 'EXTERNAL_ID' AND k.anchor <> r.external_id))) AS is_other) AS c) AS d`;
}

/**
 * Says that the record `k` is its source's word that the person is terminated: it says so now, or said so last, and the source reports them no more. Only
 * the source itself takes that back.
 */
export const isTerminatedSql = fixed(`(k.employment_status = 'TERMINATED' AND (k.state = 'LIVE' OR NOT EXISTS (
          SELECT FROM person_records t WHERE t.tenant_id = k.tenant_id AND t.user_id = k.user_id AND t.source_id = k.source_id AND t.id <> k.id
            AND (t.state = 'LIVE' OR t.gone_at > k.gone_at))))`);

/** Says what a group of records `k` of one person says of their status: ENABLED or DISABLED; null where none says anything. */
export const statusSql = sql`CASE
        WHEN bool_or(${isTerminatedSql}) THEN 'DISABLED'
        WHEN bool_or(k.state = 'LIVE' AND k.is_enabled) THEN 'ENABLED'
        WHEN bool_or(k.state = 'LIVE' AND k.is_enabled IS NULL) THEN NULL
        ELSE 'DISABLED' END`;

/**
 * Returns what the records of people say of their status, as rows (user_id, status); none of people whom no source may speak for. `of` is a condition on
 * the records `k` by which those people are picked.
 */
export function getStatusSql(tenantId: string, of: Sql): Sql {
  return sql`SELECT k.user_id, ${statusSql} AS status
    FROM person_records k JOIN sources_public s ON s.tenant_id = ${tenantId} AND s.id = k.source_id AND s.deleted_at IS NULL
    WHERE k.tenant_id = ${tenantId} AND k.is_heard AND ${of} GROUP BY k.user_id`;
}
