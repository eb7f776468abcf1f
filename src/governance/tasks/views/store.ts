/**
 * SQL of tasks as they are shown: what rules read of them, and beside it the snapshot of the review and what stands out. One statement for a page of
 * them; what few have is read behind it, in store-rare.ts.
 */
import type { Context } from '../../../context.ts';
import { type Sql, sql } from '../../../lib/sql.ts';
import { getLookupSql, getTaskColumnsSql, getTaskJoinsSql, listInOrder } from '../task/index.ts';
import type { ShownTask } from './shown-task.ts';
import type { Found } from './store-found.ts';
import { type RareFindings, type RareMembers, readRareMembers } from './store-rare.ts';

/** The name of the source that reports the access of the task `t` now; of a source it has come from, where it has come from several. */
const sourceSql = (tenantId: string): Sql => sql`(SELECT s.display_name
      FROM (SELECT g.source_no, g.added_revision FROM grants_public g WHERE g.tenant_id = ${tenantId} AND g.app_id = t.app_id
        AND g.entitlement_id = t.entitlement_id AND g.account_id = t.account_id ORDER BY g.added_revision DESC OFFSET 0) g
      CROSS JOIN LATERAL (SELECT s.display_name FROM sources_public s WHERE s.tenant_id = ${tenantId} AND s.app_id = t.app_id
        AND s.source_no = g.source_no OFFSET 0) s
      ORDER BY g.added_revision DESC LIMIT 1)`;

/** What every task has of a Found: of the task `t` with its review `r`, account `a` and entitlement `e`. */
const foundSql = (
  tenantId: string,
): Sql => sql`json_build_object('score', t.score, 'flags', t.flags, 'peers', t.peers, 'peersWith', t.peers_with,
    'frozenAt', r.sources_frozen_at, 'riskLevel', e.risk_level_display_name, 'userStatus', a.user_status, 'managerEmail', a.manager_email,
    'source', ${sourceSql(tenantId)}) AS found`;

/** The attributes of the account `a` that the review `r` shows its reviewers. */
const shownAttributes = sql`(SELECT json_object_agg(k.name, a.profile -> k.name) FROM (
      SELECT w.value ->> 'attributeKey' AS name FROM jsonb_array_elements(r.document #> '{reviewerAttributeConfig,bindings}') AS w (value)
      WHERE w.value ->> 'appId' = t.app_id
      UNION SELECT w.value ->> 'appUserAttributeKey' FROM jsonb_array_elements(r.document #> '{columnConfig,orderedColumns}') AS w (value)
      WHERE w.value ? 'appUserAttributeKey') k WHERE a.profile ? k.name)`;

const accountColumns = `a.account_id, a.external_id, a.account_type, a.account_status, a.user_display_name, a.user_email, a.department, a.job_title,
  a.employment_status, a.user_status, a.manager_email, a.profile`;
const entitlementColumns = `e.entitlement_id, e.display_name, e.description, e.app_display_name, e.resource_type_id, e.resource_type_display_name,
  e.resource_id, e.resource_display_name, e.risk_level_display_name`;

/** A row as it is read, without what few tasks have. */
interface ShownRow extends Omit<ShownTask, keyof RareMembers | 'found'> {
  readonly found: Omit<Found, keyof RareFindings>;
  readonly previousTaskId: string | null;
}

/** Reads tasks with everything that most views show. Every join and every subselect looks up by key. */
const selectSql = (
  tenantId: string,
  where: Sql,
): Sql => sql`SELECT ${getTaskColumnsSql(tenantId)}, t.numeric_id AS "numericId", t.granted_at AS "grantedAt",
  t.last_used_at AS "lastUsedAt", t.updated_at AS "updatedAt", h.comments AS "commentCount",
  t.previous_task_id AS "previousTaskId", ${foundSql(tenantId)}, ${shownAttributes} AS "accountAttributes",
  CASE WHEN a.account_id IS NULL THEN NULL ELSE json_build_object('externalId', a.external_id, 'accountType', a.account_type,
    'accountStatus', a.account_status, 'userDisplayName', a.user_display_name, 'userEmail', a.user_email, 'department', a.department,
    'jobTitle', a.job_title, 'employmentStatus', a.employment_status) END AS account,
  CASE WHEN e.entitlement_id IS NULL THEN NULL ELSE json_build_object('displayName', e.display_name, 'description', e.description,
    'appDisplayName', e.app_display_name, 'resourceTypeId', e.resource_type_id, 'resourceTypeDisplayName', e.resource_type_display_name,
    'resourceId', e.resource_id, 'resourceDisplayName', e.resource_display_name) END AS entitlement
FROM tasks t ${getTaskJoinsSql(tenantId)}
  ${getLookupSql('a', accountColumns, sql`snapshot_accounts a WHERE a.tenant_id = ${tenantId} AND a.review_id = t.review_id AND a.app_id = t.app_id AND a.account_id = t.account_id`)}
  ${getLookupSql('e', entitlementColumns, sql`snapshot_entitlements e WHERE e.tenant_id = ${tenantId} AND e.review_id = t.review_id AND e.app_id = t.app_id AND e.entitlement_id = t.entitlement_id`)}
WHERE t.tenant_id = ${tenantId} AND ${where}`;

/** Adds to tasks what few of them have. */
async function completeTasks(context: Context, rows: readonly ShownRow[]): Promise<ShownTask[]> {
  const rareOf = await readRareMembers(
    context,
    rows.map((row) => ({ ...row, flags: row.found.flags })),
  );
  return rows.map(({ previousTaskId: _, ...row }) => {
    const { members, findings } = rareOf(row.id);
    return { ...row, ...members, found: { ...row.found, ...findings } };
  });
}

/** The task with this id as it is shown, whoever may see it, hidden ones too. */
export async function findShownTask(context: Context, id: string): Promise<ShownTask | undefined> {
  const rows = await context.db.rows<ShownRow>(selectSql(context.tenantId, sql`t.id = ${id}`));
  return (await completeTasks(context, rows))[0];
}

/** The tasks with these ids as they are shown, in this order, hidden ones too; ids of nothing are left out. */
export async function listShownTasks(context: Context, ids: readonly string[]): Promise<ShownTask[]> {
  return completeTasks(context, await listInOrder<ShownRow>(context, ids, (where) => selectSql(context.tenantId, where)));
}
