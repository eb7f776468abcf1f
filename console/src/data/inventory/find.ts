/** People, apps and entitlements by parts of their names, for fields that choose one. */
import { call, queries, read } from '~/data/query.ts';

/** One that a field offers. */
export interface Found {
  readonly id: string;
  readonly label: string;
  readonly hint?: string | undefined;
}

type Find = (query: string, signal: AbortSignal) => Promise<Found[]>;

/** People, enabled ones alone or all there are, distinguished beside their titles by this. */
function peopleBy(hint: 'email' | 'department', among: 'enabled' | 'all' = 'enabled'): Find {
  const narrowed = among === 'enabled' ? { userStatuses: ['ENABLED' as const] } : {};
  return async (query, signal) => {
    const reply = await call('UserService.Search', { query, pageSize: 20, sort: 'USER_SORT_NAME', ...narrowed }, { signal });
    return (reply.list ?? []).map(({ user }) => ({
      id: user?.id ?? '',
      label: user?.displayName || user?.email || '',
      hint: [user?.jobTitle, user?.[hint]].filter(Boolean).join(', '),
    }));
  };
}

/** Enabled people by parts of their names or addresses, distinguished by their addresses. */
export const findPeople = peopleBy('email');

/** The same, disabled people too: what somebody holds or owns may be that of one who left. */
export const findAnybody = peopleBy('email', 'all');

/** Enabled people by parts of their names or addresses, distinguished by where they work. */
export const searchPeople = peopleBy('department');

/** Apps by parts of their names. */
export async function searchApps(query: string, signal: AbortSignal): Promise<Found[]> {
  const reply = await call('AppService.Search', { query, pageSize: 20 }, { signal });
  return (reply.list ?? []).map((app) => ({ id: app.id ?? '', label: app.displayName ?? '', hint: app.description ?? '' }));
}

/** An app by its id. */
export const appQuery = (id: string) => ({ ...read('AppService.Get', { id }), staleTime: 300_000 });

/** Entitlements of any app by parts of their names, distinguished by the app; their ids hold app and entitlement, see `splitEntitlement`. */
export async function findEntitlements(query: string, signal: AbortSignal): Promise<Found[]> {
  const [reply, apps] = await Promise.all([
    call('AppEntitlementSearchService.Search', { query, pageSize: 20 }, { signal }),
    // Once for all letters.
    queries.fetchQuery({ ...read('AppService.Search', { pageSize: 100 }), staleTime: 300_000 }),
  ]);
  const names = new Map((apps.list ?? []).map((app) => [app.id ?? '', app.displayName ?? '']));
  return (reply.list ?? []).map(({ appEntitlement: one }) => ({
    id: `${one?.appId ?? ''}/${one?.id ?? ''}`,
    label: one?.displayName ?? '',
    hint: names.get(one?.appId ?? '') ?? '',
  }));
}

/** Entitlements of these apps by parts of their names, distinguished by their descriptions; their ids hold app and entitlement. */
export function searchEntitlements(appIds: readonly string[]): Find {
  return async (query, signal) => {
    const reply = await call('AppEntitlementSearchService.Search', { query, appIds: [...appIds], pageSize: 20 }, { signal });
    return (reply.list ?? []).map(({ appEntitlement: one }) => ({
      id: `${one?.appId ?? ''}/${one?.id ?? ''}`,
      label: one?.displayName ?? '',
      hint: one?.description ?? '',
    }));
  };
}

/** The app and the entitlement of an id that a search for entitlements gave. */
export function splitEntitlement(id: string): { appId: string; appEntitlementId: string } {
  const [appId = '', appEntitlementId = ''] = id.split('/');
  return { appId, appEntitlementId };
}
