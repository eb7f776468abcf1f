/** Names of resources, their types and accounts by their ids, and searches for fields that choose one. Ids of choices hold the app, a slash, and the own id. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Found } from './find.ts';
import { call, queries, read } from '~/data/query.ts';

/** Something in an app, by both ids. */
export interface InApp {
  readonly appId: string;
  readonly id: string;
}

/** Most things that a form names one by one. */
const maxNamed = 100;

/** Names of apps, once for all letters. */
async function appNames(): Promise<ReadonlyMap<string, string>> {
  const apps = await queries.fetchQuery({ ...read('AppService.Search', { pageSize: 100 }), staleTime: 300_000 });
  return new Map((apps.list ?? []).map((app) => [app.id ?? '', app.displayName ?? '']));
}

function useNamed(
  kind: string,
  things: readonly InApp[],
  load: (some: readonly InApp[], signal: AbortSignal) => Promise<[string, string][]>,
) {
  const wanted = things.slice(0, maxNamed);
  const { data } = useQuery({
    queryKey: [kind, wanted] as const,
    enabled: wanted.length > 0,
    staleTime: 300_000,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<ReadonlyMap<string, string>> => new Map(await load(wanted, signal)),
  });
  return data ?? new Map<string, string>();
}

/** Names of resources by their own ids. */
export function useResourceNames(things: readonly InApp[]): ReadonlyMap<string, string> {
  return useNamed('resource-names', things, async (some, signal) => {
    const resourceIds = some.map(({ id }) => id);
    const reply = await call('AppResourceService.SearchAppResources', { resourceIds, pageSize: 100 }, { signal });
    return (reply.list ?? []).map(({ appResource: one }) => [one?.id ?? '', one?.displayName ?? '']);
  });
}

/** Names of resource types by their own ids. */
export function useResourceTypeNames(things: readonly InApp[]): ReadonlyMap<string, string> {
  return useNamed('resource-type-names', things, async (some, signal) => {
    const resourceTypeIds = some.map(({ id }) => id);
    const reply = await call('AppResourceService.SearchAppResourceTypes', { resourceTypeIds, pageSize: 100 }, { signal });
    return (reply.list ?? []).map((one) => [one.id ?? '', one.displayName ?? '']);
  });
}

/** Names of accounts by their own ids. */
export function useAccountNames(things: readonly InApp[]): ReadonlyMap<string, string> {
  return useNamed('account-names', things, async (some, signal) => {
    const appUserIds = some.map(({ id }) => id);
    const reply = await call('AppUserService.Search', { appUserIds, pageSize: 100 }, { signal });
    return (reply.list ?? []).map(({ appUser: one }) => [one?.id ?? '', one?.displayName || one?.username || '']);
  });
}

/** Resources by parts of their names, of these apps or of all, distinguished by the app. */
export function searchResources(appIds: readonly string[] = []) {
  return async (query: string, signal: AbortSignal): Promise<Found[]> => {
    const [reply, names] = await Promise.all([
      call('AppResourceService.SearchAppResources', { query, appIds: [...appIds], pageSize: 20 }, { signal }),
      appNames(),
    ]);
    return (reply.list ?? []).map(({ appResource: one }) => ({
      id: `${one?.appId ?? ''}/${one?.id ?? ''}`,
      label: one?.displayName ?? '',
      hint: names.get(one?.appId ?? '') ?? '',
    }));
  };
}

/** Resource types by parts of their names, distinguished by the app. */
export async function searchResourceTypes(query: string, signal: AbortSignal): Promise<Found[]> {
  const [reply, names] = await Promise.all([
    call('AppResourceService.SearchAppResourceTypes', { query, pageSize: 20 }, { signal }),
    appNames(),
  ]);
  return (reply.list ?? []).map((one) => ({
    id: `${one.appId ?? ''}/${one.id ?? ''}`,
    label: one.displayName ?? '',
    hint: names.get(one.appId ?? '') ?? '',
  }));
}

/** Accounts by parts of their names, distinguished by the app. */
export async function searchAccounts(query: string, signal: AbortSignal): Promise<Found[]> {
  const [reply, names] = await Promise.all([call('AppUserService.Search', { query, pageSize: 20 }, { signal }), appNames()]);
  return (reply.list ?? []).map(({ appUser: one }) => ({
    id: `${one?.appId ?? ''}/${one?.id ?? ''}`,
    label: one?.displayName || one?.username || '',
    hint: names.get(one?.appId ?? '') ?? '',
  }));
}

/** Both ids of a choice. */
export function splitInApp(choice: string): InApp {
  const [appId = '', id = ''] = choice.split('/');
  return { appId, id };
}
