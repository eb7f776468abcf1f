/** SQL that follows accounts and people who go on as others. */
import type { Context } from '../../context.ts';
import { sql } from '../../lib/sql.ts';
import { type AccountMerge, getMergesSql } from '../ledger/index.ts';

/** Lets the pushed users of the younger accounts of an app have the oldest. */
export async function movePushedAccounts({ db, tenantId }: Context, appId: string, merges: readonly AccountMerge[]): Promise<void> {
  await db.run(
    sql`UPDATE scim_resources r SET account_id = m.into_id FROM (${getMergesSql(merges)}) AS m
      WHERE r.tenant_id = ${tenantId} AND r.account_id = m.from_id
        AND r.source_id IN (SELECT s.id FROM sources_public s WHERE s.tenant_id = ${tenantId} AND s.app_id = ${appId})`,
  );
}

/** Lets all pushed users of a person, deleted ones too, stand for another. What their provider reads stays as it is. */
export async function movePushed({ db, tenantId }: Context, fromId: string, intoId: string): Promise<void> {
  await db.run(sql`UPDATE scim_resources SET user_id = ${intoId} WHERE tenant_id = ${tenantId} AND user_id = ${fromId} AND kind = 'USER'`);
}
