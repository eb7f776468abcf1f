/**
 * SQL that empties what a review froze of people and accounts, and finds the reviews that froze a person. Ids and commitments stay; the salts go, so
 * that nobody can try names out.
 */
import type { Context } from '../../context.ts';
import { sql } from '../../lib/sql.ts';

/** Empties the next accounts of a snapshot behind `after` (app/account), at most `limit`; returns the last of them, '' where none is left. */
export async function emptySnapshotAccounts(context: Context, reviewId: string, after: string, limit: number): Promise<string> {
  const [appId = '', accountId = ''] = after.split('/');
  const row = await context.db.one<{ count: number; last: string }>(
    sql`WITH page AS (
        SELECT a.app_id, a.account_id FROM review_accounts a
        WHERE a.tenant_id = ${context.tenantId} AND a.review_id = ${reviewId} AND (a.app_id, a.account_id) > (${appId}, ${accountId})
        ORDER BY a.app_id, a.account_id LIMIT ${limit}
      ), emptied AS (
        UPDATE review_accounts a SET external_id = '', user_email = '', user_display_name = '', user_status = '', employment_status = '',
          department = '', job_title = '', manager_email = '', display_name = '', email = '', username = '', employee_id = '', profile = '{}',
          cel_error = '', salt = NULL
        FROM page p WHERE a.tenant_id = ${context.tenantId} AND a.review_id = ${reviewId} AND a.app_id = p.app_id AND a.account_id = p.account_id
        RETURNING 1
      )
      SELECT (SELECT count(*) FROM emptied) AS count,
        coalesce((SELECT p.app_id || '/' || p.account_id FROM page p ORDER BY p.app_id DESC, p.account_id DESC LIMIT 1), '') AS last`,
  );
  return row.count < limit ? '' : row.last;
}

/** The same of the people of a snapshot. */
export async function emptySnapshotPeople(context: Context, reviewId: string, after: string, limit: number): Promise<string> {
  const row = await context.db.one<{ count: number; last: string }>(
    sql`WITH page AS (
        SELECT p.user_id FROM review_people p WHERE p.tenant_id = ${context.tenantId} AND p.review_id = ${reviewId} AND p.user_id > ${after}
        ORDER BY p.user_id LIMIT ${limit}
      ), emptied AS (
        UPDATE review_people p SET email = '', display_name = '', username = '', employee_id = '', status = '', user_type = '',
          employment_status = '', employment_type = '', department = '', job_title = '', manager_email = '', profile = '{}', cel_error = '',
          salt = NULL
        FROM page g WHERE p.tenant_id = ${context.tenantId} AND p.review_id = ${reviewId} AND p.user_id = g.user_id RETURNING 1
      )
      SELECT (SELECT count(*) FROM emptied) AS count, coalesce((SELECT max(g.user_id) FROM page g), '') AS last`,
  );
  return row.count < limit ? '' : row.last;
}

/** Those of these reviews whose snapshot has a person, an account of them, or somebody whose manager they were. */
export function listSnapshotsOfPerson(context: Context, userIds: readonly string[], reviewIds: readonly string[]): Promise<string[]> {
  const { tenantId } = context;
  return context.db.column<string>(
    sql`SELECT r.id FROM unnest(${reviewIds}::text[]) AS r (id)
      WHERE EXISTS (SELECT FROM review_people p WHERE p.tenant_id = ${tenantId} AND p.review_id = r.id AND (p.user_id = ANY (${userIds}) OR p.manager_id = ANY (${userIds})))
        OR EXISTS (SELECT FROM review_accounts a WHERE a.tenant_id = ${tenantId} AND a.review_id = r.id AND a.user_id = ANY (${userIds}))
      ORDER BY r.id`,
  );
}
