/**
 * SQL of an app's grants with their whole story: what the app's own lists show, and the syncs between which each appeared and vanished.
 */
import type { Context } from '../../context.ts';

/** What made a revision, where it is known. */
export type Cause = 'IMPORT' | 'MANUAL' | 'SCIM' | 'EXPIRY';

/** A grant with its history. */
export interface GrantRow {
  readonly entitlementId: string;
  readonly accountId: string;
  /** Distinguishes the lives of one grant apart. */
  readonly addedRevision: number;
  readonly isDerived: boolean;
  readonly grantedAt: Date | null;
  readonly lastUsedAt: Date | null;
  readonly deprovisionAt: Date | null;
  readonly paths: readonly (readonly string[])[] | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Null while it is there. */
  readonly endedAt: Date | null;
  /** Null where it was granted manually. */
  readonly sourceId: string | null;
  readonly appearedAt: Date | null;
  readonly appearedCause: Cause | null;
  readonly appearedById: string | null;
  readonly appearedInId: string | null;
  /** The sync of the same source before it. */
  readonly absentFromId: string | null;
  readonly vanishedCause: Cause | null;
  readonly vanishedById: string | null;
  readonly vanishedInId: string | null;
  /** The sync of the same source before it, the last that had the grant. */
  readonly lastSeenInId: string | null;
}

const columns = `g.entitlement_id AS "entitlementId", g.account_id AS "accountId", g.added_revision AS "addedRevision", g.is_derived AS "isDerived",
  g.granted_at AS "grantedAt", g.last_used_at AS "lastUsedAt", g.deprovision_at AS "deprovisionAt", g.paths, g.created_at AS "createdAt",
  g.updated_at AS "updatedAt", g.ended_at AS "endedAt", k.id AS "sourceId", ra.made_at AS "appearedAt", ra.cause AS "appearedCause",
  ra.actor_id AS "appearedById", nullif(ra.sync_id, '') AS "appearedInId", ia.previous_id AS "absentFromId", rv.cause AS "vanishedCause",
  rv.actor_id AS "vanishedById", nullif(rv.sync_id, '') AS "vanishedInId", iv.previous_id AS "lastSeenInId"`;

/** Each is found by a whole key: a page is joined row by row. */
const story = `LEFT JOIN sources k ON k.tenant_id = $1 AND k.app_id = g.app_id AND k.source_no = g.source_no AND g.source_no > 0
  LEFT JOIN inventory_revisions ra ON ra.tenant_id = $1 AND ra.revision = g.added_revision
  LEFT JOIN syncs ia ON ia.tenant_id = $1 AND ia.id = ra.sync_id
  LEFT JOIN inventory_revisions rv ON rv.tenant_id = $1 AND rv.revision = g.removed_revision
  LEFT JOIN syncs iv ON iv.tenant_id = $1 AND iv.id = rv.sync_id`;

/** Which grants of an app; a member that is undefined filters nothing. */
export interface AppGrantFilter {
  readonly appId: string;
  readonly entitlementId?: string | undefined;
  readonly accountId?: string | undefined;
  /** Who owns the account. */
  readonly userId?: string | undefined;
  readonly includeEnded: boolean;
}

/** The key of a grant and of its life. */
export interface GrantLife {
  readonly entitlementId: string;
  readonly accountId: string;
  readonly addedRevision: number;
}

/** Before the first grant of an app. */
export const listStart: GrantLife = { entitlementId: '', accountId: '', addedRevision: 0 };

/**
 * A page of an app's grants by entitlement, account and life. Of an app or an entitlement it is read in the order of the primary key, and
 * passes over ended grants where they are not asked for; of an account or a person, all they hold is sorted.
 */
export function listGrants(context: Context, filter: AppGrantFilter, after: GrantLife, limit: number): Promise<GrantRow[]> {
  const values: unknown[] = [context.tenantId, limit, filter.appId, after.entitlementId, after.accountId, after.addedRevision];
  const add = (value: unknown): string => `$${values.push(value)}`;
  const where = ['g.tenant_id = $1', 'g.app_id = $3', '(g.entitlement_id, g.account_id, g.added_revision) > ($4, $5, $6)'];
  if (!filter.includeEnded) {
    where.push('g.removed_revision IS NULL');
  }
  if (filter.entitlementId !== undefined) {
    where.push(`g.entitlement_id = ${add(filter.entitlementId)}`);
  }
  const holders = [
    ...(filter.accountId === undefined ? [] : [`a.id = ${add(filter.accountId)}`]),
    ...(filter.userId === undefined ? [] : [`a.user_id = ${add(filter.userId)}`]),
  ];
  const held = `WITH held AS MATERIALIZED (
    SELECT n.* FROM accounts a JOIN grants n ON n.tenant_id = $1 AND n.app_id = $3 AND n.account_id = a.id
    WHERE a.tenant_id = $1 AND a.app_id = $3 AND ${holders.join(' AND ')})`;
  return context.db.rows<GrantRow>(
    `${holders.length === 0 ? '' : held} SELECT ${columns}
     FROM (SELECT * FROM ${holders.length === 0 ? 'grants' : 'held'} g WHERE ${where.join(' AND ')}
           ORDER BY g.entitlement_id, g.account_id, g.added_revision LIMIT $2) AS g
     ${story} ORDER BY g.entitlement_id, g.account_id, g.added_revision`,
    values,
  );
}
