/**
 * SQL of an app's grants with their whole story: what the app's own lists show, and the syncs between which each appeared and vanished.
 */
import { allOf, empty, fixed, type Sql, sql } from '../../lib/sql.ts';
import { type Conditions, conditionsOf } from '../../lib/where.ts';
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

const columns = sql`g.entitlement_id AS "entitlementId", g.account_id AS "accountId", g.added_revision AS "addedRevision", g.is_derived AS "isDerived",
  g.granted_at AS "grantedAt", g.last_used_at AS "lastUsedAt", g.deprovision_at AS "deprovisionAt", g.paths, g.created_at AS "createdAt",
  g.updated_at AS "updatedAt", g.ended_at AS "endedAt", k.id AS "sourceId", ra.made_at AS "appearedAt", ra.cause AS "appearedCause",
  ra.actor_id AS "appearedById", nullif(ra.sync_id, '') AS "appearedInId", ia.previous_id AS "absentFromId", rv.cause AS "vanishedCause",
  rv.actor_id AS "vanishedById", nullif(rv.sync_id, '') AS "vanishedInId", iv.previous_id AS "lastSeenInId"`;

/** Each is found by a whole key: a page is joined row by row. */
const storyOf = (tenantId: string): Sql => sql`LEFT JOIN sources k
    ON k.tenant_id = ${tenantId} AND k.app_id = g.app_id AND k.source_no = g.source_no AND g.source_no > 0
  LEFT JOIN inventory_revisions ra ON ra.tenant_id = ${tenantId} AND ra.revision = g.added_revision
  LEFT JOIN syncs ia ON ia.tenant_id = ${tenantId} AND ia.id = ra.sync_id
  LEFT JOIN inventory_revisions rv ON rv.tenant_id = ${tenantId} AND rv.revision = g.removed_revision
  LEFT JOIN syncs iv ON iv.tenant_id = ${tenantId} AND iv.id = rv.sync_id`;

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

const holderConditions: Conditions<Pick<AppGrantFilter, 'accountId' | 'userId'>> = {
  accountId: (id) => sql`a.id = ${id}`,
  userId: (id) => sql`a.user_id = ${id}`,
};

/**
 * A page of an app's grants by entitlement, account and life. Of an app or an entitlement it is read in the order of the primary key, and
 * passes over ended grants where they are not asked for; of an account or a person, all they hold is sorted.
 */
export function listGrants(context: Context, filter: AppGrantFilter, after: GrantLife, limit: number): Promise<GrantRow[]> {
  const { tenantId } = context;
  const { appId, entitlementId, accountId, userId, includeEnded } = filter;
  const where = [
    sql`g.tenant_id = ${tenantId} AND g.app_id = ${appId}`,
    sql`(g.entitlement_id, g.account_id, g.added_revision) > (${after.entitlementId}, ${after.accountId}, ${after.addedRevision})`,
    ...(includeEnded ? [] : [sql`g.removed_revision IS NULL`]),
    ...(entitlementId === undefined ? [] : [sql`g.entitlement_id = ${entitlementId}`]),
  ];
  const holders = conditionsOf({ accountId, userId }, holderConditions);
  const held = sql`WITH held AS MATERIALIZED (
    SELECT n.* FROM accounts a JOIN grants n ON n.tenant_id = ${tenantId} AND n.app_id = ${appId} AND n.account_id = a.id
    WHERE a.tenant_id = ${tenantId} AND a.app_id = ${appId} AND ${allOf(holders)})`;
  return context.db.rows<GrantRow>(
    sql`${holders.length === 0 ? empty : held} SELECT ${columns}
     FROM (SELECT * FROM ${fixed(holders.length === 0 ? 'grants' : 'held')} g WHERE ${allOf(where)}
           ORDER BY g.entitlement_id, g.account_id, g.added_revision LIMIT ${limit}) AS g
     ${storyOf(tenantId)} ORDER BY g.entitlement_id, g.account_id, g.added_revision`,
  );
}
