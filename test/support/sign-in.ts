/** Signing in as browsers do: a cookie for a person of a test server, and requests that a page of ours sends with it. */
import { printLink } from '../../src/foundation/sessions/index.ts';
import type { Answer } from './api.ts';
import type { ServedTenant } from './server.ts';

/** Origin of this tenant's pages. */
export function originOf({ host }: Pick<ServedTenant, 'host'>): string {
  return /^(localhost|127(\.\d+){3}|\[::1\])(:|$)/.test(host) ? `http://${host}` : `https://${host}`;
}

/** The name and value of the cookie that an answer sets last under a name; undefined where it sets none. */
export function cookieIn(response: Response, name: 'session' | 'sign-in' = 'session'): string | undefined {
  const set = response.headers.getSetCookie().find((one) => new RegExp(`^(__Host-)?${name}=`).test(one));
  return set?.split(';')[0];
}

/** Opens a link and answers what the server said. */
export function openLink(server: ServedTenant, token: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  return server.fetch('/auth/link/open', {
    method: 'POST',
    headers: { origin: originOf(server), 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ token }),
  });
}

/** Signs a person in and returns the cookie, as it goes into the header `Cookie`. */
export async function signIn(server: ServedTenant, userId: string): Promise<string> {
  const { token } = await printLink(server.system(), userId);
  const cookie = cookieIn(await openLink(server, token));
  if (cookie === undefined) {
    throw new Error('the link set no cookie');
  }
  return cookie;
}

/** Sends a request as a page of ours does, with this cookie and a JSON body where one is given. */
export async function requestWith(server: ServedTenant, cookie: string, method: string, path: string, body?: unknown): Promise<Answer> {
  const headers: Record<string, string> = { cookie, 'sec-fetch-site': 'same-origin' };
  if (body !== undefined) {
    headers['content-type'] = 'application/json';
  }
  const response = await server.fetch(path, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
  return { status: response.status, body: await response.json() };
}
