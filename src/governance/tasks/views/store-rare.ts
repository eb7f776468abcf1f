/**
 * SQL of what few shown tasks have: a removal, findings that are told in full, access that went meanwhile, a signature. Each is a statement of its own,
 * asked for those tasks alone that have it, so that the ordinary reading of a task is small and planned in no time.
 */
import type { Context } from '../../../context.ts';
import { fixed, type Sql, sql } from '../../../lib/sql.ts';
import { getStandingIdsSql } from '../../../inventory/catalog/index.ts';
import { nameAtSql } from '../../../foundation/directory/index.ts';
import type { GivenSignature } from '../../../foundation/signatures/index.ts';
import { getIsOneOfSql, getLastSignatureSql, getLookupSql, getMask, getRemovalSql, getReviewJoinSql, hasFlag } from '../task/index.ts';
import type { ShownRemoval, ShownTask } from './shown-task.ts';
import type { Found } from './store-found.ts';
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

/** A Previous of the task `t`. */
const previousSql = (tenantId: string): Sql => sql`CASE WHEN t.previous_task_id IS NOT NULL THEN (
      SELECT json_build_object('taskId', w.id, 'reviewId', w.review_id, 'outcome', w.outcome, 'endReason', w.end_reason, 'decidedById', w.decided_by_id,
        'decidedByName', ${nameAtSql(tenantId, 'w.decided_by_id', 'w.ended_at')},
        'decidedIssuerId', nullif(w.decided_issuer_id, w.decided_by_id),
        'decidedIssuerName', ${nameAtSql(tenantId, 'nullif(w.decided_issuer_id, w.decided_by_id)', 'w.ended_at')},
        'endedAt', w.ended_at, 'comment', (SELECT x.comment FROM task_actions x WHERE x.tenant_id = ${tenantId} AND x.task_id = w.id
          AND x.kind IN ('APPROVED', 'DENIED', 'AMENDED') ORDER BY x.id DESC LIMIT 1),
        'accountStatus', o.account_status, 'accountType', o.account_type, 'owner', coalesce(nullif(o.user_display_name, ''), o.user_email),
        'department', o.department, 'jobTitle', o.job_title, 'managerEmail', o.manager_email, 'riskLevel', q.risk_level_display_name)
      FROM (SELECT w.* FROM tasks w WHERE w.tenant_id = ${tenantId} AND w.id = t.previous_task_id OFFSET 0) w
      ${getLookupSql('o', 'o.*', sql`snapshot_accounts o WHERE o.tenant_id = ${tenantId} AND o.review_id = w.review_id AND o.app_id = w.app_id AND o.account_id = w.account_id`)}
      ${getLookupSql('q', 'q.risk_level_display_name', sql`snapshot_entitlements q WHERE q.tenant_id = ${tenantId} AND q.review_id = w.review_id AND q.app_id = w.app_id AND q.entitlement_id = w.entitlement_id`)}) END`;

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

/** Members of a shown task that few have. */
export type RareMembers = Pick<ShownTask, 'revocation' | 'gone' | 'givenSignature'>;
/** Findings that are told in full of few tasks. */
export type RareFindings = Pick<Found, 'held' | 'reportedEnd' | 'rules' | 'previous'>;

/** What a task has by which is known what has to be read of it. */
export interface Hints {
  readonly id: string;
  readonly kind: ShownTask['kind'];
  readonly state: ShownTask['state'];
  readonly outcome: ShownTask['outcome'];
  readonly signature?: ShownTask['signature'];
  readonly flags: number;
  readonly previousTaskId: string | null;
}

const hasRemoval = ({ kind, outcome }: Hints): boolean => kind === 'REVOKE' || outcome === 'DECERTIFIED';
const hasFindings = ({ flags, previousTaskId }: Hints): boolean =>
  previousTaskId !== null ||
  hasFlag(flags, 'INHERITED') ||
  hasFlag(flags, 'TEMPORARY') ||
  hasFlag(flags, 'PAST_END') ||
  hasFlag(flags, 'CONFLICT');
const isOpen = ({ state }: Hints): boolean => state === 'OPEN';
const mayHaveSignature = ({ state, signature }: Hints): boolean => state === 'CLOSED' && (signature ?? null) !== null;

/** Reads something of those of the tasks `t` that have it, with what it joins to them, by their ids; of none without asking. */
async function mapRows<T>({ db, tenantId }: Context, tasks: readonly Hints[], columns: Sql, joins: Sql): Promise<ReadonlyMap<string, T>> {
  const ids = tasks.map(({ id }) => id);
  const select = sql`SELECT t.id, ${columns} FROM tasks t ${joins} WHERE t.tenant_id = ${tenantId} AND ${getIsOneOfSql(ids)}`;
  const rows = ids.length === 0 ? [] : await db.rows<T & { id: string }>(select);
  return new Map(rows.map(({ id, ...members }) => [id, members as T]));
}

/** Reads of tasks what few have; each of them has these members. */
export async function readRareMembers(
  context: Context,
  tasks: readonly Hints[],
): Promise<(taskId: string) => { readonly members: RareMembers; readonly findings: RareFindings }> {
  const { tenantId } = context;
  const batch = sql`JOIN task_reviews b ON b.tenant_id = ${tenantId} AND b.id = t.review_id`;
  const removals = await mapRows<{ revocation: ShownRemoval | null }>(
    context,
    tasks.filter(hasRemoval),
    getShownRemovalSql(tenantId),
    batch,
  );
  const findings = await mapRows<RareFindings>(
    context,
    tasks.filter(hasFindings),
    sql`${heldSql(tenantId)} AS held, ${getReportedEndSql(tenantId, sql`r.prepared_revision`)} AS "reportedEnd", ${rulesSql(tenantId)} AS rules,
      ${previousSql(tenantId)} AS previous`,
    getReviewJoinSql(tenantId, sql`t.review_id`),
  );
  const gone = await mapRows<{ gone: ShownTask['gone'] }>(context, tasks.filter(isOpen), sql`${goneSql(tenantId)} AS gone`, sql``);
  const signatures = await mapRows<{ givenSignature: GivenSignature | null }>(
    context,
    tasks.filter(mayHaveSignature),
    sql`${getLastSignatureSql(tenantId)} AS "givenSignature"`,
    sql``,
  );
  return (id) => ({
    members: {
      revocation: removals.get(id)?.revocation ?? null,
      gone: gone.get(id)?.gone ?? null,
      givenSignature: signatures.get(id)?.givenSignature ?? null,
    },
    findings: findings.get(id) ?? { held: null, reportedEnd: null, rules: null, previous: null },
  });
}
