/** SQL that empties a person of the directory. */
import type { Context } from '../../../context.ts';
import { sql } from '../../../lib/sql.ts';
import { removeSuspensionsOf } from '../suspension/index.ts';

/** Texts that name a person in the directory, those they had before included. */
export function listPersonTexts(context: Context, userId: string): Promise<string[]> {
  const { tenantId } = context;
  return context.db.column<string>(
    sql`SELECT DISTINCT fold_case(x.text) AS text FROM (
        SELECT unnest(ARRAY[u.email, u.display_name, u.username, u.employee_id, u.external_id]) AS text FROM users u
        WHERE u.tenant_id = ${tenantId} AND u.id = ${userId}
        UNION SELECT unnest(ARRAY[w.email, w.display_name, w.employee_id]) FROM former_words w
        WHERE w.tenant_id = ${tenantId} AND w.user_id = ${userId}
        UNION SELECT jsonb_array_elements_text(f.value) FROM user_changes c, jsonb_each(c.facts) AS f
        WHERE c.tenant_id = ${tenantId} AND c.user_id = ${userId} AND f.key IN ('displayName', 'email') AND jsonb_typeof(f.value) = 'array') x
      WHERE x.text <> ''`,
  );
}

/** Empties a person: nobody can sign in as them, and only the id is left. Notes that the table's triggers take of it go, too. */
export async function erasePersonRow(context: Context, userId: string): Promise<void> {
  const { db, tenantId, now } = context;
  await db.run(
    sql`UPDATE users SET email = '', email_key = '', display_name = '', status = 'DELETED', username = '', employee_id = '', external_id = '',
        employment_status = '', employment_type = '', department = '', job_title = '', manager_id = NULL, profile = '{}', source = '',
        deleted_at = coalesce(deleted_at, ${now}), updated_at = ${now}, erased_at = ${now}
      WHERE tenant_id = ${tenantId} AND id = ${userId}`,
  );
  await db.run(sql`DELETE FROM user_changes WHERE tenant_id = ${tenantId} AND user_id = ${userId}`);
  await db.run(sql`DELETE FROM former_words WHERE tenant_id = ${tenantId} AND user_id = ${userId}`);
  await db.run(sql`DELETE FROM people_changes WHERE tenant_id = ${tenantId} AND user_id = ${userId}`);
  await db.run(sql`DELETE FROM user_preferences WHERE tenant_id = ${tenantId} AND user_id = ${userId}`);
  await db.run(sql`DELETE FROM delegations WHERE tenant_id = ${tenantId} AND (user_id = ${userId} OR delegated_user_id = ${userId})`);
  await db.run(sql`DELETE FROM user_roles WHERE tenant_id = ${tenantId} AND user_id = ${userId}`);
  await removeSuspensionsOf(context, userId);
}
