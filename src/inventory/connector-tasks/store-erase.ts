/** SQL that empties what connectors said of a person. */
import type { Context } from '../../context.ts';
import { sql } from '../../lib/sql.ts';
import { holdsTextSql } from '../../lib/words.ts';

/** Empties logs and errors of tasks that hold one of the texts. */
export async function eraseTaskTexts({ db, tenantId }: Context, texts: readonly string[]): Promise<void> {
  await db.run(
    sql`UPDATE connector_tasks k SET log = '', error = ''
      WHERE k.tenant_id = ${tenantId} AND (${holdsTextSql('k.log', texts)} OR ${holdsTextSql('k.error', texts)})`,
  );
}
