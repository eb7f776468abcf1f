/** Asking a web server for a file: redirects are followed to judged addresses, and whatever fails is said without addresses or secrets. */
import type { Readable } from 'node:stream';
import { ForbiddenDestination, openOutgoing, type OutgoingAnswer, type OutgoingRules } from '../outgoing.ts';
import { FetchFault, wordsOf } from '../tables/fetch-fault.ts';

const maxRedirects = 5;
const maxLocation = 8_192;
const connectMs = 15_000;
const usualStallMs = 120_000;

/** Things that every request of a fetch has. */
export interface AskParts {
  readonly rules: OutgoingRules;
  readonly signal: AbortSignal;
  /** Certificates in PEM form that are trusted in place of the usual ones; '' for the usual ones. */
  readonly ca: string;
  /** Milliseconds of silence after which a server is given up. */
  readonly stallMs?: number | undefined;
}

/** A question. */
export interface Question {
  readonly url: URL;
  readonly method?: 'GET' | 'HEAD';
  /** Sent to the host that is asked first, and to no other. */
  readonly headers: Readonly<Record<string, string>>;
  /** True if redirects are followed; else one is an answer. */
  readonly follows: boolean;
}

/** An answer, and the address that gave it. */
export interface Answered extends OutgoingAnswer {
  readonly url: URL;
}

/** Asks, and returns the beginning of the answer. Throws a FetchFault; whoever ends the signal gets its reason. */
export async function ask(parts: AskParts, { url, method = 'GET', headers, follows }: Question): Promise<Answered> {
  let at = url;
  for (let count = 0; ; count++) {
    const isAtHome = at.origin === url.origin;
    const answer = await askOnce(parts, at, method, isAtHome ? headers : {});
    const { location } = answer.headers;
    if (!follows || ![301, 302, 303, 307, 308].includes(answer.status) || location === undefined) {
      return { ...answer, url: at };
    }
    answer.body.destroy();
    if (count === maxRedirects) {
      throw new FetchFault('REFUSED', `${url.host} redirects more than ${maxRedirects} times.`);
    }
    at = readLocation(at, location);
  }
}

function readLocation(from: URL, location: string): URL {
  if (location.length > maxLocation || !URL.canParse(location, from.href)) {
    throw new FetchFault('REFUSED', `${from.host} redirects to something that is no address.`);
  }
  const to = new URL(location, from.href);
  if (to.protocol !== 'https:' && from.protocol === 'https:') {
    throw new FetchFault('REFUSED', `${from.host} redirects to an address without encryption, which is not followed.`);
  }
  return to;
}

async function askOnce(
  { rules, signal, ca, stallMs = usualStallMs }: AskParts,
  url: URL,
  method: string,
  headers: Readonly<Record<string, string>>,
): Promise<OutgoingAnswer> {
  signal.throwIfAborted();
  // Some servers refuse who does not say what they are.
  const sent = { 'user-agent': 'Countersign', ...headers };
  try {
    return await openOutgoing(rules, url.href, { method, headers: sent, signal, connectMs, stallMs, ...(ca.trim() !== '' && { ca }) });
  } catch (error) {
    signal.throwIfAborted();
    throw explain(error, url.host);
  }
}

function explain(error: unknown, host: string): FetchFault {
  if (error instanceof ForbiddenDestination) {
    return new FetchFault('REFUSED', `${host} is not asked: ${wordsOf(error)}.`, { cause: error });
  }
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (/CERT|ISSUER|SIGNATURE|SIGNED|ALTNAME/.test(code)) {
    const hint = 'Set `ca` to the certificate of the authority that issued it, and use the name that stands in it';
    return new FetchFault('SETTINGS', `${host} offers no connection that is to be trusted: ${wordsOf(error)}. ${hint}.`, { cause: error });
  }
  return new FetchFault('UNREACHED', `${host} cannot be reached: ${wordsOf(error)}.`, { cause: error });
}

/** Throws for an answer that is not good, in words of ours: what a server says of itself is not shown. */
export function requireGood({ status, headers, body, url: { host } }: Answered): void {
  if (status === 200) {
    return;
  }
  body.destroy();
  if (status === 401 || status === 403 || status === 407) {
    throw new FetchFault('REFUSED', `The link asks to sign in: ${host} answered ${status}.`);
  }
  if (status === 429 || status === 503) {
    const retryAfterSeconds = readRetryAfter(headers['retry-after'], headers.date);
    throw new FetchFault('UNREACHED', `${host} has no time: it answered ${status}.`, { retryAfterSeconds });
  }
  const isFinal = status >= 400 && status < 500 && ![404, 408, 410, 425].includes(status);
  throw new FetchFault(isFinal ? 'REFUSED' : 'UNREACHED', `${host} gives no file: it answered ${status}.`);
}

function readRetryAfter(text: string | undefined, date: string | undefined): number {
  if (text === undefined) {
    return 0;
  }
  const from = Date.parse(date ?? '');
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : (Date.parse(text) - (Number.isNaN(from) ? Date.now() : from)) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds)) : 0;
}

/** Reads a body to its end. Throws a FetchFault where it breaks off, or is not as long as the server announced. */
export async function* readBody(body: Readable, { signal, host, bytes }: BodyFacts): AsyncGenerator<Buffer> {
  let count = 0;
  try {
    for await (const piece of body as AsyncIterable<Buffer>) {
      count += piece.length;
      yield piece;
    }
  } catch (error) {
    signal.throwIfAborted();
    throw new FetchFault('UNREACHED', `The file of ${host} broke off after ${count} bytes: ${wordsOf(error)}.`, { cause: error });
  } finally {
    body.destroy();
  }
  signal.throwIfAborted();
  if (bytes !== undefined && count !== bytes) {
    throw new FetchFault('HALF', `The file of ${host} has ${count} bytes, and ${bytes} were announced.`);
  }
}

/** Facts of a body that is read. */
export interface BodyFacts {
  readonly signal: AbortSignal;
  readonly host: string;
  /** Bytes that were announced; undefined where nobody said. */
  readonly bytes: number | undefined;
}

/** Reads a short body whole; undefined where it is longer than `maxBytes`. */
export async function readShort(body: Readable, facts: BodyFacts, maxBytes: number): Promise<Buffer | undefined> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of readBody(body, facts)) {
    length += piece.length;
    if (length > maxBytes) {
      return undefined;
    }
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/** Returns the length that an answer announces. */
export function announcedBytes({ headers }: Pick<OutgoingAnswer, 'headers'>): number | undefined {
  const { 'content-length': length } = headers;
  return length === undefined ? undefined : Number(length);
}
