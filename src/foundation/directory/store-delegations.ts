/**
 * SQL of delegations: who decides in whose place. One row per person; what was before is in the events. A row whose time is over counts for
 * nothing and is replaced by the next.
 */
import type { Context } from '../../context.ts';

/** A delegation. */
export interface DelegationRow {
  readonly userId: string;
  readonly delegatedUserId: string;
  /** Null: from the beginning. */
  readonly startsAt: Date | null;
  /** Null: without an end. */
  readonly expiresAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** Waits for whoever else sets delegations of this tenant, so that two together make no circle. */
export async function lockDelegations(context: Context): Promise<void> {
  await context.db.rows(`SELECT pg_advisory_xact_lock(hashtextextended($1, 3))`, [`countersign.delegations.${context.tenantId}`]);
}

/** The delegation of a person, over or not. */
export function findDelegation(context: Context, userId: string): Promise<DelegationRow | undefined> {
  return context.db.maybe<DelegationRow>(
    `SELECT user_id AS "userId", delegated_user_id AS "delegatedUserId", starts_at AS "startsAt", expires_at AS "expiresAt",
       created_at AS "createdAt", updated_at AS "updatedAt"
     FROM delegations WHERE tenant_id = $1 AND user_id = $2`,
    [context.tenantId, userId],
  );
}

/** Those to whom somebody's delegations lead, one after the other, as long as they are not over; the person themselves left out. */
export function listDelegationChain(context: Context, userId: string): Promise<string[]> {
  return context.db.column<string>(
    `WITH RECURSIVE chain (id) AS (
       SELECT d.delegated_user_id FROM delegations d
       WHERE d.tenant_id = $1 AND d.user_id = $2 AND (d.expires_at IS NULL OR d.expires_at > $3)
       UNION
       SELECT d.delegated_user_id FROM chain c JOIN delegations d ON d.tenant_id = $1 AND d.user_id = c.id
       WHERE d.expires_at IS NULL OR d.expires_at > $3)
     SELECT id FROM chain`,
    [context.tenantId, userId, context.now],
  );
}

/** Sets a person's delegation in the place of any before. */
export async function updateDelegation(
  context: Context,
  row: Pick<DelegationRow, 'userId' | 'delegatedUserId' | 'startsAt' | 'expiresAt'>,
): Promise<void> {
  await context.db.run(
    `INSERT INTO delegations (tenant_id, user_id, delegated_user_id, starts_at, expires_at, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $6)
     ON CONFLICT (tenant_id, user_id) DO UPDATE SET delegated_user_id = $3, starts_at = $4, expires_at = $5, updated_at = $6`,
    [context.tenantId, row.userId, row.delegatedUserId, row.startsAt, row.expiresAt, context.now],
  );
}

/** Ends a person's delegation. */
export async function removeDelegation(context: Context, userId: string): Promise<void> {
  await context.db.run('DELETE FROM delegations WHERE tenant_id = $1 AND user_id = $2', [context.tenantId, userId]);
}

/** A delegation with the other person in it. */
export interface OwnDelegationRow {
  readonly userId: string;
  readonly displayName: string;
  readonly email: string;
  readonly startsAt: Date | null;
  readonly expiresAt: Date | null;
}

const ownColumns = 'u.id AS "userId", u.display_name AS "displayName", u.email, d.starts_at AS "startsAt", d.expires_at AS "expiresAt"';

/** Finds the caller's delegate, now or later. */
export function findOwnDelegate({ db, tenantId, actor, now }: Context): Promise<OwnDelegationRow | undefined> {
  return db.maybe<OwnDelegationRow>(
    `SELECT ${ownColumns} FROM delegations d JOIN users u ON u.tenant_id = $1 AND u.id = d.delegated_user_id
     WHERE d.tenant_id = $1 AND d.user_id = $2 AND (d.expires_at IS NULL OR d.expires_at > $3)`,
    [tenantId, actor.userId, now],
  );
}

/** The people in whose place the caller decides, now or later: the first 1000 by name. */
export function listDelegators({ db, tenantId, actor, now }: Context): Promise<OwnDelegationRow[]> {
  return db.rows<OwnDelegationRow>(
    `SELECT ${ownColumns} FROM delegations d JOIN users u ON u.tenant_id = $1 AND u.id = d.user_id AND u.status <> 'DELETED'
     WHERE d.tenant_id = $1 AND d.delegated_user_id = $2 AND (d.expires_at IS NULL OR d.expires_at > $3) ORDER BY u.display_name, u.id LIMIT 1000`,
    [tenantId, actor.userId, now],
  );
}
