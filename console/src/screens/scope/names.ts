/** Names of apps and entitlements by their ids. */
import { useQueries, useQuery } from '@tanstack/react-query';
import { appQuery } from '../../data/people.ts';
import { call } from '../../data/query.ts';

/** Names of apps by id. */
export function useAppNames(ids: readonly string[]): ReadonlyMap<string, string> {
  const found = useQueries({ queries: ids.map((id) => appQuery(id)) });
  return new Map(ids.map((id, index) => [id, found[index]?.data?.app?.displayName ?? '']));
}

/** An entitlement by app and id. */
export interface EntitlementRef {
  readonly appId: string;
  readonly id: string;
}

/** Names of entitlements by id. */
export function useEntitlementNames(refs: readonly EntitlementRef[]): ReadonlyMap<string, string> {
  const { data } = useQuery({
    queryKey: ['entitlement-names', refs] as const,
    enabled: refs.length > 0,
    staleTime: 300_000,
    queryFn: async ({ signal }) => {
      const reply = await call('AppEntitlementSearchService.Search', { refs: [...refs], pageSize: 100 }, { signal });
      return (reply.list ?? []).map(({ appEntitlement }) => [appEntitlement?.id ?? '', appEntitlement?.displayName ?? ''] as const);
    },
  });
  return new Map(data ?? []);
}

/** Entitlements by parts of their names; their ids hold app and entitlement. */
export function searchEntitlements(appIds: readonly string[]) {
  return async (query: string, signal: AbortSignal): Promise<{ id: string; label: string; hint: string }[]> => {
    const reply = await call('AppEntitlementSearchService.Search', { query, appIds: [...appIds], pageSize: 20 }, { signal });
    return (reply.list ?? []).map(({ appEntitlement: one }) => ({
      id: `${one?.appId ?? ''}/${one?.id ?? ''}`,
      label: one?.displayName ?? '',
      hint: one?.description ?? '',
    }));
  };
}
