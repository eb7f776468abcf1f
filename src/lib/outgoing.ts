/**
 * The one way in which this service asks others for something over HTTP: every address is judged when it is connected to, so that no name and no
 * spelling leads into the network of the operator; no redirect is followed unseen, no proxy variable read, no cookie sent.
 */
import { lookup as resolve } from 'node:dns';
import * as http from 'node:http';
import * as https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import type { Readable } from 'node:stream';
import { noteConnection, noteTls, type NoteStep } from './tables/fetch-steps.ts';
import { type AllowedOutbound, allowsAddress, allowsPort, type Destination } from './judge-address.ts';

/** Requests a process may make. */
export interface OutgoingRules {
  readonly allowed: AllowedOutbound;
  /** True if plain http to this machine may be asked; only tests say so. */
  readonly allowsLocal: boolean;
  /** Origins that are asked in place of others, for services whose address is fixed; only tests say so. */
  readonly standIns?: ReadonlyMap<string, string>;
}

/** A request. */
export interface OutgoingRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  readonly signal: AbortSignal;
  /** Milliseconds in which the connection must stand, its name resolved and TLS agreed on; without it only the signal ends the wait. */
  readonly connectMs?: number;
  /** True if plain http at port 80 may be asked as well as https: for answers that are signed. */
  readonly allowsPlain?: boolean;
  /** Milliseconds without a byte, of the request or of the answer, after which the connection is given up. */
  readonly stallMs?: number;
  /** Certificates in PEM form that are trusted in place of the usual ones. */
  readonly ca?: string;
  /** Takes the steps to the connection, where somebody tries settings out. */
  readonly noteStep?: NoteStep | undefined;
}

/** Beginning of an answer. */
export interface OutgoingAnswer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  /** To be read once or destroyed. It breaks off with an error where less came than the answer announced. */
  readonly body: Readable;
}

/** A server to which no connection stood in time, or that fell silent. */
export class ConnectionTimeout extends Error {
  override readonly name = 'ConnectionTimeout';
}

/** A destination that the rules do not allow. */
export class ForbiddenDestination extends Error {
  override readonly name = 'ForbiddenDestination';
}

const local = /^(localhost|127\.0\.0\.1|::1)$/;

function destinationOf(url: URL): Destination {
  const isHttps = url.protocol === 'https:';
  return { host: url.hostname.replace(/^\[|\]$/g, ''), port: url.port || (isHttps ? '443' : '80'), isHttps };
}

/** Throws ForbiddenDestination for what the URL alone forbids. */
function requireUrl({ allowed, allowsLocal }: OutgoingRules, url: URL, allowsPlain: boolean): Destination {
  const destination = destinationOf(url);
  const { host, port, isHttps } = destination;
  const isPlain = allowsPlain && !isHttps && port === '80';
  if (!/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    throw new ForbiddenDestination('only http and https without a user may be asked');
  }
  if (allowsLocal && local.test(host)) {
    return destination;
  }
  if (!isPlain && !allowsPort(allowed, destination)) {
    const usual = allowsPlain ? 'https at port 443 or http at port 80' : 'https at port 443';
    throw new ForbiddenDestination(`${host}:${port} is not ${usual}; --allow-outbound can name it`);
  }
  if (isIP(host) !== 0 && !allowsAddress(allowed, destination, host)) {
    throw new ForbiddenDestination(`${host} is not an address on the internet; --allow-outbound can name it`);
  }
  return destination;
}

const maxUrl = 2_000;

/** Says what is wrong with an address that somebody gives to be asked later; undefined for nothing. Where it leads is judged when it is asked. */
export function findUrlProblem(text: string): string | undefined {
  // Parsers of URLs take white space away, and are content with one slash.
  if (text.length > maxUrl || !/^https?:\/\/[^\s/\\\p{Cc}][^\s\p{Cc}]*$/iu.test(text) || !URL.canParse(text)) {
    return `must be an http or https address of at most ${maxUrl} characters`;
  }
  const { username, password, hash } = new URL(text);
  return `${username}${password}${hash}` === '' ? undefined : 'must not hold a user, a password or a fragment';
}

/** A resolver that hands on judged addresses alone. */
function judgingLookup({ allowed, allowsLocal }: OutgoingRules, destination: Destination): LookupFunction {
  return (host, options, done) => {
    resolve(host, { ...options, all: true }, (error, found) => {
      if (error !== null) {
        done(error, '', 0);
        return;
      }
      const isLocal = allowsLocal && local.test(host);
      const judged = found.filter(({ address }) => isLocal || allowsAddress(allowed, destination, address));
      const [first] = judged;
      if (first === undefined) {
        done(new ForbiddenDestination(`${host} has no address on the internet; --allow-outbound can name it`), '', 0);
      } else if (options.all === true) {
        done(null, judged);
      } else {
        done(null, first.address, first.family);
      }
    });
  };
}

