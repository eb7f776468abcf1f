/**
 * SQL that reads what changed about people: the table `user_changes`, which triggers of `users` fill, whoever changes them.
 */
import { sql } from '../../lib/sql.ts';
import type { Context } from '../../context.ts';

/** The facts that are kept, by their names in expressions. */
export type FactName = 'displayName' | 'email' | 'status' | 'employmentStatus' | 'employmentType' | 'department' | 'jobTitle' | 'managerId';

/** Changes to a person at one moment: of each fact what it was and what it became. */
export interface FactChangesRow {
  readonly changedAt: Date;
  /** The source that the person is of since; '' for none. */
  readonly source: string;
  readonly facts: Readonly<Partial<Record<FactName, readonly [string, string]>>>;
}

/** A page of a person's changes, the newest first, before the moment given. */
export function listFactChanges(
  { db, tenantId }: Context,
  userId: string,
  before: Date | undefined,
  limit: number,
): Promise<FactChangesRow[]> {
  return db.rows<FactChangesRow>(
    sql`SELECT c.changed_at AS "changedAt", c.source, c.facts FROM user_changes c
      WHERE c.tenant_id = ${tenantId} AND c.user_id = ${userId} AND c.changed_at < ${before ?? 'infinity'}::timestamptz
      ORDER BY c.changed_at DESC LIMIT ${limit}`,
  );
}

/** Since when the changes of a person are kept. */
export function findFactsSince({ db, tenantId }: Context, userId: string): Promise<Date> {
  return db.value<Date>(
    sql`SELECT coalesce(u.facts_since, u.created_at) AS since FROM users u WHERE u.tenant_id = ${tenantId} AND u.id = ${userId}`,
  );
}
