/**
 * SQL that says which people own something: those who own it themselves, and those who own an account that holds an entitlement that owns it,
 * in whatever role. For the steps of policies that ask owners, and for whoever looks after a source.
 */
import type { Context } from '../../../context.ts';
import { empty, fixed, type Sql, sql } from '../../../lib/sql.ts';
import type { OwnableKind } from './store-owners.ts';

/** An owning entitlement that more accounts hold than this stands for nobody: nobody could say who of them answers for a thing. */
export const maxHolders = 1000;

/** Kinds of things whose owners are asked or told. */
type AskedKind = Extract<OwnableKind, 'app' | 'entitlement' | 'resource' | 'source'>;

/**
 * A query of (app_id, id, user_id): once for each enabled person who owns one of the things, which `things` is a query for, of (app_id, id). An
 * app's own id stands for both. No service principal is among them; who is asked in the end, and in what order, is the caller's business.
 *
 * Cost: in proportion to the things and to their owners, however many grants there are. Each owning entitlement is looked up once, by the
 * index `grants_open`, and no further than maxHolders + 1 grants. Where nothing is owned by an entitlement, no grant is read.
 *
 *     WITH owners AS (${getOwnerPeopleSql(context, 'resource', sql`SELECT DISTINCT e.app_id, e.resource_id FROM review_entitlements e WHERE ...`)})
 */
export function getOwnerPeopleSql({ tenantId }: Pick<Context, 'tenantId'>, kind: AskedKind, things: Sql): Sql {
  const id = fixed(kind === 'app' ? 'app_id' : `${kind}_id`);
  const table = fixed(`${kind}_owners`);
  // A source has an id of its own, and its owners no app.
  const ofApp = kind === 'source' ? empty : sql`AND o.app_id = t.app_id`;
  return sql`WITH things (app_id, id) AS MATERIALIZED (${things}),
    by_entitlement AS MATERIALIZED (
      SELECT t.app_id, t.id, x.owner_app_id, x.owner_entitlement_id FROM things t
      JOIN owner_entitlements x ON x.tenant_id = ${tenantId} AND x.kind = ${kind} AND x.app_id = t.app_id AND x.object_id = t.id),
    held AS MATERIALIZED (
      SELECT d.owner_app_id, d.owner_entitlement_id, g.user_id,
        count(*) OVER (PARTITION BY d.owner_app_id, d.owner_entitlement_id) AS holders
      FROM (SELECT DISTINCT b.owner_app_id, b.owner_entitlement_id FROM by_entitlement b) d
      CROSS JOIN LATERAL (
        -- A subselect for each account, since whoever prepares a review switches nested loops off, and would read all accounts in their place.
        SELECT (SELECT c.user_id FROM accounts_public c
                WHERE c.tenant_id = ${tenantId} AND c.app_id = h.app_id AND c.id = h.account_id AND c.status <> 'DELETED') AS user_id
        FROM grants_public h
        WHERE h.tenant_id = ${tenantId} AND h.app_id = d.owner_app_id AND h.entitlement_id = d.owner_entitlement_id
          AND h.removed_revision IS NULL
        LIMIT ${fixed(String(maxHolders + 1))}) g)
    SELECT p.app_id, p.id, p.user_id FROM (
      SELECT t.app_id, t.id, o.user_id FROM things t
      JOIN ${table} o ON o.tenant_id = ${tenantId} ${ofApp} AND o.${id} = t.id
      UNION
      SELECT b.app_id, b.id, h.user_id FROM by_entitlement b
      JOIN held h ON h.owner_app_id = b.owner_app_id AND h.owner_entitlement_id = b.owner_entitlement_id
      WHERE h.holders <= ${fixed(String(maxHolders))}) p
    JOIN users_public u ON u.tenant_id = ${tenantId} AND u.id = p.user_id AND u.status = 'ENABLED' AND u.user_type = 'HUMAN'`;
}
