/**
 * SQL about what became of people since somebody looked: the tables `people_watch` and `people_changes`. The database notes each person that changes,
 * as they were before, while a tenant wants to know; so a look costs what changed, however many people there are.
 */
import type { JsonObject } from '@bufbuild/protobuf';
import { sql } from '../../lib/sql.ts';
import type { Context } from '../../context.ts';

/** Holds, until the transaction ends, whether changes are noted: whoever decides that reads why behind it. */
export async function lockWatch(context: Context): Promise<void> {
  await context.db.run(
    sql`INSERT INTO people_watch AS w (tenant_id, is_on) VALUES (${context.tenantId}, false) ON CONFLICT (tenant_id) DO UPDATE SET is_on = w.is_on`,
  );
}

/** Lets changes be noted from now on, or not any more; then what was noted goes. The caller holds the lock. */
export async function updateWatch(context: Context, isOn: boolean): Promise<void> {
  const { tenantId, db } = context;
  await db.run(sql`UPDATE people_watch SET is_on = ${isOn} WHERE tenant_id = ${tenantId}`);
  if (!isOn) {
    await db.run(sql`DELETE FROM people_changes WHERE tenant_id = ${tenantId}`);
  }
}

/** Somebody who changed: as they were, and when they changed first. */
export interface PersonChange {
  readonly userId: string;
  readonly before: JsonObject;
  readonly changedAt: Date;
}

/** The next people that changed, locked until the transaction ends; those whom somebody changes right now are left for later. */
export function lockChanges(context: Context, limit: number): Promise<PersonChange[]> {
  return context.db.rows<PersonChange>(
    sql`SELECT c.user_id AS "userId", c.before, c.changed_at AS "changedAt" FROM people_changes c WHERE c.tenant_id = ${context.tenantId}
      ORDER BY c.user_id LIMIT ${limit} FOR UPDATE SKIP LOCKED`,
  );
}

/** Forgets changes that somebody looked at. */
export async function removeChanges(context: Context, userIds: readonly string[]): Promise<void> {
  await context.db.run(sql`DELETE FROM people_changes WHERE tenant_id = ${context.tenantId} AND user_id = ANY (${[...userIds]}::text[])`);
}
