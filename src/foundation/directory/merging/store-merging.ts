/** SQL of the rows of people of whom two are one, or one is two. */
import type { Context } from '../../../context.ts';
import { getAddressKey } from '../../../lib/names/same-name.ts';
import { sql } from '../../../lib/sql.ts';
import { recordSuspensions, removeSuspendedWith } from '../suspension/index.ts';

/** A number of things, and the names of the first of them. */
export interface NamedPart {
  readonly count: number;
  readonly names: readonly string[];
}

/** Holds people until the end of the transaction, in one order everywhere. */
export async function holdPeople({ db, tenantId }: Context, ids: readonly string[]): Promise<void> {
  await db.rows(sql`SELECT u.id FROM users u WHERE u.tenant_id = ${tenantId} AND u.id = ANY (${[...ids]}) ORDER BY u.id FOR NO KEY UPDATE`);
}

/**
 * Leaves of a person the row that says whom they were merged into: out of every list, found by nothing, with what they held suspended for good. Their
 * name stays, since evidence and events name them.
 */
export async function updateMerged(context: Context, fromId: string, intoId: string): Promise<void> {
  const { db, tenantId, now } = context;
  await db.run(
    sql`UPDATE users SET status = 'DELETED', deleted_at = coalesce(deleted_at, ${now}), email = '', email_key = '', username = '', employee_id = '',
        external_id = '', manager_id = NULL, merged_into_id = ${intoId}, updated_at = ${now}
      WHERE tenant_id = ${tenantId} AND id = ${fromId}`,
  );
  // Those who were merged into them before are the same person now.
  await db.run(sql`UPDATE users SET merged_into_id = ${intoId} WHERE tenant_id = ${tenantId} AND merged_into_id = ${fromId}`);
  await recordSuspensions(context);
  await removeSuspendedWith(context, fromId);
}

/** The ids of those who were merged into a person and whose data is not erased. `users_merged` answers. */
export function listMergedIds({ db, tenantId }: Context, userId: string): Promise<string[]> {
  return db.column<string>(
    sql`SELECT u.id FROM users u WHERE u.tenant_id = ${tenantId} AND u.merged_into_id = ${userId} AND u.erased_at IS NULL ORDER BY u.id`,
  );
}

/** Facts of a person by which they are found and named, whether they are there, and the source that reports them. */
export interface PersonFacts {
  readonly email: string;
  readonly username: string;
  readonly employeeId: string;
  readonly displayName: string;
  readonly employmentStatus: string;
  readonly status: 'ENABLED' | 'DISABLED';
  readonly source: string;
}

/** Makes a person say this. CONFLICT where somebody else has the address. */
export async function updateFacts(context: Context, id: string, facts: PersonFacts): Promise<void> {
  await context.db.run(
    sql`UPDATE users SET email = ${facts.email}, email_key = ${getAddressKey(facts.email)}, username = ${facts.username},
        employee_id = ${facts.employeeId}, display_name = ${facts.displayName}, employment_status = ${facts.employmentStatus},
        status = ${facts.status}, source = ${facts.source}, updated_at = ${context.now}
      WHERE tenant_id = ${context.tenantId} AND id = ${id}`,
  );
  await recordSuspensions(context);
}

/**
 * Lets those who report to one person report to another, and returns how many, with the first of them by name. Whoever stands above that other one would
 * report to themselves, so they report to nobody; the other one does not report to the first any more, but to whom that one did.
 */
export async function moveReports({ db, tenantId, now }: Context, fromId: string, intoId: string, most: number): Promise<NamedPart> {
  await db.run(
    sql`UPDATE users u SET manager_id = nullif(f.manager_id, ${intoId}), updated_at = ${now} FROM users f
      WHERE u.tenant_id = ${tenantId} AND u.id = ${intoId} AND u.manager_id = ${fromId} AND f.tenant_id = ${tenantId} AND f.id = ${fromId}`,
  );
  return db.one<NamedPart>(
    sql`WITH RECURSIVE above (id) AS (
        SELECT ${intoId}::text COLLATE "C"
        UNION SELECT u.manager_id FROM above a JOIN users u ON u.tenant_id = ${tenantId} AND u.id = a.id WHERE u.manager_id IS NOT NULL),
      moved AS (
        UPDATE users u SET manager_id = CASE WHEN u.id IN (SELECT a.id FROM above a) THEN NULL ELSE ${intoId} END, updated_at = ${now}
        WHERE u.tenant_id = ${tenantId} AND u.manager_id = ${fromId} AND u.id <> ${intoId} RETURNING u.id, u.display_name, u.email)
      SELECT (SELECT count(*) FROM moved) AS count,
        ARRAY(SELECT coalesce(nullif(m.display_name, ''), m.email) FROM moved m ORDER BY m.id LIMIT ${most}) AS names`,
  );
}
