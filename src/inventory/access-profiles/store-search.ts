/**
 * SQL behind the search of somebody who looks for access: what the published profiles they see give, and what of it they hold.
 */
import { allSql, type Sql, sql } from '../../lib/sql.ts';
import { type Conditions, listConditions } from '../../lib/where.ts';
import type { Context } from '../../context.ts';
import { getNameKey } from '../../lib/names/same-name.ts';
import { hasText } from '../../foundation/search/index.ts';
import type { Ref } from './store-entries.ts';

/** Entitlement search; a member that is undefined filters nothing. */
export interface OfferFilter {
  /** The app's whole name, in any case. */
  readonly appName?: string | undefined;
  readonly alias?: string | undefined;
  /** Its id, or words of its name, its description, its name in the source, alias or slug. */
  readonly query?: string | undefined;
  /** Held by the person, or not. */
  readonly isHeld?: boolean | undefined;
  /** Deleted ones, too, where true. */
  readonly includeDeleted?: boolean | undefined;
}

const heldBy = (tenantId: string, userId: string): Sql => sql`EXISTS (
    SELECT FROM accounts_public a
    JOIN grants_held g ON g.tenant_id = ${tenantId} AND g.app_id = a.app_id AND g.entitlement_id = e.id AND g.account_id = a.id
    WHERE a.tenant_id = ${tenantId} AND a.user_id = ${userId} AND a.app_id = e.app_id)`;

const conditionsFor = (tenantId: string, userId: string): Conditions<Omit<OfferFilter, 'includeDeleted'>> => ({
  appName: (name) => sql`fold_case(p.name_key) = fold_case(${getNameKey(name)})`,
  alias: (alias) => sql`e.alias = ${alias}`,
  query: hasText('e'),
  isHeld: (isHeld) => sql`${heldBy(tenantId, userId)} = ${isHeld}`,
});

/**
 * A page of the entitlements by id that a person finds in profiles: published ones that everybody sees, or that they see because they hold
 * something. Grows with what those profiles give, which is gathered once, as an array that an index takes: joined, it was compared with every
 * entitlement on the way.
 */
export function listOffers(context: Context, userId: string, filter: OfferFilter, after: string, limit: number): Promise<Ref[]> {
  const { tenantId } = context;
  const { includeDeleted, ...rest } = filter;
  const where = [...listConditions(rest, conditionsFor(tenantId, userId)), ...(includeDeleted === true ? [] : [sql`e.deleted_at IS NULL`])];
  return context.db.rows<Ref>(
    sql`WITH mine AS MATERIALIZED (
       SELECT g.app_id, g.entitlement_id FROM accounts_public a
       JOIN apps_public l ON l.tenant_id = ${tenantId} AND l.id = a.app_id AND l.deleted_at IS NULL
       JOIN grants_held g ON g.tenant_id = ${tenantId} AND g.app_id = a.app_id AND g.account_id = a.id
       WHERE a.tenant_id = ${tenantId} AND a.user_id = ${userId}),
     seen AS MATERIALIZED (
       SELECT c.id FROM access_profiles c
       WHERE c.tenant_id = ${tenantId} AND c.published AND c.deleted_at IS NULL AND (c.visible_to_everyone OR EXISTS (
         SELECT FROM access_profile_entitlements v JOIN mine m ON m.app_id = v.app_id AND m.entitlement_id = v.entitlement_id
         WHERE v.tenant_id = ${tenantId} AND v.profile_id = c.id AND v.part = 'VISIBLE')))
     SELECT e.app_id AS "appId", e.id
     FROM entitlements_public e JOIN apps_public p ON p.tenant_id = ${tenantId} AND p.id = e.app_id AND p.deleted_at IS NULL
     WHERE e.tenant_id = ${tenantId} AND e.id > ${after}
       AND e.id = ANY (ARRAY(SELECT DISTINCT r.entitlement_id FROM access_profile_entitlements r JOIN seen s ON s.id = r.profile_id
                             WHERE r.tenant_id = ${tenantId} AND r.part = 'REQUESTABLE'))
       AND ${allSql(where)}
     ORDER BY e.id LIMIT ${limit}`,
  );
}

/** Holding of a person's account. */
export interface HeldRow {
  readonly appId: string;
  readonly entitlementId: string;
  readonly accountId: string;
  readonly createdAt: Date;
  readonly deprovisionAt: Date | null;
  /** See grants.paths in the schema. */
  readonly paths: readonly (readonly string[])[] | null;
}

/** Lists a person's holdings of these entitlements. */
export function listHeld(context: Context, userId: string, refs: readonly Ref[]): Promise<HeldRow[]> {
  return context.db.rows<HeldRow>(
    `SELECT g.app_id AS "appId", g.entitlement_id AS "entitlementId", g.account_id AS "accountId", g.created_at AS "createdAt",
       g.deprovision_at AS "deprovisionAt", g.paths
     FROM accounts_public a
     JOIN grants_held g ON g.tenant_id = $1 AND g.app_id = a.app_id AND g.account_id = a.id
     WHERE a.tenant_id = $1 AND a.user_id = $2 AND a.app_id = ANY ($3) AND g.entitlement_id = ANY ($4)
     ORDER BY g.entitlement_id, g.account_id`,
    [context.tenantId, userId, [...new Set(refs.map((ref) => ref.appId))], refs.map((ref) => ref.id)],
  );
}
