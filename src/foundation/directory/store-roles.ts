/**
 * SQL of the directory about who holds which role: the table `user_roles`, which leaves Basic User out since everybody holds it.
 */
import type { Context } from '../../context.ts';

/**
 * Waits for whoever else changes roles or disables people in this tenant, until the end of the transaction. Whoever might take the
 * last Super Administrator away takes it first; otherwise two could each leave the other one and together leave none.
 */
export async function lockRoles(context: Context): Promise<void> {
  await context.db.rows(`SELECT pg_advisory_xact_lock(hashtextextended($1, 1))`, [`countersign.roles.${context.tenantId}`]);
}

/** Counts enabled people other than `exceptUserId` who hold this role. Service principals do not count: nobody can sign in as one to help. */
export function countActiveHolders(context: Context, roleId: string, exceptUserId: string): Promise<number> {
  return context.db.value<number>(
    `SELECT count(*) AS count FROM user_roles r JOIN users u ON u.tenant_id = r.tenant_id AND u.id = r.user_id
     WHERE r.tenant_id = $1 AND r.role_id = $2 AND r.user_id <> $3 AND u.status = 'ENABLED' AND u.user_type = 'HUMAN'`,
    [context.tenantId, roleId, exceptUserId],
  );
}

/** Makes these the roles of a person, Basic User left out. */
export async function updateUserRoles(context: Context, userId: string, roleIds: readonly string[]): Promise<void> {
  await context.db.run(`DELETE FROM user_roles WHERE tenant_id = $1 AND user_id = $2 AND role_id <> ALL ($3)`, [
    context.tenantId,
    userId,
    roleIds,
  ]);
  await context.db.run(
    `INSERT INTO user_roles (tenant_id, user_id, role_id, created_at) SELECT $1, $2, role_id, $4 FROM unnest($3::text[]) role_id
     ON CONFLICT DO NOTHING`,
    [context.tenantId, userId, roleIds, context.now],
  );
}

/** Says that a person was changed at `context.now`. */
export async function updateUserTime(context: Context, userId: string): Promise<void> {
  await context.db.run(`UPDATE users SET updated_at = $3 WHERE tenant_id = $1 AND id = $2`, [context.tenantId, userId, context.now]);
}
