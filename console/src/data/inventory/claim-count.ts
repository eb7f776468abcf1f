/** Count of waiting changes to people, asked by sources. */
import { useQuery } from '@tanstack/react-query';
import { read } from '~/data/query.ts';
import { useMay } from '~/data/session/session.ts';

/** So many stand for that many or more. */
export const maxClaims = 1000;

/** Count waiting; 0 for whom lacks the permission. */
export function useClaimCount(permission: 'settings.read' | 'users.write'): number {
  const mayRead = useMay('settings.read');
  const enabled = useMay(permission) && mayRead;
  const { data } = useQuery({
    ...read('PersonClaimService.List', { state: 'PERSON_CLAIM_STATE_WAITING', pageSize: 1 }),
    staleTime: 300_000,
    enabled,
  });
  return enabled ? (data?.waitingCount ?? 0) : 0;
}
