/**
 * Splitting CSV into rows (RFC 4180) from a stream, with bounded memory: commas, or semicolons, tabs or bars where the header has no comma;
 * quoted fields, CRLF or LF, an optional byte order mark; UTF-8, or another encoding that text-encoding.ts finds.
 * What columns mean, and where the bytes come from, is not here.
 */
import { isAscii, isUtf8 } from 'node:buffer';
import { findSeparator, separatorNames } from './csv-separator.ts';
import { decodeWestern, findUtf16, looksWestern, peekBytes, readUtf16, type TextEncoding } from './text-encoding.ts';

/** Reason a text is not CSV at all; unlike a wrong value, nothing after it can be read. */
export class CsvError extends Error {
  override readonly name = 'CsvError';
  /** Its line, counted from 1; a row that spans lines counts as its first. */
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

/** Some rows in the order of the file. */
export interface CsvBatch {
  readonly rows: string[][];
  /** The line each row begins on, counted from 1. */
  readonly lines: number[];
  /** True if no field of the batch holds a backslash or a control character, so that it need not be escaped anywhere. */
  readonly isPlain: boolean;
}

/** Limits of what is read, and size of a batch. */
export interface CsvLimits {
  /** Longest row in bytes, quotes and line end included. */
  readonly maxRowBytes: number;
  /** Roughly how many bytes make a batch. */
  readonly batchBytes: number;
}

/** Form of a text: what was asked for, and what was found as it was read. */
export interface TextForm {
  /** Read in this encoding; found by itself where absent. */
  readonly asked?: TextEncoding;
  /** Undefined as long as nothing but ASCII was read. */
  encoding?: TextEncoding;
  /** The name of what stands between the columns; '' before the first row. */
  separator: string;
}

const lineFeed = 10;
const byteOrderMark = '\uFEFF';

/** The bytes as UTF-8, or as they are where a block can only be understood by itself. */
async function* decodeWide(source: AsyncIterable<Buffer>, form: TextForm): AsyncGenerator<Buffer> {
  const { head, all } = form.asked === undefined ? await peekBytes(source) : { head: Buffer.alloc(0), all: source };
  const wide = form.asked === undefined ? findUtf16(head) : form.asked.startsWith('UTF-16') ? (form.asked as 'UTF-16LE') : undefined;
  form.encoding = wide ?? form.asked;
  yield* wide === undefined
    ? all
    : readUtf16(all, wide, (lines) => {
        throw new CsvError(lines + 1, `the text is not ${wide}, in which it begins`);
      });
}

/** A block of whole lines as text; throws where it is in no encoding that goes with what was read before. */
function decodeBlock(block: Buffer, form: TextForm, lineOf: () => number): string {
  if (form.encoding === 'windows-1252') {
    const text = form.asked === undefined && !isAscii(block) && !looksWestern(block) ? undefined : decodeWestern(block);
    if (text === undefined) {
      throw new CsvError(lineOf(), 'the text is not Windows-1252 here, although it is before; save the file as UTF-8');
    }
    return text;
  }
  if (isAscii(block)) {
    return block.toString('latin1');
  }
  if (isUtf8(block)) {
    form.encoding ??= 'UTF-8';
    return block.toString('utf8');
  }
  // All before was ASCII, which is the same in both.
  if (form.encoding === undefined && looksWestern(block)) {
    form.encoding = 'windows-1252';
    return decodeWestern(block) ?? '';
  }
  throw new CsvError(lineOf() + findInvalidLine(block), 'the text is not UTF-8; save the file in that encoding');
}

/**
 * The rows of a CSV text, the header among them, in batches. Lines without any character are skipped. Throws a CsvError for what is in no
 * encoding known here, holds U+0000, has a row over the limit, or quotes that do not add up; errors of the source pass through.
 */
export async function* readCsv(
  source: AsyncIterable<Buffer>,
  limits: CsvLimits,
  form: TextForm = { separator: '' },
): AsyncGenerator<CsvBatch> {
  const splitter = createSplitter(limits.maxRowBytes, form);
  let pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of decodeWide(source, form)) {
    // Whole lines only: a line feed is never part of another character.
    const end = piece.lastIndexOf(lineFeed) + 1;
    pieces.push(piece);
    size += piece.length;
    if (end > 0 && size >= limits.batchBytes) {
      const rest = piece.subarray(end);
      pieces[pieces.length - 1] = piece.subarray(0, end);
      yield splitter.split(Buffer.concat(pieces, size - rest.length), false);
      pieces = rest.length > 0 ? [rest] : [];
      size = rest.length;
    } else if (end === 0 && size > limits.batchBytes + limits.maxRowBytes) {
      splitter.refuseLongRow(pieces);
    }
  }
  yield splitter.split(Buffer.concat(pieces, size), true);
}

