/**
 * SQL of tasks as they are shown: what rules read of them, and beside it the snapshot of the review, what stands out, and the removal in full. One
 * statement for a page of them.
 */
import type { Context } from '../../../context.ts';
import { fixed, type Sql, sql } from '../../../lib/sql.ts';
import { getStandingIdsSql } from '../../../inventory/catalog/index.ts';
import { nameAtSql } from '../../../foundation/directory/index.ts';
import { getLastSignatureSql, getMask, getRemovalSql, getTaskColumnsSql, getTaskJoinsSql, listInOrder } from '../task/index.ts';
import type { ShownTask } from './shown-task.ts';
import { getHeldSql, getReportedEndSql } from './store-reported-end.ts';

/** A Held of the task `t` with its review `r`. Read for tasks alone of which it says something. */
const heldSql = (
  tenantId: string,
): Sql => sql`CASE WHEN t.flags & ${fixed(String(getMask('INHERITED', 'TEMPORARY', 'PAST_END')))} <> 0 AND t.principal_kind = 'A' THEN (
    SELECT json_build_object('endsAt', g.deprovision_at,
      'ways', (SELECT count(*) FROM jsonb_array_elements(g.paths) AS w (way) WHERE w.way <> '[]'),
      'through', (SELECT json_agg(coalesce(nullif(f.display_name, ''), s.id) ORDER BY s.place)
        FROM (SELECT w.way FROM jsonb_array_elements(g.paths) WITH ORDINALITY AS w (way, place) WHERE w.way <> '[]' ORDER BY w.place LIMIT 1) w
        CROSS JOIN LATERAL jsonb_array_elements_text(w.way) WITH ORDINALITY AS s (id, place)
        LEFT JOIN entitlements_public f ON f.tenant_id = ${tenantId} AND f.app_id = t.app_id AND f.id = s.id))
    FROM (${getHeldSql(tenantId, sql`r.prepared_revision`)}) g) END`;

/** The Rules that the access of the task `t` broke at the snapshot. Snapshots of earlier releases know of none. */
const rulesSql = (tenantId: string): Sql => sql`CASE WHEN t.flags & ${fixed(String(getMask('CONFLICT')))} <> 0 THEN (
    SELECT json_agg(json_build_object('monitorId', m.id, 'displayName', m.display_name) ORDER BY m.display_name, m.id)
    FROM snapshot_conflicts c JOIN monitors_public m ON m.tenant_id = ${tenantId} AND m.id = ANY (c.monitor_ids)
    WHERE c.tenant_id = ${tenantId} AND c.review_id = t.review_id AND c.app_id = t.app_id AND c.account_id = t.account_id
      AND c.entitlement_id = t.entitlement_id) END`;

