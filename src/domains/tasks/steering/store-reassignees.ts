/** SQL that finds people to hand a task to. Who may be asked at all is store-eligible.ts. */
import { allSql, type Sql, sql } from '../../../lib/sql.ts';
import type { Context } from '../../../context.ts';
import { containsText, hasText, hasWordStarts } from '../../search/index.ts';
import { getEligibleSql } from '../policy-engine/index.ts';

/** All that a reviewer reads of a colleague. */
export interface ReassigneeRow {
  readonly userId: string;
  readonly displayName: string;
  readonly jobTitle: string;
  readonly department: string;
  readonly email: string;
}

/** People meant. */
interface Wanted {
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

/** A page of people who can be asked, by id. */
export function listReassignees({ db, tenantId }: Context, wanted: Wanted, after: string, limit: number): Promise<ReassigneeRow[]> {
  const where = [
    sql`u.tenant_id = ${tenantId} AND u.id > ${after} AND u.id <> ALL (${wanted.besides}::text[]) AND ${getEligibleSql('u')}`,
    ...findsIn(wanted),
    ...(wanted.among === undefined ? [] : [sql`u.id = ANY (${wanted.among})`]),
  ];
  return db.rows<ReassigneeRow>(
    sql`SELECT u.id AS "userId", u.display_name AS "displayName", u.job_title AS "jobTitle", u.department, u.email
      FROM users_public u WHERE ${allSql(where)} ORDER BY u.id LIMIT ${limit}`,
  );
}
