/** SQL of what a person was called before, and of who else had or has an address of theirs, out of `users` and `former_words`. */
import type { Context } from '../../../context.ts';
import { sql } from '../../../lib/sql.ts';

/** A name, address or employee id that a person had and has no longer. */
export interface FormerWord {
  readonly kind: 'NAME' | 'ADDRESS' | 'EMPLOYEE_ID';
  readonly word: string;
  readonly from: Date;
  readonly until: Date;
}

const maxWords = 300;
const maxHolders = 100;

/** The words that a person had and has no longer, each once, the latest first. `former_words_pkey` answers. */
export function listFormerWords({ db, tenantId }: Context, userId: string): Promise<FormerWord[]> {
  return db.rows<FormerWord>(
    sql`SELECT x.kind, (array_agg(x.word ORDER BY w.valid_until DESC))[1] AS word, min(coalesce(w.valid_from, u.created_at)) AS "from",
        max(w.valid_until) AS until
      FROM (SELECT f.*, lag(f.valid_until) OVER (ORDER BY f.valid_until) AS valid_from
        FROM former_words f WHERE f.tenant_id = ${tenantId} AND f.user_id = ${userId}) AS w
      JOIN users u ON u.tenant_id = ${tenantId} AND u.id = w.user_id
      CROSS JOIN LATERAL (VALUES ('NAME', w.display_name, w.display_name, u.display_name), ('ADDRESS', w.email, w.email_key, u.email_key),
        ('EMPLOYEE_ID', w.employee_id, w.employee_id, u.employee_id)) AS x (kind, word, key, today)
      WHERE x.key <> '' AND x.key <> x.today
      GROUP BY x.kind, x.key ORDER BY max(w.valid_until) DESC, x.kind, x.key LIMIT ${maxWords}`,
  );
}

/** Somebody else who had or has an address of a person; `until` is null where they have it still. */
export interface AddressHolder {
  readonly address: string;
  readonly userId: string;
  readonly displayName: string;
  readonly from: Date;
  readonly until: Date | null;
}

/** Others who had or have an address that this person has, or had, the latest first. `users_by_email` and `former_words_by_email` answer. */
export function listAddressHolders({ db, tenantId }: Context, userId: string): Promise<AddressHolder[]> {
  return db.rows<AddressHolder>(
    sql`WITH mine AS (
        SELECT k.key FROM users u CROSS JOIN LATERAL (VALUES (u.email_key), (address_key(u.email))) AS k (key)
        WHERE u.tenant_id = ${tenantId} AND u.id = ${userId} AND u.email_key <> ''
        UNION SELECT f.email_key FROM former_words f WHERE f.tenant_id = ${tenantId} AND f.user_id = ${userId} AND f.email_key <> ''),
      others AS (
        SELECT u.id FROM mine m JOIN users u ON u.tenant_id = ${tenantId} AND u.email_key = m.key AND u.email_key <> '' WHERE u.id <> ${userId}
        UNION SELECT f.user_id FROM mine m JOIN former_words f ON f.tenant_id = ${tenantId} AND f.email_key = m.key AND f.email_key <> ''
          WHERE f.user_id <> ${userId}),
      spans AS (
        SELECT f.user_id, f.email, f.email_key, f.valid_until, lag(f.valid_until) OVER (PARTITION BY f.user_id ORDER BY f.valid_until) AS valid_from
        FROM others o JOIN former_words f ON f.tenant_id = ${tenantId} AND f.user_id = o.id
        UNION ALL SELECT u.id, u.email, u.email_key, NULL,
          (SELECT max(f.valid_until) FROM former_words f WHERE f.tenant_id = ${tenantId} AND f.user_id = u.id)
        FROM others o JOIN users u ON u.tenant_id = ${tenantId} AND u.id = o.id)
      SELECT (array_agg(s.email ORDER BY s.valid_until DESC))[1] AS address, s.user_id AS "userId", u.display_name AS "displayName",
        min(coalesce(s.valid_from, u.created_at)) AS "from", CASE WHEN bool_or(s.valid_until IS NULL) THEN NULL ELSE max(s.valid_until) END AS until
      FROM spans s JOIN mine m ON m.key = s.email_key JOIN users u ON u.tenant_id = ${tenantId} AND u.id = s.user_id
      GROUP BY s.user_id, s.email_key, u.display_name
      ORDER BY max(coalesce(s.valid_until, 'infinity')) DESC, s.user_id, s.email_key LIMIT ${maxHolders}`,
  );
}
