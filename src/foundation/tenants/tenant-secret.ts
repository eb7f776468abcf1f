/** The secret that a tenant's sealed texts are sealed with. */
import { orThrow } from '../../errors.ts';
import type { Context } from '../../context.ts';
import { findTenant } from './store.ts';

/** Returns it; NOT_FOUND where the tenant was deleted meanwhile. */
export async function readTenantSecret({ db, tenantId }: Context): Promise<Buffer> {
  const tenant = orThrow(await findTenant(db, tenantId), 'NOT_FOUND', 'There is no such tenant.');
  return tenant.secret;
}
