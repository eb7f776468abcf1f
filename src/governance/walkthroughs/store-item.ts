/** SQL that finds one item of a review: its grant as the snapshot has it, with the revisions that added and ended it, and its removal. */
import type { Context } from '../../context.ts';
import { sql } from '../../lib/sql.ts';
import type { RevocationState } from '../revocations/index.ts';

/** The grant of an item, from the revision that added it to the one that ended it; times are RFC 3339. */
export interface GrantOfItem {
  readonly appearedAt: string;
  readonly addedRevision: number;
  readonly appearedCause: 'IMPORT' | 'MANUAL' | 'SCIM' | 'EXPIRY';
  readonly appearedByUserId: string;
  readonly addedBySyncId: string;
  readonly grantedAt: string | null;
  /** The source that reports it; empty for a manual grant. */
  readonly sourceId: string;
  readonly account: string;
  readonly resourceType: string;
  readonly resource: string;
  readonly entitlement: string;
  readonly endedAt: string | null;
  readonly removedRevision: number | null;
  readonly endedCause: GrantOfItem['appearedCause'] | null;
  readonly endedByUserId: string | null;
  readonly endedBySyncId: string | null;
}

/** The removal of an item; times are RFC 3339. */
export interface RemovalOfItem {
  readonly id: string;
  readonly state: RevocationState;
  readonly stateAt: string;
  readonly requestedAt: string | null;
  readonly dueAt: string | null;
  readonly syncId: string;
}

/** One item of a review. */
export interface ItemRow {
  readonly taskId: string;
  readonly numericId: number;
  readonly appId: string;
  readonly appDisplayName: string;
  readonly account: string;
  readonly accountType: string;
  readonly accountStatus: string;
  readonly person: string;
  readonly email: string;
  readonly department: string;
  readonly jobTitle: string;
  readonly managerEmail: string;
  readonly resource: string;
  readonly entitlement: string;
  readonly description: string;
  /** People whom it asked last, and why them. */
  readonly askedUserIds: readonly string[];
  readonly askedReason: string;
  readonly submissionIds: readonly string[];
  /** The time it was decided or ended otherwise; null while it is open. */
  readonly endedAt: Date | null;
  readonly grant: GrantOfItem | null;
  readonly removal: RemovalOfItem | null;
}

/** The item of a review with this task id; the grant is the one that was held at the revision of the snapshot. */
export function findItem({ db, tenantId }: Context, reviewId: string, taskId: string): Promise<ItemRow | undefined> {
  return db.maybe<ItemRow>(
    sql`SELECT t.id AS "taskId", t.numeric_id AS "numericId", t.app_id AS "appId", coalesce(e.app_display_name, '') AS "appDisplayName",
        coalesce(a.external_id, '') AS account, coalesce(a.account_type, '') AS "accountType", coalesce(a.account_status, '') AS "accountStatus",
        coalesce(nullif(a.user_display_name, ''), a.user_email, '') AS person, coalesce(a.user_email, '') AS email,
        coalesce(a.department, '') AS department, coalesce(a.job_title, '') AS "jobTitle", coalesce(a.manager_email, '') AS "managerEmail",
        coalesce(e.resource_display_name, '') AS resource, coalesce(e.display_name, '') AS entitlement, coalesce(e.description, '') AS description,
        coalesce(s.user_ids, '{}') AS "askedUserIds", coalesce(s.reason, '') AS "askedReason", t.ended_at AS "endedAt",
        ARRAY(SELECT DISTINCT x.submission_id FROM task_actions_public x
          WHERE x.tenant_id = ${tenantId} AND x.task_id = t.id AND x.submission_id <> '') AS "submissionIds",
        (SELECT to_jsonb(g) FROM (
          SELECT g.created_at AS "appearedAt", g.added_revision AS "addedRevision", ra.cause AS "appearedCause", ra.actor_id AS "appearedByUserId",
            ra.sync_id AS "addedBySyncId", g.granted_at AS "grantedAt", coalesce(s.id, '') AS "sourceId", coalesce(c.external_id, '') AS account,
            coalesce(y.external_id, '') AS "resourceType", coalesce(o.external_id, '') AS resource, coalesce(n.external_id, '') AS entitlement,
            g.ended_at AS "endedAt", g.removed_revision AS "removedRevision", rv.cause AS "endedCause", rv.actor_id AS "endedByUserId",
            rv.sync_id AS "endedBySyncId"
          FROM grants_public g
          JOIN revisions_public ra ON ra.tenant_id = ${tenantId} AND ra.revision = g.added_revision
          LEFT JOIN revisions_public rv ON rv.tenant_id = ${tenantId} AND rv.revision = g.removed_revision
          LEFT JOIN sources_public s ON s.tenant_id = ${tenantId} AND s.app_id = g.app_id AND s.source_no = g.source_no AND g.source_no > 0
          LEFT JOIN accounts_public c ON c.tenant_id = ${tenantId} AND c.app_id = g.app_id AND c.id = g.account_id
          LEFT JOIN entitlements_public n ON n.tenant_id = ${tenantId} AND n.app_id = g.app_id AND n.id = g.entitlement_id
          LEFT JOIN resource_types_public y ON y.tenant_id = ${tenantId} AND y.app_id = g.app_id AND y.id = n.resource_type_id
          LEFT JOIN resources_public o ON o.tenant_id = ${tenantId} AND o.app_id = g.app_id AND o.id = n.resource_id
          WHERE g.tenant_id = ${tenantId} AND g.app_id = t.app_id AND g.entitlement_id = t.entitlement_id AND g.account_id = t.account_id
            AND g.added_revision <= r.prepared_revision AND (g.removed_revision IS NULL OR g.removed_revision > r.prepared_revision)
          ORDER BY g.added_revision DESC LIMIT 1) g) AS grant,
        (SELECT to_jsonb(v) FROM (
          SELECT v.id, v.state, v.state_at AS "stateAt", v.requested_at AS "requestedAt", v.due_at AS "dueAt", v.sync_id AS "syncId"
          FROM revocations_public v WHERE v.tenant_id = ${tenantId} AND v.certify_task_id = t.id ORDER BY v.created_at DESC, v.id DESC LIMIT 1) v) AS removal
      FROM tasks_public t JOIN reviews_public r ON r.tenant_id = ${tenantId} AND r.id = t.review_id
      LEFT JOIN assignments_public s ON s.tenant_id = ${tenantId} AND s.id = t.assignment_id
      LEFT JOIN snapshot_accounts a ON a.tenant_id = ${tenantId} AND a.review_id = t.review_id AND a.app_id = t.app_id AND a.account_id = t.account_id
      LEFT JOIN snapshot_entitlements e
        ON e.tenant_id = ${tenantId} AND e.review_id = t.review_id AND e.app_id = t.app_id AND e.entitlement_id = t.entitlement_id
      WHERE t.tenant_id = ${tenantId} AND t.id = ${taskId} AND t.review_id = ${reviewId}`,
  );
}

/** The display names of these sources by id. */
export async function listSourceNames({ db, tenantId }: Context, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await db.rows<{ id: string; name: string }>(
    sql`SELECT s.id, s.display_name AS name FROM sources_public s WHERE s.tenant_id = ${tenantId} AND s.id = ANY (${[...ids]}::text[])`,
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}
