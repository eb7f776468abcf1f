/**
 * In which encoding the bytes of a text are: UTF-8, UTF-16 by its mark or its zeros, Windows-1252 by evidence. What the text says is not
 * looked at here.
 */

/** Encodings that a text may be asked to be read in. */
export const textEncodings = ['UTF-8', 'UTF-16LE', 'UTF-16BE', 'windows-1252'] as const;
/** One of them. */
export type TextEncoding = (typeof textEncodings)[number];

/** Bytes of a text that show if it is UTF-16. */
const headBytes = 512;
/** Bytes that Windows-1252 has no character for. */
const unassigned: ReadonlySet<number> = new Set([0x81, 0x8d, 0x8f, 0x90, 0x9d]);
/** Marks that western texts hold beside letters, by their byte: € ‚ „ … ‘ ’ “ ” • – — ™, a hard space, « » ° § © ® ´ · ¿ ¡ £ ª º. */
const marks: ReadonlySet<number> = new Set([
  0x80, 0x82, 0x84, 0x85, 0x91, 0x92, 0x93, 0x94, 0x95, 0x96, 0x97, 0x99, 0xa0, 0xa1, 0xa3, 0xa7, 0xa9, 0xaa, 0xab, 0xae, 0xb0, 0xb4, 0xb7,
  0xba, 0xbb, 0xbf,
]);
/** Letters outside of À to ÿ: Š Œ Ž š œ ž Ÿ. */
const furtherLetters: ReadonlySet<number> = new Set([0x8a, 0x8c, 0x8e, 0x9a, 0x9c, 0x9e, 0x9f]);

/** UTF-16, where its mark says so or, in a text of mostly western letters, its zeros; undefined for anything else. */
export function findUtf16(head: Buffer): 'UTF-16LE' | 'UTF-16BE' | undefined {
  if (head.length >= 2 && head[0] === 0xff && head[1] === 0xfe) {
    return 'UTF-16LE';
  }
  if (head.length >= 2 && head[0] === 0xfe && head[1] === 0xff) {
    return 'UTF-16BE';
  }
  const pairs = Math.floor(Math.min(head.length, headBytes) / 2);
  let highs = 0;
  let lows = 0;
  for (let pair = 0; pair < pairs; pair++) {
    highs += head[2 * pair] === 0 ? 1 : 0;
    lows += head[2 * pair + 1] === 0 ? 1 : 0;
  }
  if (pairs < 4) {
    return undefined;
  }
  return lows * 10 > pairs * 7 && highs === 0 ? 'UTF-16LE' : highs * 10 > pairs * 7 && lows === 0 ? 'UTF-16BE' : undefined;
}

function isLetter(byte: number): boolean {
  // Hardly any text has a ÿ, and many a file that is no text has its byte.
  return (byte >= 0xc0 && byte !== 0xd7 && byte !== 0xf7 && byte !== 0xff) || furtherLetters.has(byte);
}

function isAsciiLetter(byte: number): boolean {
  return (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a);
}

/**
 * True if bytes that are not UTF-8 read as a western text in Windows-1252: accented letters stand by twos at most, and beside another letter of
 * their word; between them only marks that such texts hold. Other alphabets have whole words of such bytes, other files control characters.
 */
export function looksWestern(bytes: Buffer): boolean {
  let run = 0;
  let hasHigh = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    if (byte < 0x80) {
      if ((byte < 0x20 && byte !== 9 && byte !== 10 && byte !== 13) || byte === 0x7f) {
        return false;
      }
      run = 0;
      continue;
    }
    hasHigh = true;
    if (unassigned.has(byte)) {
      return false;
    }
    if (isLetter(byte)) {
      const stands = isAsciiLetter(bytes[at - 1] ?? 0) || isAsciiLetter(bytes[at + 1] ?? 0) || run > 0 || isLetter(bytes[at + 1] ?? 0);
      run++;
      if (run > 2 || !stands) {
        return false;
      }
      continue;
    }
    run = 0;
    if (!marks.has(byte)) {
      return false;
    }
  }
  return hasHigh;
}

const western = new TextDecoder('windows-1252');

/** Bytes of Windows-1252 as text; undefined where one of them is no character of it. */
export function decodeWestern(bytes: Buffer): string | undefined {
  for (const byte of bytes) {
    if (unassigned.has(byte)) {
      return undefined;
    }
  }
  return western.decode(bytes);
}

/** Bytes of UTF-16 as those of UTF-8, mark and all; `refuse` is called with the number of line feeds before what is no UTF-16. */
export async function* readUtf16(
  pieces: AsyncIterable<Buffer>,
  encoding: 'UTF-16LE' | 'UTF-16BE',
  refuse: (lines: number) => never,
): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder(encoding === 'UTF-16LE' ? 'utf-16le' : 'utf-16be', { fatal: true, ignoreBOM: true });
  let lines = 0;
  const decode = (piece: Buffer | undefined): string => {
    try {
      return piece === undefined ? decoder.decode() : decoder.decode(piece, { stream: true });
    } catch {
      return refuse(lines);
    }
  };
  for await (const piece of pieces) {
    const text = decode(piece);
    lines += text.split('\n').length - 1;
    yield Buffer.from(text, 'utf8');
  }
  yield Buffer.from(decode(undefined), 'utf8');
}

/** The first bytes, as many as show the encoding, and all bytes with them. */
export async function peekBytes(
  source: AsyncIterable<Buffer>,
  length = headBytes,
): Promise<{ readonly head: Buffer; readonly all: AsyncIterable<Buffer> }> {
  const pieces = source[Symbol.asyncIterator]();
  let head: Buffer = Buffer.alloc(0);
  let isEnd = false;
  while (head.length < length && !isEnd) {
    const next = await pieces.next();
    isEnd = next.done === true;
    head = next.done === true ? head : head.length === 0 ? next.value : Buffer.concat([head, next.value]);
  }
  async function* all(): AsyncGenerator<Buffer> {
    try {
      if (head.length > 0) {
        yield head;
      }
      for (let next = await pieces.next(); next.done !== true; next = await pieces.next()) {
        yield next.value;
      }
    } finally {
      await pieces.return?.();
    }
  }
  return { head, all: all() };
}
