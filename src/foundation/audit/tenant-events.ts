/**
 * The first and the last event of a tenant: hooks for its creation and its deletion, since the tenants module stands before this one.
 */
import type { TenantHook } from '../tenants/index.ts';
import { recordEvent } from './record-event.ts';

/** Records that a tenant was created. */
export const recordTenantCreated: TenantHook = async (context, tenant) => {
  await recordEvent(context, {
    kind: 'tenant.created',
    targetId: tenant.id,
    data: { host: tenant.host, displayName: tenant.displayName },
  });
};

/** Records that a tenant was deleted: the tombstone, since nothing of it is erased. */
export const recordTenantDeleted: TenantHook = async (context, tenant) => {
  await recordEvent(context, {
    kind: 'tenant.deleted',
    targetId: tenant.id,
    data: { host: tenant.host, displayName: tenant.displayName },
  });
};