/** A Found of the task `t` with its review `r`, account `a` and entitlement `e`. */
const foundSql = (
  tenantId: string,
): Sql => sql`json_build_object('score', t.score, 'flags', t.flags, 'peers', t.peers, 'peersWith', t.peers_with,
    'frozenAt', r.sources_frozen_at, 'riskLevel', e.risk_level_display_name, 'userStatus', a.user_status, 'managerEmail', a.manager_email,
    'source', (SELECT s.display_name FROM grants_public g JOIN sources_public s ON s.tenant_id = ${tenantId} AND s.app_id = g.app_id AND s.source_no = g.source_no
      WHERE g.tenant_id = ${tenantId} AND g.app_id = t.app_id AND g.entitlement_id = t.entitlement_id AND g.account_id = t.account_id
      ORDER BY g.added_revision DESC LIMIT 1),
    'held', ${heldSql(tenantId)}, 'reportedEnd', ${getReportedEndSql(tenantId, sql`r.prepared_revision`)}, 'rules', ${rulesSql(tenantId)},
    'previous', CASE WHEN t.previous_task_id IS NOT NULL THEN (
      SELECT json_build_object('taskId', w.id, 'reviewId', w.review_id, 'outcome', w.outcome, 'endReason', w.end_reason, 'decidedById', w.decided_by_id,
        'decidedByName', ${nameAtSql(tenantId, 'w.decided_by_id', 'w.ended_at')},
        'decidedIssuerId', nullif(w.decided_issuer_id, w.decided_by_id),
        'decidedIssuerName', ${nameAtSql(tenantId, 'nullif(w.decided_issuer_id, w.decided_by_id)', 'w.ended_at')},
        'endedAt', w.ended_at, 'comment', (SELECT x.comment FROM task_actions x WHERE x.tenant_id = ${tenantId} AND x.task_id = w.id
          AND x.kind IN ('APPROVED', 'DENIED', 'AMENDED') ORDER BY x.id DESC LIMIT 1),
        'accountStatus', o.account_status, 'accountType', o.account_type, 'owner', coalesce(nullif(o.user_display_name, ''), o.user_email),
        'department', o.department, 'jobTitle', o.job_title, 'managerEmail', o.manager_email, 'riskLevel', q.risk_level_display_name)
      FROM tasks w
      LEFT JOIN snapshot_accounts o ON o.tenant_id = ${tenantId} AND o.review_id = w.review_id AND o.app_id = w.app_id AND o.account_id = w.account_id
      LEFT JOIN snapshot_entitlements q ON q.tenant_id = ${tenantId} AND q.review_id = w.review_id AND q.app_id = w.app_id AND q.entitlement_id = w.entitlement_id
      WHERE w.tenant_id = ${tenantId} AND w.id = t.previous_task_id) END) AS found`;

/** The first entitlement of each path by which the access of the task `t` is inherited. */
const targetsSql = (
  tenantId: string,
): Sql => sql`(SELECT coalesce(json_agg(DISTINCT p.path ->> 0 ORDER BY p.path ->> 0), '[]') FROM grants_held g
        CROSS JOIN LATERAL jsonb_array_elements(g.paths) AS p (path)
        WHERE g.tenant_id = ${tenantId} AND g.app_id = t.app_id AND g.entitlement_id = t.entitlement_id AND g.account_id = t.account_id AND g.paths IS NOT NULL AND jsonb_array_length(p.path) > 0)`;

/** The removal of a task in full. */
function getShownRemovalSql(tenantId: string): Sql {
  const more = (
    targets: Sql,
  ): Sql => sql`, 'certifyTaskId', v.certify_task_id, 'description', v.description, 'note', v.note, 'targets', ${targets},
    'residual', residual_access(${tenantId}, v.app_id, v.entitlement_id, v.account_id, v.user_id)`;
  return getRemovalSql(tenantId, more(sql`'[]'::json`), more(targetsSql(tenantId)));
}

/** The attributes of the account `a` that the review `r` shows its reviewers. */
const shownAttributes = sql`(SELECT json_object_agg(k.name, a.profile -> k.name) FROM (
      SELECT w.value ->> 'attributeKey' AS name FROM jsonb_array_elements(r.document #> '{reviewerAttributeConfig,bindings}') AS w (value)
      WHERE w.value ->> 'appId' = t.app_id
      UNION SELECT w.value ->> 'appUserAttributeKey' FROM jsonb_array_elements(r.document #> '{columnConfig,orderedColumns}') AS w (value)
      WHERE w.value ? 'appUserAttributeKey') k WHERE a.profile ? k.name)`;

/**
 * The revision by which the access of the open task `t` went, or that of everybody who held the resource it is about; null while it is there, where it went
 * on as something else of the same name, too.
 */
