/** Opens a file on a web server: whole or not at all, nothing where it is the one before, and never a page in its place. */
import { setTimeout as delay } from 'node:timers/promises';
import { FetchFault } from '../tables/fetch-fault.ts';
import { peekBytes } from '../tables/text-encoding.ts';
import { announcedBytes, type Answered, ask, type AskParts, readBody, readShort, requireGood } from './ask.ts';

const maxBytes = 20 * 1024 ** 3;
const headBytes = 512;
const page = /^(?:\u00ef\u00bb\u00bf)?\s*<(?:!doctype\s+html|html|head|body)\b/i;

/** Words by which a server tells one state of a file from another; '' where it says nothing. */
export interface Validators {
  readonly etag: string;
  readonly lastModified: string;
}

/** A file to be opened. */
export interface WebFileQuestion {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** Those of the file that was taken last. */
  readonly last: Validators;
}

/** A file that is being read. */
export interface WebFile {
  readonly validators: Validators;
  /** Time that the server says the file is of; undefined where it does not say. */
  readonly saidAt: Date | undefined;
  /** Seconds that the answer lay in a cache. */
  readonly age: number;
  /** True if the end of the bytes is known to be the end of the file. */
  readonly isWhole: boolean;
  /** True if the bytes are gzip because the server made them so. */
  readonly isGzip: boolean;
  /** To be read once. */
  readonly pieces: AsyncIterable<Buffer>;
  /** Looks again once all was read, no sooner than `settleMs` after the server says the file was written. Throws a FetchFault where it has grown. */
  lookAgain(settleMs: number): Promise<void>;
  close(): void;
}

/** Opens a file; undefined where the server says that it is the one before. Throws a FetchFault, as reading does. */
export async function openWebFile(parts: AskParts, { url, headers, last }: WebFileQuestion): Promise<WebFile | undefined> {
  const answer = await ask(parts, { url, headers: { ...headers, ...conditions(last) }, follows: true });
  if (answer.status === 304 && (last.etag !== '' || last.lastModified !== '')) {
    answer.body.destroy();
    return undefined;
  }
  requireGood(answer);
  const validators = { etag: answer.headers.etag ?? '', lastModified: answer.headers['last-modified'] ?? '' };
  if (isSame(validators, last)) {
    answer.body.destroy();
    return undefined;
  }
  try {
    return await readAnswer(parts, answer, { validators, headers: answer.url.origin === url.origin ? headers : {} });
  } catch (error) {
    answer.body.destroy();
    throw error;
  }
}

function conditions({ etag, lastModified }: Validators): Record<string, string> {
  return {
    'cache-control': 'no-cache',
    'accept-encoding': 'identity',
    // A file that was written anew is newer, also with the same content, which many an ETag does not say.
    ...(lastModified !== '' ? { 'if-modified-since': lastModified } : etag !== '' ? { 'if-none-match': etag } : {}),
  };
}

function isSame(now: Validators, last: Validators): boolean {
  return (now.etag !== '' || now.lastModified !== '') && now.etag === last.etag && now.lastModified === last.lastModified;
}

interface Kept {
  readonly validators: Validators;
  readonly headers: Readonly<Record<string, string>>;
}

async function readAnswer(parts: AskParts, answer: Answered, { validators, headers }: Kept): Promise<WebFile> {
  const { host } = answer.url;
  const bytes = announcedBytes(answer);
  if (bytes !== undefined && bytes > maxBytes) {
    throw new FetchFault('REFUSED', `The file of ${host} has more than 20 GiB. Fetch less of it.`);
  }
  const encoding = (answer.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (!/^(identity|(x-)?gzip)$/.test(encoding)) {
    throw new FetchFault('REFUSED', `${host} sends the file in an encoding that is not read here; gzip is.`);
  }
  const { head, all } = await peekBytes(readBody(answer.body, { signal: parts.signal, host, bytes }), headBytes);
  if (isPage(answer) || page.test(head.toString('latin1'))) {
    throw new FetchFault('REFUSED', `The link asks to sign in: ${host} answered a page in place of a file.`);
  }
  const saidAt = readTime(validators.lastModified);
  return {
    validators,
    saidAt,
    age: /^\d{1,9}$/.test(answer.headers.age ?? '') ? Number(answer.headers.age) : 0,
    isWhole: bytes !== undefined || /\bchunked\b/i.test(answer.headers['transfer-encoding'] ?? ''),
    isGzip: encoding.endsWith('gzip'),
    pieces: all,
    async lookAgain(settleMs) {
      if (bytes === undefined || (validators.etag === '' && saidAt === undefined)) {
        return;
      }
      const youngMs = (readTime(answer.headers.date ?? '')?.getTime() ?? 0) - (saidAt?.getTime() ?? 0);
      await delay(saidAt === undefined ? 0 : Math.max(0, Math.min(settleMs, settleMs - youngMs)), undefined, { signal: parts.signal });
      const second = await ask(parts, {
        url: answer.url,
        method: 'HEAD',
        headers: { ...headers, ...conditions(validators) },
        follows: false,
      });
      second.body.destroy();
      const now = announcedBytes(second);
      if (second.status === 200 && now !== undefined && now !== bytes) {
        throw new FetchFault('HALF', `The file of ${host} changed while it was read: it had ${bytes} bytes, and has ${now} now.`);
      }
    },
    close: () => void answer.body.destroy(),
  };
}

function isPage({ headers }: Answered): boolean {
  return /^\s*(text\/html|application\/xhtml\+xml)\b/i.test(headers['content-type'] ?? '');
}

function readTime(text: string): Date | undefined {
  const time = new Date(text);
  return Number.isNaN(time.getTime()) ? undefined : time;
}

/** Reads a short text beside a file; undefined where there is none, 'large' where it has more than `most` bytes. */
export async function readBeside(
  parts: AskParts,
  url: URL,
  headers: Readonly<Record<string, string>>,
  most: number,
): Promise<string | 'large' | undefined> {
  const answer = await ask(parts, { url, headers: { ...headers, ...conditions({ etag: '', lastModified: '' }) }, follows: true });
  if (answer.status !== 200 || isPage(answer)) {
    answer.body.destroy();
    return undefined;
  }
  const text = await readShort(answer.body, { signal: parts.signal, host: answer.url.host, bytes: announcedBytes(answer) }, most);
  return text === undefined ? 'large' : text.toString('utf8');
}
