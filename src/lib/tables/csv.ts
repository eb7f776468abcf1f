/**
 * Splitting CSV into rows (RFC 4180) from a stream, with bounded memory: commas, or semicolons, tabs or bars where the header has no comma;
 * quoted fields, CRLF or LF, an optional byte order mark; UTF-8, or another encoding that text-encoding.ts finds.
 * What columns mean, and where the bytes come from, is not here.
 */
import { isAscii, isUtf8 } from 'node:buffer';
import { CsvError } from './csv-error.ts';
import { countLines, splitQuoted } from './csv-fields.ts';
import { countLineEnds, evenLineEnds, findLastLine } from './csv-lines.ts';
import { findSeparator, readHint, separatorNames } from './csv-separator.ts';
import {
  decodeWestern,
  findTwiceEncoded,
  findUtf16,
  peekBytes,
  readUtf16,
  showWestern,
  type TextEncoding,
  wordAround,
} from './text-encoding.ts';
import { findWesternDoubt, noWeights, type WesternDoubt, type WesternWeights } from './western-text.ts';

export { CsvError } from './csv-error.ts';

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
  /** The first word that looks as if it were encoded twice. */
  twice?: { readonly line: number; readonly word: string } | undefined;
  /** What speaks for Windows-1252, as far as it was read. */
  weights?: WesternWeights;
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
  if (form.asked === 'windows-1252') {
    const text = decodeWestern(block);
    if (text === undefined) {
      throw new CsvError(lineOf(), 'the text holds a byte that Windows-1252 has no character for; save the file as UTF-8');
    }
    return text;
  }
  if (isAscii(block)) {
    return block.toString('latin1');
  }
  if (form.encoding !== 'windows-1252' && isUtf8(block)) {
    form.encoding ??= 'UTF-8';
    const text = block.toString('utf8');
    noteTwiceEncoded(text, form, lineOf);
    return text;
  }
  form.weights ??= noWeights();
  const doubt = findWesternDoubt(block, form.weights);
  // All before was ASCII, which is the same in both, or Windows-1252.
  if (doubt === undefined && (form.encoding === undefined || form.encoding === 'windows-1252')) {
    form.encoding = 'windows-1252';
    return decodeWestern(block) ?? '';
  }
  throw refuseEncoding(block, form, doubt, lineOf());
}

/** Says why a block is in no encoding that is read, with its line and the word that shows it. */
function refuseEncoding(block: Buffer, form: TextForm, doubt: WesternDoubt | undefined, line: number): CsvError {
  if (form.encoding === 'UTF-8' || doubt?.isBrokenUtf8 === true) {
    return new CsvError(
      line + findInvalidLine(block),
      'the text is not UTF-8 here: a character is cut off, or this part comes from another file; save the whole file as UTF-8',
    );
  }
  const at = doubt?.at ?? 0;
  const word = wordAround(showWestern(block.subarray(Math.max(0, at - 40), at + 40)), Math.min(at, 40));
  return new CsvError(
    line + countLineEnds(block.subarray(0, at)),
    `the text is not UTF-8, and ${JSON.stringify(word)} is no western text in Windows-1252 either, as DOS windows and old Macs write; save the file as UTF-8 ("CSV UTF-8" in Excel)${word.includes('\ufffd') ? '' : ', or pass encoding=windows-1252 if the word is right'}`,
  );
}

/** Notes the first place of a text that was encoded twice: it is read as it stands. */
function noteTwiceEncoded(text: string, form: TextForm, lineOf: () => number): void {
  if (form.twice === undefined && (text.includes('Ã') || text.includes('Â') || text.includes('â'))) {
    const found = findTwiceEncoded(text);
    form.twice = found && { line: lineOf() + countLines(text, 0, found.at), word: found.word };
  }
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
    const end = findLastLine(piece);
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
      text = evenLineEnds(text);
      if (separator === undefined) {
        const hint = readHint(text, line);
        if (hint !== undefined) {
          text = text.slice(hint.length);
          line++;
        }
        separator = hint?.separator ?? findSeparator(text, isLast);
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

/** Counts the lines of a block before the first that is not UTF-8. */
function findInvalidLine(block: Buffer): number {
  let count = 0;
  let from = 0;
  for (let at = 0; at < block.length; at++) {
    if (block[at] === lineFeed || (block[at] === 13 && block[at + 1] !== lineFeed)) {
      if (!isUtf8(block.subarray(from, at))) {
        return count;
      }
      from = at + 1;
      count++;
    }
  }
  return count;
}
