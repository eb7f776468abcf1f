/** Count of records of people that wait for somebody to say whose they are. */
import { useQuery } from '@tanstack/react-query';
import { read } from '~/data/query.ts';
import { useMay } from '~/data/session/session.ts';

/** Count waiting; 0 for whom lacks the permission. */
export function useDisputedCount(permission: 'settings.read' | 'users.write'): number {
  const mayRead = useMay('settings.read');
  const enabled = useMay(permission) && mayRead;
  const { data } = useQuery({ ...read('PersonRecordService.ListDisputed', { pageSize: 1 }), staleTime: 300_000, enabled });
  return enabled ? (data?.disputedCount ?? 0) : 0;
}
