/** SQL of the words that people had before: the table `former_words`, which a trigger of `users` fills. */
import type { Context } from '../../../context.ts';
import { sql } from '../../../lib/sql.ts';
import type { PersonWords } from './words.ts';

/** The words of these people, now and before, by their ids; unknown ids are left out. */
export async function listPersonWords({ db, tenantId }: Context, ids: readonly string[]): Promise<Map<string, PersonWords>> {
  const wanted = [...new Set(ids)].filter((id) => id !== '');
  if (wanted.length === 0) {
    return new Map();
  }
  const rows = await db.rows<PersonWords & { former: { until: string | Date }[] }>(
    sql`SELECT u.id, u.user_type AS "userType", u.display_name AS "displayName", u.email, u.employee_id AS "employeeId",
        (SELECT coalesce(json_agg(json_build_object('until', w.valid_until, 'displayName', w.display_name, 'email', w.email,
            'employeeId', w.employee_id) ORDER BY w.valid_until), '[]')
          FROM former_words w WHERE w.tenant_id = ${tenantId} AND w.user_id = u.id) AS former
      FROM users u WHERE u.tenant_id = ${tenantId} AND u.id = ANY (${wanted})`,
  );
  return new Map(
    rows.map((row) => [row.id, { ...row, former: row.former.map((words) => ({ ...words, until: new Date(words.until) })) } as PersonWords]),
  );
}
