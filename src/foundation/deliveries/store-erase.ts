/** SQL that empties deliveries that name a person. */
import type { Context } from '../../context.ts';
import { sql } from '../../lib/sql.ts';
import { holdsTextSql } from '../../lib/words.ts';

/** Empties payload, answer and error of ended deliveries that hold one of the texts. */
export async function eraseDeliveryTexts({ db, tenantId }: Context, texts: readonly string[]): Promise<void> {
  await db.run(
    sql`UPDATE deliveries d SET payload = '{}', receipt = '{}', error = '', discard_reason = ''
      WHERE d.tenant_id = ${tenantId} AND d.ended_at IS NOT NULL AND (${holdsTextSql('d.payload', texts)} OR ${holdsTextSql('d.receipt', texts)}
        OR ${holdsTextSql('d.error', texts)} OR ${holdsTextSql('d.discard_reason', texts)})`,
  );
}
