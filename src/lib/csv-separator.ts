/**
 * What stands between the columns of a CSV text, found from its first row. Splitting is in csv.ts.
 */

const doubleQuote = 34;
const carriageReturn = 13;
const lineFeed = 10;
const comma = 44;
/** What may separate columns, by its character code; what is looked for first stands first. */
export const separatorNames: ReadonlyMap<number, string> = new Map([
  [comma, 'comma'],
  [9, 'tab'],
  [59, 'semicolon'],
]);

/**
 * What separates the columns: a comma where the first row has one outside of quotes, else a tab, else a semicolon; a comma where there is but one
 * column. Undefined where the row ends beyond this text.
 */
export function findSeparator(text: string, isLast: boolean): number | undefined {
  const found = new Set<number>();
  let isOver = isLast;
  let isQuoted = false;
  let hasText = false;
  for (let position = 0; position < text.length; position++) {
    const code = text.charCodeAt(position);
    if (code === lineFeed && hasText && !isQuoted) {
      isOver = true;
      break;
    }
    if (code === doubleQuote) {
      isQuoted = !isQuoted;
    } else if (!isQuoted) {
      found.add(code);
    }
    hasText ||= code !== lineFeed && code !== carriageReturn;
  }
  return isOver ? ([...separatorNames.keys()].find((one) => found.has(one)) ?? comma) : undefined;
}
