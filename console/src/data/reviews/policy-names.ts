/** Names of policies by id. */
import { useQuery } from '@tanstack/react-query';
import { call } from '~/data/query.ts';

/** Names of these policies; absent while they are read, and for those that are gone. */
export function usePolicyNames(ids: readonly (string | undefined)[]): ReadonlyMap<string, string> {
  const wanted = [...new Set(ids.filter((id): id is string => id !== undefined && id !== ''))].sort();
  const { data } = useQuery({
    queryKey: ['policy-names', wanted] as const,
    enabled: wanted.length > 0,
    staleTime: 60_000,
    queryFn: async ({ signal }): Promise<ReadonlyMap<string, string>> => {
      const reply = await call('PolicyService.Search', { refs: wanted.map((id) => ({ id })), pageSize: 100 }, { signal });
      return new Map((reply.list ?? []).map(({ id = '', displayName = '' }) => [id, displayName]));
    },
  });
  return data ?? new Map();
}
