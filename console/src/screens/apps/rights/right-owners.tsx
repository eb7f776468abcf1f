/** The owners of a right. */
import { useQuery } from '@tanstack/react-query';
import type { Entitlement } from '~/data/inventory/inventory.ts';
import { read } from '~/data/query.ts';
import { Owners } from '~/screens/apps/owners.tsx';

export function rightOwners(right: Entitlement) {
  return {
    ...read('AppEntitlementOwnerService.List', { appId: right.appId ?? '', entitlementId: right.id ?? '', pageSize: 100 }),
    staleTime: 60_000,
  };
}

export function RightOwners({ right }: { right: Entitlement }) {
  const { data } = useQuery(rightOwners(right));
  return data === undefined ? null : <Owners people={data.list} />;
}
