/** Tokens of Google for a service account, so that a sheet can be shared with that account alone (RFC 7523). */
import { createPrivateKey, sign } from 'node:crypto';
import { ForbiddenDestination, sendOutgoing } from '../outgoing.ts';
import { FetchFault, wordsOf } from '../tables/fetch-fault.ts';
import type { AskParts } from './ask.ts';

/** Always this one: the address in a key could be anybody's. */
const tokenAddress = 'https://oauth2.googleapis.com/token';
const scope = 'https://www.googleapis.com/auth/drive.readonly';
const maxAnswer = 64 * 1024;
const limitMs = 30_000;

const base64 = (json: object): string => Buffer.from(JSON.stringify(json)).toString('base64url');

/** Signs what asks for a token. Throws a FetchFault where the text is no key of a service account. */
function makeAssertion(text: string, audience: string, now: Date): string {
  try {
    const { client_email: account, private_key: key, private_key_id: keyId } = JSON.parse(text) as Record<string, unknown>;
    if (typeof account !== 'string' || typeof key !== 'string') {
      throw new Error('members are missing');
    }
    const issuedAt = Math.floor(now.getTime() / 1000);
    const head = base64({ alg: 'RS256', typ: 'JWT', kid: keyId });
    const input = `${head}.${base64({ iss: account, scope, aud: audience, iat: issuedAt, exp: issuedAt + 600 })}`;
    return `${input}.${sign('sha256', Buffer.from(input), createPrivateKey(key)).toString('base64url')}`;
  } catch {
    // An error of the parser would repeat a part of the key.
    throw new FetchFault('REFUSED', 'The secret serviceAccount is no key of a Google service account, in JSON as Google gives it.');
  }
}

/** Returns a token by the key of a service account. Throws a FetchFault where there is none. */
export async function askGoogleToken({ rules, signal }: AskParts, key: string, now: Date, address = tokenAddress): Promise<string> {
  const assertion = makeAssertion(key, tokenAddress, now);
  const body = new URLSearchParams({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion }).toString();
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': String(body.length) };
  let answer: Response;
  let said: Record<string, unknown>;
  try {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
    answer = await sendOutgoing(rules, address, { method: 'POST', headers, body, signal: limit, maxBytes: maxAnswer });
    said = (await answer.json().catch(() => ({}))) as Record<string, unknown>;
  } catch (error) {
    signal.throwIfAborted();
    const kind = error instanceof ForbiddenDestination ? 'REFUSED' : 'UNREACHED';
    throw new FetchFault(kind, `Google gives no token: ${wordsOf(error)}.`, { cause: error });
  }
  const { access_token: token, error: code } = said;
  if (answer.status === 200 && typeof token === 'string' && /^[\x21-\x7e]{1,4096}$/.test(token)) {
    return token;
  }
  const isRefused = answer.status >= 400 && answer.status < 500 && answer.status !== 429;
  const word = typeof code === 'string' && /^[a-z_]{1,40}$/.test(code) ? ` (${code})` : '';
  const sentence = `Google gives no token for the service account: it answered ${answer.status}${word}.`;
  throw new FetchFault(isRefused ? 'REFUSED' : 'UNREACHED', sentence);
}
