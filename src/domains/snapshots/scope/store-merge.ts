/** SQL that follows accounts which go on as others. */
import type { Context } from '../../../context.ts';
import { sql } from '../../../lib/sql.ts';
import { type AccountMerge, getMergesSql } from '../../ledger/index.ts';

/** Lets the scopes of templates, and of reviews that froze nothing yet, name the oldest account where they named a younger one. */
export async function moveScopeAccounts({ db, tenantId }: Context, appId: string, merges: readonly AccountMerge[]): Promise<void> {
  await db.run(
    sql`UPDATE scope_entries e SET account_id = m.into_id FROM (${getMergesSql(merges)}) AS m
      WHERE e.tenant_id = ${tenantId} AND e.app_id = ${appId} AND e.account_id = m.from_id
        AND NOT EXISTS (SELECT FROM review_snapshots s WHERE s.tenant_id = ${tenantId} AND s.review_id = e.subject_id)`,
  );
}
