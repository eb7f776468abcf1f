/** People and entitlements by parts of their names, for fields that choose one; and their names by their ids, many at a time. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { call } from './query.ts';

/** One that a field offers. */
export interface Found {
  readonly id: string;
  readonly label: string;
  readonly hint: string;
}

/** An entitlement by its app and its own id. */
export interface EntitlementId {
  readonly appId: string;
  readonly id: string;
}

/** Enabled people by parts of their names or addresses. */
export async function findPeople(query: string, signal: AbortSignal): Promise<Found[]> {
  const reply = await call('UserService.Search', { query, pageSize: 20, userStatuses: ['ENABLED'] }, { signal });
  return (reply.list ?? []).map(({ user }) => ({
    id: user?.id ?? '',
    label: user?.displayName || user?.email || '',
    hint: [user?.jobTitle, user?.email].filter(Boolean).join(', '),
  }));
}

/** Entitlements by parts of their names; the id is that of the app and its own, see `splitEntitlement`. */
export async function findEntitlements(query: string, signal: AbortSignal): Promise<Found[]> {
  const reply = await call('AppEntitlementSearchService.Search', { query, pageSize: 20 }, { signal });
  const apps = await call('AppService.Search', { pageSize: 100 }, { signal });
  const names = new Map((apps.list ?? []).map((app) => [app.id ?? '', app.displayName ?? '']));
  return (reply.list ?? []).map(({ appEntitlement: one }) => ({
    id: `${one?.appId ?? ''}/${one?.id ?? ''}`,
    label: one?.displayName ?? '',
    hint: names.get(one?.appId ?? '') ?? '',
  }));
}

/** The app and the entitlement of an id that `findEntitlements` gave. */
export function splitEntitlement(id: string): { appId: string; appEntitlementId: string } {
  const [appId = '', appEntitlementId = ''] = id.split('/');
  return { appId, appEntitlementId };
}

function useNamed(kind: string, ids: readonly string[], load: (ids: string[], signal: AbortSignal) => Promise<[string, string][]>) {
  const wanted = [...new Set(ids.filter((id) => id !== ''))].sort();
  const { data } = useQuery({
    queryKey: [kind, wanted] as const,
    enabled: wanted.length > 0,
    staleTime: 300_000,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const pairs: [string, string][] = [];
      for (let from = 0; from < wanted.length; from += 100) {
        pairs.push(...(await load(wanted.slice(from, from + 100), signal)));
      }
      return new Map(pairs);
    },
  });
  return (id: string | undefined): string => data?.get(id ?? '') ?? '';
}

/** The name of a person by id; empty while it is read and for whom may not be read. */
export function usePeopleNames(ids: readonly string[]): (id: string | undefined) => string {
  return useNamed('people-names', ids, async (some, signal) => {
    const reply = await call('UserService.Search', { ids: some, pageSize: 100 }, { signal });
    return (reply.list ?? []).map(({ user }) => [user?.id ?? '', user?.displayName || user?.email || '']);
  });
}

/** The name of an entitlement by its own id. */
export function useEntitlementNames(refs: readonly EntitlementId[]): (id: string | undefined) => string {
  const appOf = new Map(refs.map(({ appId, id }) => [id, appId]));
  return useNamed('entitlement-names', [...appOf.keys()], async (some, signal) => {
    const wanted = some.map((id) => ({ appId: appOf.get(id) ?? '', id }));
    const reply = await call('AppEntitlementSearchService.Search', { refs: wanted, pageSize: 100 }, { signal });
    return (reply.list ?? []).map(({ appEntitlement: one }) => [one?.id ?? '', one?.displayName ?? '']);
  });
}

/** The name of an app by id. */
export function useAppNames(ids: readonly string[]): (id: string | undefined) => string {
  return useNamed('app-names', ids, (some, signal) =>
    Promise.all(
      some.map(async (id): Promise<[string, string]> => {
        const { app } = await call('AppService.Get', { id }, { signal });
        return [id, app?.displayName ?? ''];
      }),
    ),
  );
}
