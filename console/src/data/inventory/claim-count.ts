/** Counts of what waits for somebody to say who people are: changes that sources ask for, and records. One request for both. */
import { useQuery } from '@tanstack/react-query';
import { read } from '~/data/query.ts';
import { useMay } from '~/data/session/session.ts';

/** So many stand for that many or more. */
export const maxClaims = 1000;

function useWaiting(permission: 'settings.read' | 'users.write'): { waitingCount?: number; disputedCount?: number } {
  const mayRead = useMay('settings.read');
  const enabled = useMay(permission) && mayRead;
  const { data } = useQuery({
    ...read('PersonClaimService.List', { state: 'PERSON_CLAIM_STATE_WAITING', pageSize: 1 }),
    staleTime: 300_000,
    enabled,
  });
  return enabled ? (data ?? {}) : {};
}

/** Count of waiting changes of people; 0 for whom lacks the permission. */
export function useClaimCount(permission: 'settings.read' | 'users.write'): number {
  return useWaiting(permission).waitingCount ?? 0;
}

/** Count of records that wait for somebody to say whose they are; 0 for whom lacks the permission. */
export function useDisputedCount(permission: 'settings.read' | 'users.write'): number {
  return useWaiting(permission).disputedCount ?? 0;
}
