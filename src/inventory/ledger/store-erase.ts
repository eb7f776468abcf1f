/** SQL that empties the accounts of a person. Accounts and their grants stay, under ids. */
import type { Context } from '../../context.ts';
import { sql } from '../../lib/sql.ts';

/** Ids of a person's accounts, deleted ones too, and the texts that name them. */
export async function listAccountTexts(context: Context, userId: string): Promise<{ ids: string[]; texts: string[] }> {
  const rows = await context.db.rows<{ id: string; texts: string[] }>(
    sql`SELECT a.id, ARRAY(SELECT DISTINCT fold_case(x.text) FROM unnest(ARRAY[a.external_id, a.display_name, a.email, a.username, a.employee_id]) AS x (text)
        WHERE x.text <> '') AS texts
      FROM accounts a WHERE a.tenant_id = ${context.tenantId} AND a.user_id = ${userId} ORDER BY a.id`,
  );
  return { ids: rows.map(({ id }) => id), texts: [...new Set(rows.flatMap(({ texts }) => texts))] };
}

/** Empties accounts, and removes what they were before. */
export async function eraseAccounts(context: Context, ids: readonly string[]): Promise<void> {
  const { db, tenantId, now } = context;
  await db.run(
    sql`UPDATE accounts SET external_id = 'erased ' || id, display_name = '', email = '', username = '', employee_id = '', profile = '{}',
        owner_by_former_address = false, updated_at = ${now}
      WHERE tenant_id = ${tenantId} AND id = ANY (${ids})`,
  );
  await db.run(sql`DELETE FROM account_changes WHERE tenant_id = ${tenantId} AND account_id = ANY (${ids})`);
}
