/** Ways to sign in: what the tenant offers, links by mail, and the two ways a link is spent. */
import { queryOptions } from '@tanstack/react-query';
import { isOwnPath, ownPath } from './own-path.ts';
import { fetchJson, queries } from '~/data/query.ts';

/** Means to sign in here. */
export interface WaysIn {
  readonly tenant: string;
  readonly providers: readonly { readonly id: string; readonly displayName: string }[];
  readonly mailLinks: boolean;
}

export const waysInQuery = queryOptions({
  queryKey: ['ways-in'] as const,
  queryFn: async ({ signal }): Promise<WaysIn> => {
    const { tenant, providers, mailLinks } = (await fetchJson('GET', '/auth/providers', undefined, { signal })) as {
      tenant?: { displayName?: string };
      providers?: WaysIn['providers'];
      mailLinks?: boolean;
    };
    return { tenant: tenant?.displayName ?? '', providers: providers ?? [], mailLinks: mailLinks ?? false };
  },
});

/** Address for a browser to sign in at a provider; it comes back to `to`. `isFresh` asks for a new proof of who they are. */
export function providerAddress(id: string, to: string | undefined, isFresh = false): string {
  const query = new URLSearchParams({
    ...(to !== undefined && isOwnPath(to) ? { to } : {}),
    ...(isFresh ? { fresh: '1' } : {}),
  }).toString();
  return `/auth/sign-in/${encodeURIComponent(id)}${query === '' ? '' : `?${query}`}`;
}

/** Asks for a link by mail. The answer is the same whether or not somebody has this address. */
export async function askForLink(email: string, to: string | undefined): Promise<void> {
  await fetchJson('POST', '/auth/link', { email, ...(to !== undefined && isOwnPath(to) ? { to } : {}) });
}

/** Spends a link: this browser is signed in then. Returns where to go on. */
export async function spendLink(token: string): Promise<string> {
  const { to } = (await fetchJson('POST', '/auth/link/open', { token })) as { to?: string };
  queries.clear();
  return ownPath(to);
}
