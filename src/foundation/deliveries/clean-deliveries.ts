/** Forgetting deliveries that ended, tenant by tenant. */
import { type Logger, type React, systemActor } from '../../context.ts';
import type { Database } from '../../db/types.ts';
import { removeEndedDeliveries } from './store.ts';

/** Removes the deliveries of these tenants that ended before `before`. */
export async function cleanDeliveries(
  { database, log, react }: { readonly database: Database; readonly log: Logger; readonly react: React },
  tenantIds: readonly string[],
  before: Date,
): Promise<void> {
  for (const tenantId of tenantIds) {
    const context = { db: database.tenant(tenantId), tenantId, actor: systemActor('deliveries-clean'), now: before, log, react };
    await removeEndedDeliveries(context, before);
  }
}
