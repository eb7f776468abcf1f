/** Data other modules may read of what connectors carry out: pieces of SQL. */
import { type Sql, sql } from '../../../lib/sql.ts';
import { openSendings } from './store-states.ts';

/** Condition that a connector has the removal `r`, or will get it, so that no people are asked; `removal_sendings_pkey` answers. */
export function getIsWithConnectorSql(tenantId: string): Sql {
  return sql`EXISTS (SELECT FROM removal_sendings w WHERE w.tenant_id = ${tenantId} AND w.revocation_id = r.id AND w.state = ANY (${[...openSendings]}))`;
}
