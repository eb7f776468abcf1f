/** SQL that finds people to hand a task to. Who may be asked at all is store-eligible.ts. */
import { allOf, sql } from '../../lib/sql.ts';
import type { Context } from '../../context.ts';
import { hasText } from '../search/index.ts';
import { getEligible } from './store-eligible.ts';

/** All that a reviewer reads of a colleague. */
export interface ReassigneeRow {
  readonly userId: string;
  readonly displayName: string;
  readonly jobTitle: string;
  readonly department: string;
  readonly email: string;
}

/** A page of people who can be asked, by id: with these words in their names, of these alone where they are named, and never these. */
export function listReassignees(
  { db, tenantId }: Context,
  { query, among, besides }: { readonly query: string; readonly among: readonly string[] | undefined; readonly besides: readonly string[] },
  after: string,
  limit: number,
): Promise<ReassigneeRow[]> {
  const where = [
    sql`u.tenant_id = ${tenantId} AND u.id > ${after} AND u.id <> ALL (${besides}::text[]) AND ${getEligible('u')}`,
    ...(query === '' ? [] : [hasText('u')(query)]),
    ...(among === undefined ? [] : [sql`u.id = ANY (${among})`]),
  ];
  return db.rows<ReassigneeRow>(
    sql`SELECT u.id AS "userId", u.display_name AS "displayName", u.job_title AS "jobTitle", u.department, u.email
      FROM users u WHERE ${allOf(where)} ORDER BY u.id LIMIT ${limit}`,
  );
}
