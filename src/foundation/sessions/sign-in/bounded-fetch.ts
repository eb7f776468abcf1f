/** The one way in which this service asks an identity provider for something: bounded in where it goes, how long it waits, and what it reads. */
import { type OutgoingRules, sendOutgoing } from '../../../lib/outgoing.ts';
import { isIssuer } from './auth-config.ts';

/** Things a request of this kind needs. */
interface Options {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
  readonly signal?: AbortSignal | null | undefined;
}

/** A provider that does not answer within so many seconds counts as absent. */
export const timeoutSeconds = 10;
const maxBytes = 1024 * 1024;

/** Makes it: it follows no redirect, waits for nothing long, reads no more than a document of this kind has, and goes where the rules allow it. */
export function createBoundedFetch(rules: OutgoingRules): (url: string, options: Options) => Promise<Response> {
  return (url, { method, headers, body, signal }) => {
    const { origin } = new URL(url);
    if (!isIssuer(origin, rules.allowsLocal)) {
      throw new Error('the provider names an address that is not https');
    }
    const signals = [AbortSignal.timeout(timeoutSeconds * 1000), ...(signal == null ? [] : [signal])];
    const isForm = body instanceof URLSearchParams;
    return sendOutgoing(rules, url, {
      ...(method === undefined ? {} : { method }),
      headers: { ...(isForm ? { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' } : {}), ...headers },
      ...(body === undefined || body === null ? {} : { body: String(body) }),
      signal: AbortSignal.any(signals),
      maxBytes: maxBytes,
    });
  };
}
