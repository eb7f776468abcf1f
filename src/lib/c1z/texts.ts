/** Values of a database that anybody may have made, as texts that PostgreSQL takes. */
import { C1zError } from './c1z-error.ts';

/** Most characters of all the texts of one row, as files have it. */
const maxRowLength = 64 * 1024;

/** A text of a column, '' for anything else. */
export function textIn(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** A text without the character that PostgreSQL does not take. */
export function cleanText(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '\ufffd') : text;
}

/** The texts of a row, cleaned. Throws a C1zError where they are longer than a row may be. */
export function cleanRow(texts: readonly string[], what: string): string[] {
  let length = 0;
  const row = texts.map((text) => {
    length += text.length;
    return cleanText(text);
  });
  if (length > maxRowLength) {
    throw new C1zError(`${what} has more than ${maxRowLength} characters of text`);
  }
  return row;
}

/** Reads a blob. Throws a C1zError where it is none, or broken. */
export function readBlob<T>(read: (data: Uint8Array) => T, data: unknown, what: string): T {
  if (!(data instanceof Uint8Array)) {
    throw new C1zError(`${what} in the file has no data`);
  }
  try {
    return read(data);
  } catch (error) {
    throw new C1zError(`${what} in the file cannot be read`, { cause: error });
  }
}