interface Splitter {
  /** The rows of a block that ends with a line feed, or is the last one. A row left open in quotes is kept for the next block. */
  split(block: Buffer, isLast: boolean): CsvBatch;
  /** Throws where the line left over at the end of these pieces is over the limit by itself. */
  refuseLongRow(pieces: readonly Buffer[]): void;
}

function createSplitter(maxRowBytes: number, form: TextForm): Splitter {
  let carry = '';
  /** The line on which the text handled next begins. */
  let line = 1;
  let isFirst = true;
  /** Known once the first row is. */
  let separator: number | undefined;

  function tooLong(at: number): CsvError {
    return new CsvError(at, `the row is longer than ${maxRowBytes} bytes`);
  }

  /** Length of a row in bytes, looked at closely only where it may be over the limit. */
  function refuseIfLong(text: string, at: number): void {
    if (text.length * 3 > maxRowBytes && Buffer.byteLength(text) > maxRowBytes) {
      throw tooLong(at);
    }
  }

  return {
    split(block, isLast) {
      let text = carry + decodeBlock(block, form, () => line + countLines(carry));
      carry = '';
      if (isFirst && text.startsWith(byteOrderMark)) {
        text = text.slice(1);
      }
      isFirst = isFirst && text === '';
      const nul = text.indexOf('\0');
      if (nul >= 0) {
        throw new CsvError(line + countLines(text.slice(0, nul)), 'the text holds the character U+0000');
      }
      if (separator === undefined) {
        const hint = /^sep=([,;\t|])\r?\n/i.exec(text);
        if (hint !== null) {
          // Excel writes it, and does not count it among the rows.
          text = text.slice(hint[0].length);
          line++;
        }
        separator = hint?.[1]?.charCodeAt(0) ?? findSeparator(text, isLast);
        form.separator = separator === undefined ? '' : (separatorNames.get(separator) ?? '');
      }
      if (separator === undefined) {
        carry = text;
        refuseIfLong(carry, line);
        return { rows: [], lines: [], isPlain: true };
      }
      const between = String.fromCharCode(separator);
      const rows: string[][] = [];
      const lines: number[] = [];
      const hasQuotes = text.includes('"');
      let position = 0;
      let nextQuote = hasQuotes ? text.indexOf('"') : text.length;
      while (position < text.length) {
        let end = text.indexOf('\n', position);
        if (end < 0) {
          end = text.length;
        }
        if (nextQuote >= end) {
          const stop = text.charCodeAt(end - 1) === 13 && end > position ? end - 1 : end;
          if (stop > position) {
            const row = text.slice(position, stop);
            refuseIfLong(row, line);
            rows.push(row.split(between));
            lines.push(line);
          }
          position = end + 1;
          line++;
          continue;
        }
        const parsed = splitQuoted(text, position, { line, isLast, separator });
        if (parsed === undefined) {
          carry = text.slice(position);
          refuseIfLong(carry, line);
          break;
        }
        refuseIfLong(text.slice(position, parsed.next), line);
        rows.push(parsed.fields);
        lines.push(line);
        line += countLines(text, position, parsed.next);
        position = parsed.next;
        nextQuote = text.indexOf('"', position);
        if (nextQuote < 0) {
          nextQuote = text.length;
        }
      }
      return { rows, lines, isPlain: !hasQuotes && !/[\\\t\r]/.test(stripLineEnds(text)) };
    },
    refuseLongRow(pieces) {
      const size = pieces.reduce((sum, piece) => sum + piece.length, 0);
      const whole = Buffer.concat(pieces, size);
      if (size - (whole.lastIndexOf(lineFeed) + 1) > maxRowBytes) {
        throw tooLong(line + countLines(carry) + countLines(whole.toString('latin1')));
      }
    },
  };
}