const goneSql = (tenantId: string): Sql => sql`CASE WHEN t.state = 'OPEN' THEN (SELECT CASE WHEN t.principal_kind = 'R' THEN
    (SELECT CASE WHEN count(*) > 0 AND count(l.removed_revision) = count(*) THEN (
        SELECT json_build_object('syncId', v.sync_id, 'at', v.made_at) FROM revisions_public v
        WHERE v.tenant_id = ${tenantId} AND v.revision = max(l.removed_revision)) END
      FROM entitlements_public f JOIN links_public l ON l.tenant_id = ${tenantId} AND l.app_id = t.app_id AND l.from_entitlement_id = f.id
        AND l.to_entitlement_id = n.entitlement_id
      WHERE f.tenant_id = ${tenantId} AND f.app_id = t.app_id AND f.resource_id = n.account_id)
    WHEN NOT EXISTS (SELECT FROM grants_public g WHERE g.tenant_id = ${tenantId} AND g.app_id = t.app_id AND g.entitlement_id = n.entitlement_id
      AND g.account_id = n.account_id AND g.removed_revision IS NULL)
    THEN (SELECT json_build_object('syncId', v.sync_id, 'at', v.made_at) FROM grants_public g
      JOIN revisions_public v ON v.tenant_id = ${tenantId} AND v.revision = g.removed_revision
      WHERE g.tenant_id = ${tenantId} AND g.app_id = t.app_id AND g.entitlement_id = n.entitlement_id AND g.account_id = n.account_id
      ORDER BY g.removed_revision DESC LIMIT 1) END
  FROM (${getStandingIdsSql(tenantId)}) n) END`;

/** Reads tasks with everything that their view shows. Every subselect reads by primary key. */
const selectSql = (
  tenantId: string,
  where: Sql,
): Sql => sql`SELECT ${getTaskColumnsSql(tenantId)}, t.numeric_id AS "numericId", t.granted_at AS "grantedAt",
  t.last_used_at AS "lastUsedAt", t.updated_at AS "updatedAt", h.comments AS "commentCount",
  ${getShownRemovalSql(tenantId)}, ${foundSql(tenantId)},
  ${shownAttributes} AS "accountAttributes", ${goneSql(tenantId)} AS gone,
  CASE WHEN b.signature IS NOT NULL AND t.state = 'CLOSED' THEN ${getLastSignatureSql(tenantId)} END AS "givenSignature",
  CASE WHEN a.account_id IS NULL THEN NULL ELSE json_build_object('externalId', a.external_id, 'accountType', a.account_type,
    'accountStatus', a.account_status, 'userDisplayName', a.user_display_name, 'userEmail', a.user_email, 'department', a.department,
    'jobTitle', a.job_title, 'employmentStatus', a.employment_status) END AS account,
  CASE WHEN e.entitlement_id IS NULL THEN NULL ELSE json_build_object('displayName', e.display_name, 'description', e.description,
    'appDisplayName', e.app_display_name, 'resourceTypeId', e.resource_type_id, 'resourceTypeDisplayName', e.resource_type_display_name,
    'resourceId', e.resource_id, 'resourceDisplayName', e.resource_display_name) END AS entitlement
FROM tasks t ${getTaskJoinsSql(tenantId)}
  LEFT JOIN snapshot_accounts a ON a.tenant_id = ${tenantId} AND a.review_id = t.review_id AND a.app_id = t.app_id AND a.account_id = t.account_id
  LEFT JOIN snapshot_entitlements e
    ON e.tenant_id = ${tenantId} AND e.review_id = t.review_id AND e.app_id = t.app_id AND e.entitlement_id = t.entitlement_id
WHERE t.tenant_id = ${tenantId} AND ${where}`;

/** The task with this id as it is shown, whoever may see it, hidden ones too. */
export function findShownTask({ db, tenantId }: Context, id: string): Promise<ShownTask | undefined> {
  return db.maybe<ShownTask>(selectSql(tenantId, sql`t.id = ${id}`));
}

/** The tasks with these ids as they are shown, in this order, hidden ones too; ids of nothing are left out. */
export function listShownTasks(context: Context, ids: readonly string[]): Promise<ShownTask[]> {
  return listInOrder<ShownTask>(context, ids, (where) => selectSql(context.tenantId, where));
}
