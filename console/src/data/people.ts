/** Names of people by their ids, many at a time. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { call, read } from './query.ts';

/** Names by id. Whoever cannot be read is absent. */
export function useNames(ids: readonly (string | undefined)[]): ReadonlyMap<string, string> {
  const wanted = [...new Set(ids.filter((id): id is string => id !== undefined && id !== ''))].sort();
  const { data } = useQuery({
    queryKey: ['names', wanted] as const,
    enabled: wanted.length > 0,
    staleTime: 300_000,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<ReadonlyMap<string, string>> => {
      const names = new Map<string, string>();
      for (let from = 0; from < wanted.length; from += 100) {
        const reply = await call('UserService.Search', { ids: wanted.slice(from, from + 100), pageSize: 100 }, { signal });
        for (const { user } of reply.list ?? []) {
          names.set(user?.id ?? '', user?.displayName || user?.email || '');
        }
      }
      return names;
    },
  });
  return data ?? new Map();
}

/** People by parts of their names or addresses, for a field that chooses one. */
export async function searchPeople(query: string, signal: AbortSignal): Promise<{ id: string; label: string; hint: string }[]> {
  const reply = await call('UserService.Search', { query, pageSize: 20, userStatuses: ['ENABLED'] }, { signal });
  return (reply.list ?? []).map(({ user }) => ({
    id: user?.id ?? '',
    label: user?.displayName || user?.email || '',
    hint: [user?.jobTitle, user?.department].filter(Boolean).join(', '),
  }));
}

/** Apps by parts of their names. */
export async function searchApps(query: string, signal: AbortSignal): Promise<{ id: string; label: string; hint: string }[]> {
  const reply = await call('AppService.Search', { query, pageSize: 20 }, { signal });
  return (reply.list ?? []).map((app) => ({ id: app.id ?? '', label: app.displayName ?? '', hint: app.description ?? '' }));
}

/** An app by its id. */
export const appQuery = (id: string) => ({ ...read('AppService.Get', { id }), staleTime: 300_000 });
