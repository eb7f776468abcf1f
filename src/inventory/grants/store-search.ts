/**
 * SQL of the search for grants: open ones, by app, entitlement and account. Two ways lead to a page. By entitlement: the next entitlements
 * that anybody holds, then the first grants of each; a page costs in proportion to itself and to the entitlements it passes over, not to
 * the grants. By holder, where accounts or a person are named: all they hold, sorted; a page costs in proportion to that. OFFSET 0 has each
 * entitlement looked up by its key: joined freely, all of them were read now and then to find a few.
 */
import { allSql, sql } from '../../lib/sql.ts';
import { type Conditions, listConditions, isOneOfRefs } from '../../lib/where.ts';
import type { Context } from '../../context.ts';

/** Open grants to find; a member that is undefined filters nothing. Those of deleted apps and entitlements are never among them. */
export interface GrantFilter {
  readonly appIds?: readonly string[] | undefined;
  readonly accountIds?: readonly string[] | undefined;
  /** 'app id/entitlement id'. */
  readonly entitlementRefs?: readonly string[] | undefined;
  readonly slugs?: readonly string[] | undefined;
  readonly purposes?: readonly string[] | undefined;
  readonly resourceIds?: readonly string[] | undefined;
  readonly resourceTypeIds?: readonly string[] | undefined;
  /** Owner of the account. */
  readonly userId?: string | undefined;
}

/** The key of a grant among the open ones. */
export interface GrantPlace {
  readonly appId: string;
  readonly entitlementId: string;
  readonly accountId: string;
}

/** An open grant as bindings show it. */
export interface OpenGrantRow extends GrantPlace {
  readonly grantedAt: Date | null;
  readonly deprovisionAt: Date | null;
  readonly createdAt: Date;
  readonly paths: readonly (readonly string[])[] | null;
}

const columns = sql`g.app_id AS "appId", g.entitlement_id AS "entitlementId", g.account_id AS "accountId", g.granted_at AS "grantedAt",
  g.deprovision_at AS "deprovisionAt", g.created_at AS "createdAt", g.paths`;

const entitlementConditions: Conditions<Omit<GrantFilter, 'accountIds' | 'userId'>> = {
  appIds: (ids) => sql`e.app_id = ANY (${ids})`,
  entitlementRefs: isOneOfRefs('e'),
  // As the entitlement shows it: one of a source that has none of its own goes by its name there.
  slugs: (slugs) => sql`CASE WHEN e.slug <> '' OR e.is_manual THEN e.slug ELSE e.external_id END = ANY (${slugs})`,
  purposes: (purposes) => sql`e.purpose = ANY (${purposes})`,
  resourceIds: (ids) => sql`e.resource_id = ANY (${ids})`,
  resourceTypeIds: (ids) => sql`e.resource_type_id = ANY (${ids})`,
};

const holderConditions: Conditions<Pick<GrantFilter, 'accountIds' | 'userId'>> = {
  accountIds: (ids) => sql`a.id = ANY (${ids})`,
  userId: (id) => sql`a.user_id = ${id}`,
};

/** A page of open grants after a place. */
export function listOpenGrants(context: Context, filter: GrantFilter, after: GrantPlace, limit: number): Promise<OpenGrantRow[]> {
  const { tenantId } = context;
  const { accountIds, userId, ...ofEntitlements } = filter;
  const { appId, entitlementId, accountId } = after;
  const where = allSql([
    sql`e.tenant_id = ${tenantId} AND e.deleted_at IS NULL`,
    sql`EXISTS (SELECT FROM apps_public p WHERE p.tenant_id = ${tenantId} AND p.id = e.app_id AND p.deleted_at IS NULL)`,
    ...listConditions(ofEntitlements, entitlementConditions),
  ]);
  const holders = listConditions({ accountIds, userId }, holderConditions);
  return context.db.rows<OpenGrantRow>(
    holders.length === 0
      ? sql`SELECT ${columns}
         FROM (SELECT e.app_id, e.id FROM entitlements_public e
               WHERE ${where} AND e.grant_count > 0 AND (e.app_id, e.id) >= (${appId}, ${entitlementId})
               ORDER BY e.app_id, e.id LIMIT ${limit + 1}) AS e
         CROSS JOIN LATERAL (
           SELECT * FROM grants_held n
           WHERE n.tenant_id = ${tenantId} AND n.app_id = e.app_id AND n.entitlement_id = e.id
             AND n.account_id > CASE WHEN e.app_id = ${appId} AND e.id = ${entitlementId} THEN ${accountId} ELSE '' END
           ORDER BY n.account_id LIMIT ${limit}) AS g
         ORDER BY e.app_id, e.id, g.account_id LIMIT ${limit}`
      : sql`WITH held AS MATERIALIZED (
           SELECT g.* FROM accounts_public a
           JOIN grants_held g ON g.tenant_id = ${tenantId} AND g.app_id = a.app_id AND g.account_id = a.id
           WHERE a.tenant_id = ${tenantId} AND ${allSql(holders)})
         SELECT ${columns} FROM held g
         CROSS JOIN LATERAL (
           SELECT * FROM entitlements_public n WHERE n.tenant_id = ${tenantId} AND n.app_id = g.app_id AND n.id = g.entitlement_id OFFSET 0) AS e
         WHERE ${where} AND (g.app_id, g.entitlement_id, g.account_id) > (${appId}, ${entitlementId}, ${accountId})
         ORDER BY g.app_id, g.entitlement_id, g.account_id LIMIT ${limit}`,
  );
}