/** A server that speaks another protocol than HTTP. */
export interface OutgoingServer {
  /** A name or an address, without brackets. */
  readonly host: string;
  readonly port: number;
  /** True if the port is the one its protocol usually has; others need an entry of --allow-outbound. */
  readonly isUsualPort: boolean;
}

/** Returns the options of net.connect that lead to judged addresses of a server alone. Throws ForbiddenDestination for what its name or port forbids. */
export function judgeServer(
  rules: OutgoingRules,
  { host, port, isUsualPort }: OutgoingServer,
): { host: string; port: number; lookup: LookupFunction } {
  const destination = { host, port: String(port), isHttps: false };
  const isLocal = rules.allowsLocal && local.test(host);
  if (!isLocal && !isUsualPort && !allowsPort(rules.allowed, destination)) {
    throw new ForbiddenDestination(`${host}:${port} is not at the usual port; --allow-outbound can name it`);
  }
  if (!isLocal && isIP(host) !== 0 && !allowsAddress(rules.allowed, destination, host)) {
    throw new ForbiddenDestination(`${host} is not an address on the internet; --allow-outbound can name it`);
  }
  return { host, port, lookup: judgingLookup(rules, destination) };
}

/** Ends a request whose connection does not stand in time. */
function limitConnecting(sent: http.ClientRequest, isHttps: boolean, connectMs: number): void {
  const timer = setTimeout(() => sent.destroy(new ConnectionTimeout(`no connection in ${connectMs} ms`)), connectMs);
  const clear = (): void => clearTimeout(timer);
  sent.once('socket', (socket) => socket.once(isHttps ? 'secureConnect' : 'connect', clear));
  sent.once('close', clear);
}

/** Sends a request and returns the beginning of its answer, a redirect included. Rejects for a forbidden destination and whatever fails. */
export function openOutgoing(rules: OutgoingRules, address: string, request: OutgoingRequest): Promise<OutgoingAnswer> {
  return new Promise((answered, reject) => {
    const named = new URL(address);
    const standIn = rules.standIns?.get(named.origin);
    const url = standIn === undefined ? named : new URL(named.pathname + named.search, standIn);
    const { method = 'GET', headers = {}, body, signal, connectMs, stallMs, ca, allowsPlain = false, noteStep } = request;
    const destination = requireUrl(rules, url, allowsPlain);
    const send = destination.isHttps ? https.request : http.request;
    const lookup = judgingLookup(rules, destination);
    // A connection of its own: one that is kept was judged for another request.
    const sent = send(url, { method, headers: { ...headers }, signal, agent: false, lookup, ...(ca !== undefined && { ca }) });
    sent.on('error', reject);
    if (connectMs !== undefined) {
      limitConnecting(sent, destination.isHttps, connectMs);
    }
    if (noteStep !== undefined) {
      sent.once('socket', (socket) => {
        noteConnection(socket, noteStep);
        socket.once('secureConnect', () => noteTls(socket, noteStep));
      });
    }
    let answer: http.IncomingMessage | undefined;
    if (stallMs !== undefined) {
      sent.setTimeout(stallMs, () => (answer ?? sent).destroy(new ConnectionTimeout(`nothing came for ${stallMs / 1000} s`)));
    }
    sent.once('response', (message) => {
      answer = message;
      answered({ status: message.statusCode ?? 0, headers: message.headers, body: message });
    });
    sent.end(body);
  });
}

/**
 * Sends a request and reads the answer whole. Rejects for a forbidden destination, a redirect, an answer of more than `maxBytes`, and whatever fails.
 */
export async function sendOutgoing(
  rules: OutgoingRules,
  address: string,
  { maxBytes, ...request }: OutgoingRequest & { readonly maxBytes: number },
): Promise<Response> {
  const { status, headers, body } = await openOutgoing(rules, address, request);
  const isRedirect = status >= 300 && status < 400 && status !== 304;
  const pieces: Buffer[] = [];
  let length = 0;
  try {
    for await (const piece of body as AsyncIterable<Buffer>) {
      length += piece.length;
      if (length > maxBytes || isRedirect) {
        throw new Error(isRedirect ? 'the answer is a redirect, which is not followed' : `the answer has more than ${maxBytes} bytes`);
      }
      pieces.push(piece);
    }
  } finally {
    body.destroy();
  }
  if (isRedirect) {
    throw new Error('the answer is a redirect, which is not followed');
  }
  const pairs = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
  );
  return new Response([204, 205, 304].includes(status) ? null : Buffer.concat(pieces), { status, headers: pairs });
}
