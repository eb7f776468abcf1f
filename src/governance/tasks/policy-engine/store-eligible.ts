/**
 * SQL about who can be asked at all: enabled people who still work here. Who of them a step asks is store-assign.ts.
 */
import { fixed, type Sql, sql } from '../../../lib/sql.ts';
import type { Context } from '../../../context.ts';
import { getOwnerPeopleSql } from '../../../inventory/catalog/index.ts';
import { getByNowSql } from '../../../foundation/directory/index.ts';
import type { ReviewerGroup } from './resolve-reviewers.ts';

/** True if the person of row `alias` can be asked: enabled, human, still employed. */
export function getEligibleSql(alias: string): Sql {
  return fixed(`(${alias}.status = 'ENABLED' AND ${alias}.user_type = 'HUMAN' AND ${alias}.employment_status <> 'TERMINATED')`);
}

/** People who can be asked now, by what makes them so for every subject alike. */
export interface CommonReviewers {
  readonly reviewOwners: readonly string[];
  readonly administrators: readonly string[];
}

/** The managers of the review and the Super Administrators who can be asked, sorted. No service principal is ever asked. */
export function findCommonReviewers(
  { db, tenantId }: Context,
  reviewId: string,
  superAdministratorRoleId: string,
): Promise<CommonReviewers> {
  return db.one<CommonReviewers>(
    sql`SELECT ARRAY(SELECT u.id FROM task_reviews b JOIN users_public u ON u.tenant_id = ${tenantId} AND u.id = ANY (b.manager_ids)
              WHERE b.tenant_id = ${tenantId} AND b.id = ${reviewId} AND ${getEligibleSql('u')} ORDER BY u.id) AS "reviewOwners",
       ARRAY(SELECT u.id FROM roles_held r JOIN users_public u ON u.tenant_id = ${tenantId} AND u.id = r.user_id
              WHERE r.tenant_id = ${tenantId} AND r.role_id = ${superAdministratorRoleId} AND ${getEligibleSql('u')} ORDER BY u.id) AS administrators`,
  );
}

/** Those of these users who can be asked, sorted, each once; whoever was merged into somebody is that person. */
export async function listEligibleUsers({ db, tenantId }: Context, userIds: readonly string[]): Promise<string[]> {
  if (userIds.length === 0) {
    return [];
  }
  return db.column<string>(
    sql`SELECT u.id FROM users_public u WHERE u.tenant_id = ${tenantId} AND u.id = ANY (ARRAY${getByNowSql(tenantId, sql`${[...userIds]}`)})
      AND ${getEligibleSql('u')} ORDER BY u.id`,
  );
}

/** Whom those of these users were merged into who were merged, by their ids. */
export async function listMergedInto({ db, tenantId }: Context, userIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (userIds.length === 0) {
    return new Map();
  }
  const rows = await db.rows<{ id: string; intoId: string }>(
    sql`SELECT u.id, u.merged_into_id AS "intoId" FROM users_public u WHERE u.tenant_id = ${tenantId} AND u.id = ANY (${[...userIds]})
      AND u.merged_into_id IS NOT NULL`,
  );
  return new Map(rows.map(({ id, intoId }) => [id, intoId]));
}

/** The owners of the accounts that hold an entitlement now, or the one that it went on as, whether they can be asked or not; none where they are more than `most`. */
export async function listGroupMembers({ db, tenantId }: Context, group: ReviewerGroup, most: number): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(
    sql`SELECT DISTINCT a.user_id AS id FROM grants_held g
      JOIN accounts_public a ON a.tenant_id = ${tenantId} AND a.id = g.account_id AND a.deleted_at IS NULL AND a.user_id IS NOT NULL
      WHERE g.tenant_id = ${tenantId} AND g.app_id = ${group.appId} AND g.entitlement_id = (SELECT coalesce((SELECT e.merged_into_id
        FROM entitlements_public e WHERE e.tenant_id = ${tenantId} AND e.app_id = ${group.appId} AND e.id = ${group.entitlementId}), ${group.entitlementId}))
      LIMIT ${most + 1}`,
  );
  return rows.length > most ? [] : rows.map((row) => row.id);
}

/** The owners of an app who can be asked, sorted. */
export function listAppReviewers({ db, tenantId }: Context, appId: string): Promise<string[]> {
  return db.column<string>(
    sql`SELECT DISTINCT u.id FROM (${getOwnerPeopleSql({ tenantId }, 'app', sql`SELECT ${appId}::text, ${appId}::text`)}) w
      JOIN users_public u ON u.tenant_id = ${tenantId} AND u.id = w.user_id AND ${getEligibleSql('u')} ORDER BY u.id`,
  );
}
