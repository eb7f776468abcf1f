/** SQL that empties what syncs said about rows of a file that name a person. */
import type { Context } from '../../context.ts';
import { sql } from '../../lib/sql.ts';
import { holdsTextSql } from '../../lib/words.ts';

/** Empties warnings, errors of rows and findings that hold one of the texts. Counts and hashes of the files stay. */
export async function eraseSyncTexts({ db, tenantId }: Context, texts: readonly string[]): Promise<void> {
  await db.run(
    sql`UPDATE syncs s SET warnings = '[]', row_errors = '[]', findings = '{}', error = ''
      WHERE s.tenant_id = ${tenantId} AND (${holdsTextSql('s.warnings', texts)} OR ${holdsTextSql('s.row_errors', texts)}
        OR ${holdsTextSql('s.findings', texts)} OR ${holdsTextSql('s.error', texts)})`,
  );
}
