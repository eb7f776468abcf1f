/** Names by ids, many at a time. Whoever cannot be read is absent. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { appQuery } from './inventory/find.ts';
import { call, isOutage, queries } from './query.ts';

/** An entitlement by its app and its own id. */
export interface EntitlementRef {
  readonly appId: string;
  readonly id: string;
}

type Names = ReadonlyMap<string, string>;

const none: Names = new Map();

/** Names by ids, a hundred read at a time; `kind` is the key of what is read. */
export function useNamed(
  kind: string,
  ids: readonly (string | undefined)[],
  load: (ids: string[], signal: AbortSignal) => Promise<[string, string][]>,
): Names {
  const wanted = [...new Set(ids.filter((id): id is string => id !== undefined && id !== ''))].sort();
  const { data } = useQuery({
    queryKey: [kind, wanted] as const,
    enabled: wanted.length > 0,
    staleTime: 300_000,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<Names> => {
      const pairs: [string, string][] = [];
      for (let from = 0; from < wanted.length; from += 100) {
        pairs.push(...(await load(wanted.slice(from, from + 100), signal)));
      }
      return new Map(pairs);
    },
  });
  return data ?? none;
}

/** Names of at most a hundred people, by id. */
export async function loadNames(some: readonly string[], signal?: AbortSignal): Promise<[string, string][]> {
  if (some.length === 0) {
    return [];
  }
  const reply = await call('UserService.Search', { ids: [...some], pageSize: 100 }, signal === undefined ? {} : { signal });
  return (reply.list ?? []).map(({ user }) => [user?.id ?? '', user?.displayName || user?.email || '']);
}

/** Names of people by id. */
export function useNames(ids: readonly (string | undefined)[]): Names {
  return useNamed('names', ids, loadNames);
}

/** Names of entitlements by their own ids. */
export function useEntitlementNames(refs: readonly EntitlementRef[]): Names {
  const appOf = new Map(refs.map(({ appId, id }) => [id, appId]));
  return useNamed('entitlement-names', [...appOf.keys()], async (some, signal) => {
    const wanted = some.map((id) => ({ appId: appOf.get(id) ?? '', id }));
    const reply = await call('AppEntitlementSearchService.Search', { refs: wanted, pageSize: 100 }, { signal });
    return (reply.list ?? []).map(({ appEntitlement: one }) => [one?.id ?? '', one?.displayName ?? '']);
  });
}

/** Names of apps by id; what is known of an app already is not asked again. */
export function useAppNames(ids: readonly (string | undefined)[]): Names {
  return useNamed('app-names', ids, (some) => Promise.all(some.map(nameOfApp)));
}

async function nameOfApp(id: string): Promise<[string, string]> {
  try {
    const { app } = await queries.fetchQuery(appQuery(id));
    return [id, app?.displayName ?? ''];
  } catch (error) {
    if (isOutage(error)) {
      throw error;
    }
    // One that is gone or may not be read does not hide the names of the others.
    return [id, ''];
  }
}
