/** Who is signed in, and what they may do. */
import { queryOptions, useQuery } from '@tanstack/react-query';
import { hearOtherPages, sayToOtherPages, setSignedOut } from './connection.ts';
import { clearDrafts } from './draft-store.ts';
import { call, fetchJson, isSignedOut, queries } from './query.ts';

/** The person who uses this page. */
export interface Session {
  readonly userId: string;
  readonly tenantId: string;
  readonly name: string;
  readonly jobTitle: string;
  readonly permissions: ReadonlySet<string>;
  /** The names of the roles, as the public product spells them. */
  readonly roles: readonly string[];
}

export const sessionQuery = queryOptions({
  queryKey: ['session'] as const,
  staleTime: 60_000,
  queryFn: async ({ signal }): Promise<Session> => {
    const [may, who] = await Promise.all([call('AuthService.Introspect', {}, { signal }), call('UserService.Introspect', {}, { signal })]);
    sayToOtherPages({ kind: 'in', userId: may.userId ?? '' });
    return {
      userId: may.userId ?? '',
      tenantId: may.tenantId ?? '',
      name: who.userView?.user?.displayName || who.userView?.user?.email || '',
      jobTitle: who.userView?.user?.jobTitle ?? '',
      permissions: new Set(may.permissions),
      roles: may.roles ?? [],
    };
  },
});

/** The session; undefined while it is read, and where nobody is signed in. */
export function useSession(): Session | undefined {
  return useQuery(sessionQuery).data;
}

/** Whether the person may do what a permission stands for. Not known yet counts as no. */
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
    // Where a browser refuses storage, nothing is kept.
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
