/** Asks a server for a time stamp over HTTP (RFC 3161, 3.4), and holds the answer to every rule. */
import { ConnectionTimeout, ForbiddenDestination, type OutgoingRules, sendOutgoing } from '../outgoing.ts';
import { TimeStampRefusal } from './refusal.ts';
import { createTimeStampRequest, type TimeStampRequest } from './request.ts';
import { type TimeStamp, type TimeStampTrust, verifyTimeStamp } from './verify.ts';

/** A server, and what is believed of it. */
export interface TimeStampServer extends TimeStampTrust {
  readonly url: string;
}

/** Needs of a request beside server and data. */
export interface AskOptions {
  readonly outgoing: OutgoingRules;
  readonly now: () => Date;
  /** Only tests wait less long. */
  readonly limits?: AskLimits;
}

export interface AskLimits {
  readonly connectMs: number;
  readonly totalMs: number;
}

/** A time stamp with all that is needed to verify it again. */
export interface AskedTimeStamp extends TimeStamp {
  /** The whole reply, as it came. */
  readonly reply: Buffer;
  readonly request: TimeStampRequest;
  readonly sentAt: Date;
  readonly receivedAt: Date;
}

/** A server that gave no reply: it is down, slow, may not be asked, or answers something else. The message is a sentence for people. */
export class TimeStampUnavailable extends Error {
  override readonly name = 'TimeStampUnavailable';
  /** True if the next attempt may succeed with nothing changed here: the server is down, slow or busy. */
  readonly mayPass: boolean;

  constructor(message: string, { mayPass, cause }: { readonly mayPass: boolean; readonly cause?: unknown }) {
    super(message, { cause });
    this.mayPass = mayPass;
  }
}

/** A server whose reply breaks a rule; the message is the rule, `reply` is kept as evidence. */
export class TimeStampWrong extends TimeStampRefusal {
  readonly reply: Buffer;

  constructor(host: string, reply: Buffer, cause: TimeStampRefusal) {
    super(`The time stamp of ${host} was refused. ${cause.message}`, { cause });
    this.reply = reply;
  }
}

const usualLimits: AskLimits = { connectMs: 3_000, totalMs: 10_000 };
const maxBytes = 64 * 1024;
const replyType = 'application/timestamp-reply';

/**
 * Returns the time stamp of a server over data. Throws TimeStampUnavailable where there is no reply, and TimeStampWrong for one that breaks a
 * rule. Takes 10 s at most, so no transaction may be open.
 */
export async function askForTimeStamp(server: TimeStampServer, data: Buffer, options: AskOptions): Promise<AskedTimeStamp> {
  const { host } = new URL(server.url);
  const request = createTimeStampRequest(data);
  const sentAt = options.now();
  const reply = await fetchReply(server.url, host, request.bytes, options);
  const receivedAt = options.now();
  try {
    const stamp = await verifyTimeStamp(reply, { request, sentAt, receivedAt }, server);
    return { ...stamp, reply, request, sentAt, receivedAt };
  } catch (error) {
    throw error instanceof TimeStampRefusal ? new TimeStampWrong(host, reply, error) : error;
  }
}

async function fetchReply(url: string, host: string, body: Buffer, { outgoing, limits = usualLimits }: AskOptions): Promise<Buffer> {
  const signal = AbortSignal.timeout(limits.totalMs);
  const headers = { 'content-type': 'application/timestamp-query', 'content-length': String(body.length), accept: replyType };
  let response: Response;
  try {
    response = await sendOutgoing(outgoing, url, {
      method: 'POST',
      headers,
      body,
      signal,
      connectMs: limits.connectMs,
      allowsPlain: true,
      maxBytes,
    });
  } catch (cause) {
    throw explain(cause, host, signal.aborted, limits);
  }
  if (response.status !== 200) {
    const mayPass = response.status >= 500 || response.status === 429;
    throw new TimeStampUnavailable(`The time stamp server ${host} answered with status ${response.status}.`, { mayPass });
  }
  const [type = ''] = (response.headers.get('content-type') ?? '').split(';');
  if (type.trim().toLowerCase() !== replyType) {
    throw new TimeStampUnavailable(`The time stamp server ${host} answered with something else than a time stamp.`, { mayPass: false });
  }
  return Buffer.from(await response.arrayBuffer());
}

/** Codes of failures that stay until somebody changes something; of certificates there are many. */
const lasting = /^(ENOTFOUND|EPROTO|ERR_TLS_.*|ERR_SSL_.*|.*CERT.*|.*_SIGNATURE.*)$/;

/** Returns what to say of a request that failed. */
function explain(cause: unknown, host: string, isLate: boolean, { connectMs, totalMs }: AskLimits): TimeStampUnavailable {
  const say = (ending: string, mayPass: boolean) => new TimeStampUnavailable(`The time stamp server ${host} ${ending}`, { mayPass, cause });
  if (cause instanceof ForbiddenDestination) {
    return say(`may not be asked: ${cause.message}.`, false);
  }
  if (cause instanceof ConnectionTimeout) {
    return say(`did not take a connection in ${connectMs / 1000} s.`, true);
  }
  if (isLate) {
    return say(`did not answer in ${totalMs / 1000} s.`, true);
  }
  // Codes are of this service's own system; messages without one are those of outgoing.ts.
  if (cause instanceof Error && 'code' in cause) {
    return say(`could not be reached (${String(cause.code)}).`, !lasting.test(String(cause.code)));
  }
  return say(`cannot be used: ${cause instanceof Error ? cause.message : String(cause)}.`, false);
}