/** CRLF is no control character of a field; looked for only where there is a carriage return at all. */
function stripLineEnds(text: string): string {
  return text.includes('\r') ? text.replaceAll('\r\n', '\n') : text;
}

/** Place of a row. */
interface RowPlace {
  readonly line: number;
  readonly isLast: boolean;
  readonly separator: number;
}

/** A row that may hold quotes, from `start` on; undefined where its end lies beyond this text. */
function splitQuoted(text: string, start: number, { line, isLast, separator }: RowPlace): { fields: string[]; next: number } | undefined {
  const fields: string[] = [];
  let position = start;
  for (;;) {
    if (text.charCodeAt(position) === 34) {
      const field = readQuoted(text, position, line, isLast);
      if (field === undefined) {
        return undefined;
      }
      fields.push(field.value);
      position = field.next;
    } else {
      const field = readBare(text, position, separator, line + countLines(text, start, position));
      fields.push(field.value);
      position = field.next;
    }
    const code = text.charCodeAt(position);
    if (code === separator) {
      position++;
      continue;
    }
    if (position >= text.length || code === lineFeed) {
      return { fields, next: Math.min(position + 1, text.length) };
    }
    if (code === 13 && (position + 1 >= text.length || text.charCodeAt(position + 1) === lineFeed)) {
      return { fields, next: Math.min(position + 2, text.length) };
    }
    throw new CsvError(
      line + countLines(text, start, position),
      `a closing quote is followed by something else than a ${separatorNames.get(separator)} or the end of the line`,
    );
  }
}

/** A quoted field: `start` is its opening quote; `next` is behind its closing one. */
function readQuoted(text: string, start: number, line: number, isLast: boolean): { value: string; next: number } | undefined {
  let value = '';
  let from = start + 1;
  for (;;) {
    const quote = text.indexOf('"', from);
    if (quote < 0) {
      if (isLast) {
        throw new CsvError(line, 'a quote is opened and never closed');
      }
      return undefined;
    }
    if (text.charCodeAt(quote + 1) !== 34) {
      return { value: value + text.slice(from, quote), next: quote + 1 };
    }
    value += text.slice(from, quote + 1);
    from = quote + 2;
  }
}

/** A field without quotes: up to the next separator or line end. */
function readBare(text: string, start: number, separator: number, line: number): { value: string; next: number } {
  let position = start;
  for (; position < text.length; position++) {
    const code = text.charCodeAt(position);
    if (
      code === separator ||
      code === lineFeed ||
      (code === 13 && (position + 1 >= text.length || text.charCodeAt(position + 1) === lineFeed))
    ) {
      break;
    }
    if (code === 34) {
      throw new CsvError(line, 'a quote stands inside a field that is not quoted');
    }
  }
  return { value: text.slice(start, position), next: position };
}

/** Counts line feeds between two places of a text. */
function countLines(text: string, from = 0, to = text.length): number {
  let count = 0;
  for (let at = text.indexOf('\n', from); at >= 0 && at < to; at = text.indexOf('\n', at + 1)) {
    count++;
  }
  return count;
}

/** Counts the lines of a block before the first that is not UTF-8. */
function findInvalidLine(block: Buffer): number {
  let count = 0;
  for (let from = 0; from < block.length; count++) {
    const end = block.indexOf(lineFeed, from);
    const stop = end < 0 ? block.length : end;
    if (!isUtf8(block.subarray(from, stop))) {
      return count;
    }
    from = stop + 1;
  }
  return count;
}
