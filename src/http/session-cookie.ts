/**
 * The cookies of signing in: their names, reading them, setting and clearing them. Browsers send those whose name begins with `__Host-` back to
 * the same host alone, over TLS alone; plain http is for loopback names, where browsers would not keep them.
 */
import type { FastifyRequest } from 'fastify';
import { hostBaseUrl, isLoopback } from '../foundation/tenants/index.ts';

/** Purpose of a cookie: the session, and that a sign-in goes on in the browser in which it began. */
export type CookieName = 'session' | 'sign-in';

type Request = Pick<FastifyRequest, 'host' | 'protocol' | 'headers'>;

/** True if the client speaks TLS. Schemes have no case (RFC 9110 section 4.2.3), and a proxy may write its own. */
export function isSecure({ protocol }: Pick<Request, 'protocol'>): boolean {
  return protocol.toLowerCase() === 'https';
}

/** True if the browser speaks plain http to this machine. Everywhere else TLS is taken for granted: a proxy may end it before us. */
function isPlain(request: Pick<Request, 'host' | 'protocol'>): boolean {
  return !isSecure(request) && isLoopback(request.host.toLowerCase());
}

/** Base URL, as clients see it: that of links, locations and answers. */
export function requestBaseUrl(request: Pick<Request, 'host' | 'protocol'>): string {
  const host = request.host.toLowerCase();
  return isSecure(request) ? `https://${host}` : hostBaseUrl(host);
}

function nameOf(request: Request, name: CookieName): string {
  return isPlain(request) ? name : `__Host-${name}`;
}

/** The value that the browser sent; empty for none, and for two of one name, of which one is somebody else's. */
export function readCookie(request: Request, name: CookieName): string {
  const wanted = nameOf(request, name);
  const values = (request.headers.cookie ?? '').split(';').flatMap((pair) => {
    const [key = '', ...rest] = pair.split('=');
    return key.trim() === wanted ? [rest.join('=').trim()] : [];
  });
  return values.length === 1 ? (values[0] ?? '') : '';
}

/** The person whom a page of ours was made for, in the header it sends; undefined where it names none. */
export function readSignedInAs({ headers }: Pick<Request, 'headers'>): string | undefined {
  const value = headers['x-signed-in-as'];
  return Array.isArray(value) ? value.join(',') : value;
}

/** The Set-Cookie that gives the browser a value, until it is closed or for so many seconds. */
export function setCookie(request: Request, name: CookieName, value: string, maxAgeSeconds?: number): string {
  const attributes = ['Path=/', 'HttpOnly', ...(isPlain(request) ? [] : ['Secure']), 'SameSite=Lax'];
  const age = maxAgeSeconds === undefined ? [] : [`Max-Age=${maxAgeSeconds}`];
  return [`${nameOf(request, name)}=${value}`, ...attributes, ...age].join('; ');
}

/** The Set-Cookie that takes it away. */
export function clearCookie(request: Request, name: CookieName): string {
  return setCookie(request, name, '', 0);
}
