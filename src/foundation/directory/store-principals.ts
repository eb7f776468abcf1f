/**
 * SQL about the users behind service principals: rows of `users` of type SERVICE, without an address. Their credentials are in the
 * credentials module.
 */
import type { Context } from '../../context.ts';

/** A service principal: its user. */
export interface PrincipalRow {
  readonly id: string;
  readonly displayName: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const columns = `id, display_name AS "displayName", created_at AS "createdAt", updated_at AS "updatedAt"`;
const isPrincipal = `user_type = 'SERVICE' AND status <> 'DELETED'`;

/** The service principal with this id, unless it was deleted. */
export function findPrincipal(context: Context, id: string): Promise<PrincipalRow | undefined> {
  return context.db.maybe<PrincipalRow>(`SELECT ${columns} FROM users WHERE tenant_id = $1 AND id = $2 AND ${isPrincipal}`, [
    context.tenantId,
    id,
  ]);
}

/** The same, held against other writers until the end of the transaction. */
export function lockPrincipal(context: Context, id: string): Promise<PrincipalRow | undefined> {
  return context.db.maybe<PrincipalRow>(`SELECT ${columns} FROM users WHERE tenant_id = $1 AND id = $2 AND ${isPrincipal} FOR UPDATE`, [
    context.tenantId,
    id,
  ]);
}

/** A page of service principals by id. */
export function listPrincipals(context: Context, after: string, limit: number): Promise<PrincipalRow[]> {
  return context.db.rows<PrincipalRow>(
    `SELECT ${columns} FROM users WHERE tenant_id = $1 AND id > $2 AND ${isPrincipal} ORDER BY id LIMIT $3`,
    [context.tenantId, after, limit],
  );
}

/** Adds the user of a service principal, enabled and with Basic User alone. */
export async function insertPrincipal(context: Context, id: string, displayName: string): Promise<void> {
  await context.db.run(
    `INSERT INTO users (tenant_id, id, email, email_key, display_name, user_type, maker_id, created_at, updated_at) VALUES ($1, $2, '', '', $3, 'SERVICE', $5, $4, $4)`,
    [context.tenantId, id, displayName, context.now, context.actor.userId],
  );
}

/** Gives it another name. */
export async function updatePrincipal(context: Context, id: string, displayName: string): Promise<void> {
  await context.db.run('UPDATE users SET display_name = $3, updated_at = $4 WHERE tenant_id = $1 AND id = $2', [
    context.tenantId,
    id,
    displayName,
    context.now,
  ]);
}

/** Marks it deleted; the row stays, since events and decisions name it. */
export async function removePrincipal(context: Context, id: string): Promise<void> {
  await context.db.run(`UPDATE users SET status = 'DELETED', deleted_at = $3, updated_at = $3 WHERE tenant_id = $1 AND id = $2`, [
    context.tenantId,
    id,
    context.now,
  ]);
}
