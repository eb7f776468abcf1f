/** SQL on what stands out about the accounts of a snapshot. */
import type { Context } from '../../../context.ts';
import { sql } from '../../../lib/sql.ts';

/** Counts the accounts of a snapshot that were matched by an address which their owner had before. */
export function countFormerAddresses({ db, tenantId }: Context, snapshotId: string): Promise<number> {
  return db.value<number>(
    sql`SELECT count(*) AS count FROM review_accounts a WHERE a.tenant_id = ${tenantId} AND a.review_id = ${snapshotId} AND a.owner_by_former_address`,
  );
}
