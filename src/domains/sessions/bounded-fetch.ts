/** The one way in which this service asks an identity provider for something: bounded in where it goes, how long it waits, and what it reads. */
import { isIssuer } from './auth-config.ts';

/** What a request of this kind needs. */
interface Options {
  readonly signal?: AbortSignal | null | undefined;
}

/** A provider that does not answer within so many seconds counts as absent. */
export const timeoutSeconds = 10;
const mostBytes = 1024 * 1024;

/** Makes it: it follows no redirect, waits for nothing long, and reads no more than a document of this kind has; https alone, but for tests. */
export function createBoundedFetch(allowsLocal: boolean): (url: string, options: Options) => Promise<Response> {
  return async (url, options) => {
    const { origin } = new URL(url);
    if (!isIssuer(origin, allowsLocal)) {
      throw new Error('the provider names an address that is not https');
    }
    const signals = [AbortSignal.timeout(timeoutSeconds * 1000), ...(options.signal == null ? [] : [options.signal])];
    const response = await fetch(url, { ...(options as RequestInit), redirect: 'error', signal: AbortSignal.any(signals) });
    const pieces: Uint8Array[] = [];
    let length = 0;
    for await (const piece of response.body ?? []) {
      length += piece.length;
      if (length > mostBytes) {
        throw new Error(`the provider answered more than ${mostBytes} bytes`);
      }
      pieces.push(piece);
    }
    const { status, headers } = response;
    return new Response([204, 304].includes(status) ? null : Buffer.concat(pieces), { status, headers });
  };
}
