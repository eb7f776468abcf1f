/**
 * Check that a request with a cookie was made by a page of ours. Browsers send cookies with requests that other sites make, too, so what changes
 * something has to prove where it comes from. Requests with an access token need none of this.
 */
import type { FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';
import { requestBaseUrl } from './session-cookie.ts';

type Request = Pick<FastifyRequest, 'method' | 'host' | 'protocol' | 'headers'>;

/** Methods that change nothing. */
const safeMethods: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];
/** Content another site's form can send without asking; no operation takes it. */
const formTypes: readonly string[] = ['application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain'];

function headerOf({ headers }: Request, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(',') : value;
}

/** Reason a request may be another site's; undefined where it comes from ours. */
function foreignness(request: Request): string | undefined {
  const site = headerOf(request, 'sec-fetch-site');
  if (site !== undefined) {
    return site === 'same-origin' ? undefined : 'it comes from another site (Sec-Fetch-Site)';
  }
  const origin = headerOf(request, 'origin');
  if (origin === undefined) {
    return 'it names neither Sec-Fetch-Site nor Origin';
  }
  const own = requestBaseUrl(request);
  if (own.startsWith('https:') && origin === own.replace('https:', 'http:')) {
    return 'it was made over http://, where no browser keeps a sign-in; open the page with https://';
  }
  const isOwn = URL.canParse(origin) && URL.canParse(own) && new URL(origin).origin === new URL(own).origin;
  return isOwn ? undefined : 'its Origin is not this service';
}

/** PERMISSION_DENIED with the reason unless a page of ours sent the request. */
export function requireSameOrigin(request: Request): void {
  const why = foreignness(request);
  if (why !== undefined) {
    throw new AppError('PERMISSION_DENIED', `A request that is signed in by a cookie has to come from a page of this service: ${why}.`);
  }
}

/** The same for whatever changes something; then the body must also be one that no form sends. */
export function refuseForgery(request: Request): void {
  if (safeMethods.includes(request.method)) {
    return;
  }
  requireSameOrigin(request);
  const type = (headerOf(request, 'content-type') ?? '').split(';', 1).join('').trim().toLowerCase();
  const hasBody = headerOf(request, 'transfer-encoding') !== undefined || Number(headerOf(request, 'content-length') ?? 0) > 0;
  if (formTypes.includes(type) || (type === '' && hasBody)) {
    throw new AppError(
      'PERMISSION_DENIED',
      'A request that is signed in by a cookie needs the Content-Type of its body: application/json, or that of an imported file.',
    );
  }
}
