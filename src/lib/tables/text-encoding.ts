/**
 * In which encoding the bytes of a text are: UTF-8, UTF-16 by its mark or its zeros. Windows-1252 is known by
 * western-text.ts.
 */

/** Encodings that a text may be asked to be read in. */
export const textEncodings = ['UTF-8', 'UTF-16LE', 'UTF-16BE', 'windows-1252'] as const;
/** One of them. */
export type TextEncoding = (typeof textEncodings)[number];

/** Bytes of a text that show if it is UTF-16. */
const headBytes = 512;
/** Bytes that Windows-1252 has no character for. */
const unassigned: ReadonlySet<number> = new Set([0x81, 0x8d, 0x8f, 0x90, 0x9d]);
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

/** Bytes of Windows-1252 as they are shown in a message, whatever they are. */
export function showWestern(bytes: Buffer): string {
  return western.decode(bytes).replace(/[\u0080-\u009f]/g, '\ufffd');
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

/** All bytes of a source of which the first were looked at. Whoever does not read them returns them, or the source waits for ever. */
export type Peeked = AsyncIterableIterator<Buffer, undefined> & { return(): Promise<IteratorResult<Buffer, undefined>> };

/** The first bytes, as many as show the encoding, and all bytes with them. */
export async function peekBytes(
  source: AsyncIterable<Buffer>,
  length = headBytes,
): Promise<{ readonly head: Buffer; readonly all: Peeked }> {
  const pieces = source[Symbol.asyncIterator]();
  let head: Buffer = Buffer.alloc(0);
  let isEnd = false;
  while (head.length < length && !isEnd) {
    const next = await pieces.next();
    isEnd = next.done === true;
    head = next.done === true ? head : head.length === 0 ? next.value : Buffer.concat([head, next.value]);
  }
  let isGiven = head.length === 0;
  // No generator: one that was not begun would not end its source when it is returned.
  const all: Peeked = {
    [Symbol.asyncIterator]: () => all,
    async next() {
      if (!isGiven) {
        isGiven = true;
        return { done: false, value: head };
      }
      const next = await pieces.next();
      return next.done === true ? { done: true, value: undefined } : next;
    },
    async return() {
      await pieces.return?.();
      return { done: true, value: undefined };
    },
  };
  return { head, all };
}

/** UTF-8 that was taken for Windows-1252 and written as UTF-8 again: `Ã¤` for `ä`, `â€™` for `’`. */
const twicePattern = /[ÃÂ][\u0080-\u00bf‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ€]|â€[\u0080-\u00bf™œ“”¦˜š¢]/;

/** The place of what looks like a character that was encoded twice, with it; undefined where there is none. */
export function findTwiceEncoded(text: string): { readonly at: number; readonly word: string } | undefined {
  const at = text.search(twicePattern);
  if (at < 0) {
    return undefined;
  }
  return { at, word: wordAround(text, at) };
}

/** The word around a place of a text, as it is shown in a message. */
export function wordAround(text: string, at: number): string {
  const ends = (char: string | undefined): boolean => char === undefined || /[\s,;|"]/.test(char);
  let [from, to] = [at, at + 1];
  while (from > 0 && at - from < 20 && !ends(text[from - 1])) {
    from--;
  }
  while (to - at < 20 && !ends(text[to])) {
    to++;
  }
  return text.slice(from, to);
}
