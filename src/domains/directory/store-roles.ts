/**
 * SQL of the directory about who holds which role: the table `user_roles`, which leaves Basic User out since everybody holds it.
 */
import type { Scope } from '../../scope.ts';

/**
 * Waits for whoever else changes roles or disables people in this tenant, until the end of the transaction. Whoever might take the
 * last Super Administrator away takes it first; otherwise two could each leave the other one and together leave none.
 */
export async function lockRoles(scope: Scope): Promise<void> {
  await scope.db.rows(`SELECT pg_advisory_xact_lock(hashtextextended($1, 1))`, [`countersign.roles.${scope.tenantId}`]);
}

/** How many enabled people other than `exceptUserId` hold this role. Service principals do not count: nobody can sign in as one to help. */
export async function countActiveHolders(scope: Scope, roleId: string, exceptUserId: string): Promise<number> {
  const { count } = await scope.db.one<{ count: number }>(
    `SELECT count(*) AS count FROM user_roles r JOIN users u ON u.tenant_id = r.tenant_id AND u.id = r.user_id
     WHERE r.tenant_id = $1 AND r.role_id = $2 AND r.user_id <> $3 AND u.status = 'ENABLED' AND u.user_type = 'HUMAN'`,
    [scope.tenantId, roleId, exceptUserId],
  );
  return count;
}

/** Makes these the roles of a person, Basic User left out. */
export async function updateUserRoles(scope: Scope, userId: string, roleIds: readonly string[]): Promise<void> {
  await scope.db.run(`DELETE FROM user_roles WHERE tenant_id = $1 AND user_id = $2 AND role_id <> ALL ($3)`, [
    scope.tenantId,
    userId,
    roleIds,
  ]);
  await scope.db.run(
    `INSERT INTO user_roles (tenant_id, user_id, role_id, created_at) SELECT $1, $2, role_id, $4 FROM unnest($3::text[]) role_id
     ON CONFLICT DO NOTHING`,
    [scope.tenantId, userId, roleIds, scope.now],
  );
}

/** Says that a person was changed at `scope.now`. */
export async function updateUserTime(scope: Scope, userId: string): Promise<void> {
  await scope.db.run(`UPDATE users SET updated_at = $3 WHERE tenant_id = $1 AND id = $2`, [scope.tenantId, userId, scope.now]);
}
