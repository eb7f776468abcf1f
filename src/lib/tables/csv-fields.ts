/**
 * The fields of one CSV row that may hold quotes (RFC 4180). A text that is written as a formula so that spreadsheets keep its zeros, `="00123"`,
 * is that text. Where rows begin is in csv.ts.
 */
import { unwrapText } from './cell-text.ts';
import { CsvError } from './csv-error.ts';
import { separatorNames } from './csv-separator.ts';

const lineFeed = 10;

/** Place of a row. */
interface RowPlace {
  readonly line: number;
  readonly isLast: boolean;
  readonly separator: number;
}

/** A row that may hold quotes, from `start` on; undefined where its end lies beyond this text. */
export function splitQuoted(
  text: string,
  start: number,
  { line, isLast, separator }: RowPlace,
): { fields: string[]; next: number } | undefined {
  const fields: string[] = [];
  let position = start;
  for (;;) {
    const isFormula = text.charCodeAt(position) === 61 && text.charCodeAt(position + 1) === 34;
    if (isFormula || text.charCodeAt(position) === 34) {
      const field = readQuoted(text, isFormula ? position + 1 : position, line, isLast);
      if (field === undefined) {
        return undefined;
      }
      fields.push(isFormula ? field.value : unwrapText(field.value));
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
export function countLines(text: string, from = 0, to = text.length): number {
  let count = 0;
  for (let at = text.indexOf('\n', from); at >= 0 && at < to; at = text.indexOf('\n', at + 1)) {
    count++;
  }
  return count;
}
