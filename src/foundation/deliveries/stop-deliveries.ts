/** Fate of deliveries that wait when their tenant is deleted: nobody makes them any more. */
import { removeAllEffects } from '../../jobs/index.ts';
import type { TenantHook } from '../tenants/index.ts';
import { updateAllDiscarded } from './store.ts';

/** Gives up what waits, in the transaction that deletes the tenant. An attempt under way loses its lease. */
export const stopDeliveries: TenantHook = async (context) => {
  await removeAllEffects(context.db, context.tenantId);
  await updateAllDiscarded(context, 'The tenant was deleted.');
};
