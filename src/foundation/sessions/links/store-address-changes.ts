/** SQL of the addresses that people had before: the table `address_changes`, which a trigger of users fills. */
import type { Context } from '../../../context.ts';
import { sql } from '../../../lib/sql.ts';

/** An address that somebody has no longer. */
export interface AddressChange {
  readonly userId: string;
  readonly changedAt: Date;
  readonly oldAddress: string;
  readonly newAddress: string;
}

const columns = sql`m.user_id AS "userId", m.changed_at AS "changedAt", m.old_address AS "oldAddress", m.new_address AS "newAddress"`;

/** True if the address of a person changed at this moment or later. */
export function hasMovedSince(context: Context, userId: string, since: Date): Promise<boolean> {
  return context.db.value<boolean>(
    sql`SELECT EXISTS (SELECT FROM address_changes m WHERE m.tenant_id = ${context.tenantId} AND m.user_id = ${userId}
      AND m.changed_at >= ${since}) AS moved`,
  );
}

/** Changes that no mail reports yet, locked until the transaction ends. */
export function lockUntoldChanges(context: Context, limit: number): Promise<AddressChange[]> {
  return context.db.rows<AddressChange>(
    sql`SELECT ${columns} FROM address_changes m WHERE m.tenant_id = ${context.tenantId} AND m.told_at IS NULL
      ORDER BY m.user_id, m.changed_at LIMIT ${limit} FOR UPDATE`,
  );
}

/**
 * The change of a person's address at a moment, as long as it concerns whoever reads the old one: not once the person is gone and somebody else has it.
 * Of somebody who is there it does, whoever has it by now: a takeover may begin so.
 */
export function findAddressChange(context: Context, userId: string, changedAt: Date): Promise<AddressChange | undefined> {
  const { tenantId } = context;
  return context.db.maybe<AddressChange>(
    sql`SELECT ${columns} FROM address_changes m JOIN users_public u ON u.tenant_id = ${tenantId} AND u.id = m.user_id
      WHERE m.tenant_id = ${tenantId} AND m.user_id = ${userId} AND date_trunc('milliseconds', m.changed_at) = ${changedAt}
        AND (u.status = 'ENABLED' AND u.employment_status <> 'TERMINATED' OR NOT EXISTS (SELECT FROM users_public o
          WHERE o.tenant_id = ${tenantId} AND o.email_key <> '' AND o.email_key = address_key(m.old_address) AND o.id <> m.user_id))`,
  );
}

/** Notes that mails report these changes. */
export async function updateToldChanges(context: Context, changes: readonly AddressChange[]): Promise<void> {
  await context.db.run(
    sql`UPDATE address_changes m SET told_at = ${context.now} WHERE m.tenant_id = ${context.tenantId} AND m.told_at IS NULL
      AND m.user_id = ANY (${changes.map(({ userId }) => userId)})`,
  );
}

/** Removes up to so many changes from before a moment that were reported, and returns how many. */
export function removeOldChanges(context: Context, before: Date, limit: number): Promise<number> {
  return context.db.run(
    sql`DELETE FROM address_changes WHERE tenant_id = ${context.tenantId} AND (user_id, changed_at) IN
      (SELECT m.user_id, m.changed_at FROM address_changes m WHERE m.tenant_id = ${context.tenantId} AND m.changed_at <= ${before}
        AND m.told_at IS NOT NULL LIMIT ${limit})`,
  );
}
