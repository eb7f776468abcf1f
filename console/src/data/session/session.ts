/** Person signed in, and what they may do. */
import { queryOptions, useQuery } from '@tanstack/react-query';
import { hearOtherPages, sayToOtherPages, setSignedOut } from '~/data/connection.ts';
import { type DraftKey, importDraftKey } from '~/data/queue/draft-seal.ts';
import { clearDrafts, sealAllPlain } from '~/data/queue/draft-store.ts';
import { answerFresh } from './fresh-sign-in.ts';
import { call, fetchJson, isSignedOut, queries } from '~/data/query.ts';

/** The person who uses this page. */
export interface Session {
  readonly userId: string;
  readonly tenantId: string;
  readonly name: string;
  readonly jobTitle: string;
  readonly permissions: ReadonlySet<string>;
  /** The names of the roles, as the public product spells them. */
  readonly roles: readonly string[];
  /** Opens what this person has not submitted on this device, once `openDrafts` has asked for it. It ends with the page. */
  readonly draftKey: DraftKey | undefined;
}

/** The same for as long as the page lives; asked again where somebody signs in anew. */
const draftKeyQuery = queryOptions({
  queryKey: ['draft-key'] as const,
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: async ({ signal }): Promise<DraftKey> => importDraftKey((await call('SessionService.GetDraftKey', {}, { signal })).key ?? ''),
});

export const sessionQuery = queryOptions({
  queryKey: ['session'] as const,
  staleTime: 60_000,
  queryFn: async ({ signal }): Promise<Session> => {
    const hasKey = queries.getQueryData(draftKeyQuery.queryKey) !== undefined;
    const [may, who] = await Promise.all([
      call('AuthService.Introspect', {}, { signal }),
      call('UserService.Introspect', {}, { signal }),
      hasKey ? queries.fetchQuery(draftKeyQuery) : undefined,
    ]);
    const { userId = '', tenantId = '' } = may;
    sayToOtherPages({ kind: 'in', userId });
    return {
      userId,
      tenantId,
      draftKey: queries.getQueryData(draftKeyQuery.queryKey),
      name: who.userView?.user?.displayName || who.userView?.user?.email || '',
      jobTitle: who.userView?.user?.jobTitle ?? '',
      permissions: new Set(may.permissions),
      roles: may.roles ?? [],
    };
  },
});

/** Asks for the key of what this person has not submitted on this device, and returns the session with it. Pages that keep such wait for it. */
export async function openDrafts(): Promise<Session & { readonly draftKey: DraftKey }> {
  const [session, draftKey] = await Promise.all([queries.ensureQueryData(sessionQuery), queries.ensureQueryData(draftKeyQuery)]);
  const opened = { ...session, draftKey };
  if (session.draftKey !== draftKey) {
    queries.setQueryData(sessionQuery.queryKey, opened);
    // Nothing is kept in a browser that refuses storage.
    sealAllPlain(opened).catch(() => undefined);
  }
  return opened;
}

/** The session; undefined while it is read, and where nobody is signed in. */
export function useSession(): Session | undefined {
  return useQuery(sessionQuery).data;
}

/** True if the person may do what a permission stands for. Not known yet counts as no. */
export function useMay(permission: string): boolean {
  return useSession()?.permissions.has(permission) ?? false;
}

/** Ends the session on the server, and forgets what was read and what this device kept of the person. */
export async function signOut(): Promise<void> {
  const session = knownSession();
  await fetchJson('POST', '/auth/sign-out').catch((error: unknown) => {
    // It ended before.
    if (!isSignedOut(error)) {
      throw error;
    }
  });
  if (session !== undefined) {
    // Nothing is kept in a browser that refuses storage.
    await clearDrafts(session).catch(() => undefined);
  }
  sayToOtherPages({ kind: 'out' });
  queries.clear();
}

/** The session as the page knows it, without asking. */
export function knownSession(): Session | undefined {
  return queries.getQueryData(sessionQuery.queryKey);
}

/** After a session has ended: goes on where the same person is signed in again. For anybody else the page begins anew and shows nothing of before. */
export async function lookAgain(): Promise<void> {
  const before = knownSession();
  const [may] = await Promise.allSettled([fetchJson('GET', '/api/v1/auth/introspect')]);
  if (may.status === 'rejected') {
    return;
  }
  const { userId, tenantId } = may.value as { userId?: string; tenantId?: string };
  if (userId === before?.userId && tenantId === before?.tenantId) {
    setSignedOut(false);
    answerFresh(true);
    await queries.invalidateQueries();
  } else {
    window.location.replace('/');
  }
}

/** Follows what happens on other pages of this browser. */
export function followOtherPages(): void {
  hearOtherPages((news) => {
    const own = knownSession();
    if (own !== undefined && news.kind === 'out') {
      setSignedOut(true);
    } else if (own !== undefined && news.kind === 'in') {
      void lookAgain();
    }
  });
}
