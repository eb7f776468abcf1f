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

/** An address that a person had before: from when, null for from the beginning, until when. */
export interface FormerAddress {
  readonly userId: string;
  readonly address: string;
  readonly addressKey: string;
  readonly from: Date | null;
  readonly until: Date;
}

const maxAddresses = 100;

/** The addresses that these people had and have no longer, each once, the latest first; at most a hundred. */
export function listFormerAddresses({ db, tenantId }: Context, userIds: readonly string[]): Promise<FormerAddress[]> {
  return db.rows<FormerAddress>(
    sql`WITH spans AS (
        SELECT w.user_id, w.email, w.email_key, w.valid_until, lag(w.valid_until) OVER (PARTITION BY w.user_id ORDER BY w.valid_until) AS valid_from
        FROM former_words w WHERE w.tenant_id = ${tenantId} AND w.user_id = ANY (${[...userIds]}))
      SELECT s.user_id AS "userId", (array_agg(s.email ORDER BY s.valid_until DESC))[1] AS address, s.email_key AS "addressKey",
        CASE WHEN bool_or(s.valid_from IS NULL) THEN NULL ELSE min(s.valid_from) END AS "from", max(s.valid_until) AS until
      FROM spans s JOIN users u ON u.tenant_id = ${tenantId} AND u.id = s.user_id
      WHERE s.email_key <> '' AND s.email_key <> u.email_key
      GROUP BY s.user_id, s.email_key ORDER BY max(s.valid_until) DESC, s.user_id, s.email_key LIMIT ${maxAddresses}`,
  );
}
