/** Finds the separator of a CSV text's columns from its first rows. Splitting is in csv.ts. */

import { CsvError } from './csv-error.ts';

const doubleQuote = 34;
const carriageReturn = 13;
const lineFeed = 10;
const comma = 44;
/** Separators of columns, by character code; what is looked for first stands first. */
export const separatorNames: ReadonlyMap<number, string> = new Map([
  [comma, 'comma'],
  [9, 'tab'],
  [59, 'semicolon'],
  [124, 'bar'],
]);

/**
 * Reads the first line where it says what separates, as Excel has it: `sep=;`, in quotes where another program saved it again. Excel does not count it
 * among the rows. Undefined where there is none; a CsvError for a separator that is not read.
 */
export function readHint(text: string, line: number): { readonly separator: number; readonly length: number } | undefined {
  const found = /^(?:sep=([^\r\n"])|"sep=([^\r\n"])")[,;\t|]*\r?(?:\n|$)/i.exec(text);
  const named = found?.[1] ?? found?.[2];
  if (found === null || named === undefined) {
    return undefined;
  }
  const separator = named.charCodeAt(0);
  if (!separatorNames.has(separator)) {
    throw new CsvError(
      line,
      `the file says that ${JSON.stringify(named)} separates its columns; save it with commas, tabs, semicolons or bars between them`,
    );
  }
  return { separator, length: found[0].length };
}

/** Rows looked at: a title has a few lines, and what stands under it shows what separates. */
const rowsSeen = 30;

/** Count of each separator in one row outside of quotes; none for a row of nothing but separators, which shows nothing. */
type RowCounts = ReadonlyMap<number, number>;

/**
 * Separator of the columns: a comma where the first row has one outside of quotes, else a tab, a semicolon, a bar; a comma where there is but one
 * column. Where the first row is a title, having fewer columns than the rows after it that agree with each other, these decide. Undefined where the
 * first row ends beyond this text.
 */
export function findSeparator(text: string, isLast: boolean): number | undefined {
  const rows = countSeparators(text, isLast);
  const [first, ...others] = rows;
  if (first === undefined) {
    return isLast ? comma : undefined;
  }
  const usual = [...separatorNames.keys()].find((one) => (first.get(one) ?? 0) > 0);
  const telling = others.filter((row) => row.size > 0);
  const isAlone = usual === undefined || telling.every((row) => row.get(usual) === undefined);
  const best = findAgreed(telling, isAlone ? nearlyNothing : usualTable);
  if (best === undefined || usual === best.separator) {
    return usual ?? comma;
  }
  // The rows after the first agree on another one, which the first has less of: it is a title, in which commas are punctuation.
  const agreeing = others.filter((row) => usual !== undefined && row.get(usual) === first.get(usual));
  return agreeing.length * 2 >= others.length || (first.get(best.separator) ?? 0) >= best.count ? (usual ?? comma) : best.separator;
}

/** What it takes to speak against the first row: so many rows, each with so many of one separator. */
interface Agreement {
  readonly rows: number;
  readonly count: number;
}
const usualTable: Agreement = { rows: 3, count: 2 };
/** Where the first row has no separator, or one that no other row has, a header and a row of two columns are enough. */
const nearlyNothing: Agreement = { rows: 2, count: 1 };

/** The separator that at least half of these rows have equally often, if these are rows enough. */
function findAgreed(rows: readonly RowCounts[], least: Agreement): { readonly separator: number; readonly count: number } | undefined {
  let best: { separator: number; count: number; rows: number } | undefined;
  for (const separator of separatorNames.keys()) {
    const byCount = Map.groupBy(rows, (row) => row.get(separator) ?? 0);
    for (const [count, same] of byCount) {
      const isEnough = count >= least.count && same.length >= least.rows && same.length * 2 >= rows.length;
      if (isEnough && (best === undefined || same.length > best.rows)) {
        best = { separator, count, rows: same.length };
      }
    }
  }
  return best;
}

/** The separators of the first rows of a text that hold anything; none where the first does not end within it. */
function countSeparators(text: string, isLast: boolean): RowCounts[] {
  const rows: RowCounts[] = [];
  let row = new Map<number, number>();
  let isQuoted = false;
  let hasText = false;
  let hasValue = false;
  const endRow = () => {
    // Empty lines of a table say nothing against its header, which always counts.
    rows.push(hasValue || rows.length === 0 ? row : new Map());
    row = new Map();
    hasText = false;
    hasValue = false;
  };
  for (let position = 0; position < text.length && rows.length < rowsSeen; position++) {
    const code = text.charCodeAt(position);
    if (code === lineFeed && !isQuoted) {
      if (hasText) {
        endRow();
      }
      continue;
    }
    if (code === doubleQuote) {
      isQuoted = !isQuoted;
    } else if (!isQuoted && separatorNames.has(code)) {
      row.set(code, (row.get(code) ?? 0) + 1);
    }
    hasText ||= code !== carriageReturn;
    hasValue ||= code !== carriageReturn && !separatorNames.has(code);
  }
  if (isLast && hasText && rows.length < rowsSeen) {
    endRow();
  }
  return rows;
}
