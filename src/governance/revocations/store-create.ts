/** SQL on access whose removal somebody asks for: whether it is there, who holds it, and the removal that is made. */
import { sql } from '../../lib/sql.ts';
import type { Context } from '../../context.ts';
import { getOwnsAppSql, openStates } from './record/index.ts';

interface Named {
  readonly appId: string;
  readonly entitlementId: string;
  readonly accountId: string;
  readonly userId: string;
}

/** Existence of each thing named, and whether the caller owns the app or the account. */
export interface Asked {
  readonly hasApp: boolean;
  readonly hasEntitlement: boolean;
  readonly hasAccount: boolean;
  readonly hasPerson: boolean;
  readonly isOwner: boolean;
  readonly isOwnAccount: boolean;
}

/** Looks up what is named. */
export function findAsked(context: Context, { appId, entitlementId, accountId, userId }: Named): Promise<Asked> {
  const { tenantId, actor } = context;
  return context.db.one(
    sql`SELECT EXISTS (SELECT FROM apps_public p WHERE p.tenant_id = ${tenantId} AND p.id = ${appId} AND p.deleted_at IS NULL) AS "hasApp",
      EXISTS (SELECT FROM entitlements_public e WHERE e.tenant_id = ${tenantId} AND e.app_id = ${appId} AND e.id = ${entitlementId}
        AND e.deleted_at IS NULL) AS "hasEntitlement",
      EXISTS (SELECT FROM accounts_public a WHERE a.tenant_id = ${tenantId} AND a.app_id = ${appId} AND a.id = ${accountId} AND a.deleted_at IS NULL) AS "hasAccount",
      EXISTS (SELECT FROM users_public u WHERE u.tenant_id = ${tenantId} AND u.id = ${userId} AND u.status <> 'DELETED') AS "hasPerson",
      (SELECT ${getOwnsAppSql(context)} FROM (SELECT ${appId}::text AS app_id) r) AS "isOwner",
      EXISTS (SELECT FROM accounts_public a WHERE a.tenant_id = ${tenantId} AND a.app_id = ${appId} AND a.id = ${accountId} AND a.user_id = ${actor.userId}
        AND a.deleted_at IS NULL) AS "isOwnAccount"`,
  );
}

/** The accounts that are meant and hold the entitlement now: two at most. */
export function listHolders(
  context: Context,
  { appId, entitlementId, accountId, userId }: Named,
): Promise<{ accountId: string; userId: string | null }[]> {
  const { tenantId } = context;
  return context.db.rows(
    sql`SELECT a.id AS "accountId", a.user_id AS "userId" FROM accounts_public a
      JOIN grants_held g ON g.tenant_id = ${tenantId} AND g.app_id = a.app_id AND g.entitlement_id = ${entitlementId} AND g.account_id = a.id
      WHERE a.tenant_id = ${tenantId} AND a.app_id = ${appId} AND a.deleted_at IS NULL
        AND (${accountId} = '' OR a.id = ${accountId}) AND (${userId} = '' OR a.user_id = ${userId}) ORDER BY a.id LIMIT 2`,
  );
}

type Access = Omit<Named, 'userId'>;

/** Keeps others from asking for a removal of this access until the transaction ends; the id of one that is open already. */
export async function lockAccess({ db, tenantId }: Context, { appId, entitlementId, accountId }: Access): Promise<string | undefined> {
  const name = `countersign.removal.${tenantId}/${appId}/${entitlementId}/${accountId}`;
  await db.rows(sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 11))`);
  return db.maybeValue<string>(
    sql`SELECT r.id FROM revocations r WHERE r.tenant_id = ${tenantId} AND r.app_id = ${appId} AND r.entitlement_id = ${entitlementId}
      AND r.account_id = ${accountId} AND r.state = ANY (${openStates}) ORDER BY r.id LIMIT 1`,
  );
}

/** Adds a removal that somebody asks for, to be requested in the same transaction. */
export async function insertHeld(
  { db, tenantId, now, actor }: Context,
  { id, appId, entitlementId, accountId, userId, description }: Access & { id: string; userId: string | null; description: string },
): Promise<void> {
  await db.run(
    sql`INSERT INTO revocations (tenant_id, id, app_id, entitlement_id, account_id, user_id, state, state_at, actor_id, actor_issuer_id,
        requested_by_id, requested_issuer_id, description, created_at, updated_at)
      VALUES (${tenantId}, ${id}, ${appId}, ${entitlementId}, ${accountId}, ${userId}, 'HELD', ${now}, ${actor.userId}, ${actor.issuerId},
        ${actor.userId}, ${actor.issuerId}, ${description}, ${now}, ${now})`,
  );
}
