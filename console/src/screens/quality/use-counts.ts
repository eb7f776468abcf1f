/** Length of each list, where its first page says it. */
import { useQuery } from '@tanstack/react-query';
import { useDisputedCount } from '~/data/inventory/claim-count.ts';
import { read } from '~/data/query.ts';
import type { Tab } from './tabs.ts';

const pageSize = 100;

function lengthOf(reply: { readonly list?: readonly unknown[]; readonly nextPageToken?: string } | undefined): number | undefined {
  return reply === undefined || reply.nextPageToken ? undefined : (reply.list?.length ?? 0);
}

export function useCounts(): Partial<Record<Tab, number | undefined>> {
  const leavers = useQuery(read('IdentityService.ListLeaversWithAccounts', { pageSize })).data;
  const unowned = useQuery(read('IdentityService.ListUnownedAccounts', { pageSize })).data;
  const ambiguous = useQuery(read('IdentityService.ListAmbiguousAccounts', { pageSize })).data;
  const alikes = useQuery(read('IdentityService.ListLookAlikes', { pageSize })).data;
  const managers = useQuery(read('IdentityService.ListPeopleWithoutManager', { pageSize })).data;
  const bare = useQuery(read('IdentityService.ListUndescribedEntitlements', { pageSize: 10 })).data;
  const disputed = useDisputedCount('settings.read');
  return {
    leavers: lengthOf(leavers),
    nobody: lengthOf(unowned),
    ambiguous: lengthOf(ambiguous),
    disputed,
    'look-alikes': lengthOf(alikes),
    'no-manager': lengthOf(managers),
    ...(bare === undefined ? {} : { 'no-description': Number(bare.total ?? 0) }),
  };
}
