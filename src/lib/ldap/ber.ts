/**
 * Answers of a directory (RFC 4511) read off their bytes. Strict, because the bytes come from a server that may be anything: what does not fit is an error
 * and never a loop or an entry without its values.
 */
import type { Entry } from './entry.ts';

/** Answers that are understood. */
export type Answer =
  | { readonly kind: 'ENTRY'; readonly id: number; readonly entry: Entry }
  | { readonly kind: 'REFERENCE'; readonly id: number; readonly uris: readonly string[] }
  | {
      readonly kind: 'RESULT';
      readonly id: number;
      readonly code: number;
      readonly words: string;
      /** The cookie of the control for paged results, empty behind the last page; undefined where the server sent no such control. */
      readonly cookie: Buffer | undefined;
    };

/** Type of the control for paged results (RFC 2696). */
export const pagedResults = '1.2.840.113556.1.4.319';

const tags = {
  integer: 0x02,
  text: 0x04,
  enumerated: 0x0a,
  sequence: 0x30,
  set: 0x31,
  entry: 0x64,
  reference: 0x73,
  controls: 0xa0,
} as const;
/** Results of a bind, a search and an extended request, which begin alike. */
const results: readonly number[] = [0x61, 0x65, 0x78];

/** Bytes that are no answer of a directory. */
export class BerError extends Error {
  override readonly name = 'BerError';
}

interface Piece {
  readonly tag: number;
  readonly from: number;
  readonly to: number;
}

/** Returns the tag, the place and the end of the element at `at`, which ends by `end`. */
export function readPiece(bytes: Buffer, at: number, end: number): Piece {
  let from = at + 2;
  let length = bytes[at + 1] as number;
  if (from > end) {
    throw new BerError('an element is cut off');
  }
  if (length >= 0x80) {
    const count = length - 0x80;
    if (count === 0 || count > 4 || from + count > end) {
      throw new BerError('an element has no readable length');
    }
    length = bytes.readUIntBE(from, count);
    from += count;
  }
  if (from + length > end) {
    throw new BerError('an element is longer than what holds it');
  }
  return { tag: bytes[at] as number, from, to: from + length };
}

function expectPiece(bytes: Buffer, at: number, end: number, tag: number): Piece {
  const piece = readPiece(bytes, at, end);
  if (piece.tag !== tag) {
    throw new BerError(`an element has the tag ${piece.tag} instead of ${tag}`);
  }
  return piece;
}

function readNumber(bytes: Buffer, { from, to }: Piece): number {
  if (to - from < 1 || to - from > 6) {
    throw new BerError('a number is too long');
  }
  return bytes.readIntBE(from, to - from);
}

/** Reads one message whole. Throws BerError for what is none; undefined for one that nobody waits for, such as a notice of another kind. */
export function readAnswer(bytes: Buffer): Answer | undefined {
  const message = expectPiece(bytes, 0, bytes.length, tags.sequence);
  const number = expectPiece(bytes, message.from, message.to, tags.integer);
  const id = readNumber(bytes, number);
  const body = readPiece(bytes, number.to, message.to);
  if (body.tag === tags.entry) {
    return { kind: 'ENTRY', id, entry: readEntry(bytes, body) };
  }
  if (body.tag === tags.reference) {
    return { kind: 'REFERENCE', id, uris: readTexts(bytes, body).map(String) };
  }
  if (!results.includes(body.tag)) {
    return undefined;
  }
  const code = expectPiece(bytes, body.from, body.to, tags.enumerated);
  const matched = expectPiece(bytes, code.to, body.to, tags.text);
  const words = expectPiece(bytes, matched.to, body.to, tags.text);
  const cookie = body.to < message.to ? findCookie(bytes, expectPiece(bytes, body.to, message.to, tags.controls)) : undefined;
  return { kind: 'RESULT', id, code: readNumber(bytes, code), words: bytes.toString('utf8', words.from, words.to), cookie };
}

function readTexts(bytes: Buffer, { from, to }: Piece): Buffer[] {
  const texts: Buffer[] = [];
  for (let at = from; at < to; ) {
    const text = expectPiece(bytes, at, to, tags.text);
    texts.push(bytes.subarray(text.from, text.to));
    at = text.to;
  }
  return texts;
}

function readEntry(bytes: Buffer, { from, to }: Piece): Entry {
  const name = expectPiece(bytes, from, to, tags.text);
  const list = expectPiece(bytes, name.to, to, tags.sequence);
  const attributes = new Map<string, readonly Buffer[]>();
  for (let at = list.from; at < list.to; ) {
    const attribute = expectPiece(bytes, at, list.to, tags.sequence);
    const type = expectPiece(bytes, attribute.from, attribute.to, tags.text);
    const values = expectPiece(bytes, type.to, attribute.to, tags.set);
    attributes.set(bytes.toString('utf8', type.from, type.to).toLowerCase(), readTexts(bytes, values));
    at = attribute.to;
  }
  return { dn: bytes.toString('utf8', name.from, name.to), attributes };
}

function findCookie(bytes: Buffer, controls: Piece): Buffer | undefined {
  for (let at = controls.from; at < controls.to; ) {
    const control = expectPiece(bytes, at, controls.to, tags.sequence);
    const type = expectPiece(bytes, control.from, control.to, tags.text);
    if (bytes.toString('latin1', type.from, type.to) === pagedResults) {
      return readCookie(bytes, type.to, control.to);
    }
    at = control.to;
  }
  return undefined;
}

/** The value of the control, behind whether it is critical, which a server may say. */
function readCookie(bytes: Buffer, from: number, to: number): Buffer {
  const first = readPiece(bytes, from, to);
  const value = first.tag === tags.text ? first : expectPiece(bytes, first.to, to, tags.text);
  const content = expectPiece(bytes, value.from, value.to, tags.sequence);
  const size = expectPiece(bytes, content.from, content.to, tags.integer);
  const cookie = expectPiece(bytes, size.to, content.to, tags.text);
  return Buffer.from(bytes.subarray(cookie.from, cookie.to));
}
