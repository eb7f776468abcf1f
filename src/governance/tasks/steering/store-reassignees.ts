/** SQL that finds people to hand a task to. Who may be asked at all is store-eligible.ts. */
import { allSql, type Sql, sql } from '../../../lib/sql.ts';
import type { Context } from '../../../context.ts';
import { containsText, hasText, hasWordStarts, type TextRange } from '../../../foundation/search/index.ts';
import { getEligibleSql } from '../policy-engine/index.ts';

/** All that a reviewer reads of a colleague. */
export interface ReassigneeRow {
  readonly userId: string;
  readonly displayName: string;
  readonly jobTitle: string;
  readonly department: string;
  readonly email: string;
}

/** A colleague in a list, with the key that the list is sorted by. */
export interface ListedReassignee extends ReassigneeRow {
  readonly listKey: string;
}

/** People meant. */
interface Wanted extends TextRange {
  /** Words of their name and mail address; '' for everybody. */
  readonly query: string;
  /** True if words count at their beginning alone. */
  readonly atBeginning?: boolean;
  /** These alone; undefined for everybody. */
  readonly among: readonly string[] | undefined;
  /** Never these. */
  readonly besides: readonly string[];
}

/**
 * Text a reviewer reads of a colleague, and finds them by: not by an employee id or user name, which a search would then reveal. The stored text
 * has these, too, and leaves out most people cheaply.
 */
const named = `u.display_name || ' ' || u.email`;

function findsIn({ query, atBeginning }: Wanted): Sql[] {
  if (query === '') {
    return [];
  }
  const inNames = atBeginning === true ? hasWordStarts('u', named)(query) : containsText(named)(query);
  return [atBeginning === true ? inNames : sql`${hasText('u')(query)} AND ${inNames}`];
}

/** A page of people who can be asked, by name; after the list key and the id of somebody. */
export function listReassignees(
  { db, tenantId }: Context,
  wanted: Wanted,
  after: readonly string[] | undefined,
  limit: number,
): Promise<ListedReassignee[]> {
  const where = [
    sql`u.tenant_id = ${tenantId} AND u.id <> ALL (${wanted.besides}::text[]) AND ${getEligibleSql('u')}`,
    ...(after === undefined ? [] : [sql`(u.list_key, u.id) > (${after[0]}, ${after[1]})`]),
    ...findsIn(wanted),
    ...(wanted.textIds === undefined ? [] : [sql`u.id = ANY (${wanted.textIds})`]),
    ...(wanted.among === undefined ? [] : [sql`u.id = ANY (${wanted.among})`]),
  ];
  return db.rows<ListedReassignee>(
    sql`SELECT u.id AS "userId", u.display_name AS "displayName", u.job_title AS "jobTitle", u.department, u.email, u.list_key AS "listKey"
      FROM users_public u WHERE ${allSql(where)} ORDER BY u.list_key, u.id LIMIT ${limit}`,
  );
}
