/** The beginning of a formula in a cell, as any spreadsheet may see it. It is what CSV and Excel files are made harmless by. */

/** Every character that some reader takes for the end of a line, as in a class of a pattern. */
export const lineBreaks = '\\n\\v\\f\\r\\u0085\\u2028\\u2029';

/** With these a formula begins: `=`, `+`, `-`, `@`, their full-width and small forms, and the minus sign. */
const starts = '[=+\\-@\\uFF1D\\uFF0B\\uFF0D\\uFF20\\uFE66\\uFE62\\uFE63\\uFE6B\\u2212]';

/** Blanks, quotes, controls and what is not seen do not hold a formula off. */
const unseen = '[\\s"\\p{Cc}\\p{Cf}\\p{Default_Ignorable_Code_Point}\\u2800]';

/**
 * Where a formula begins: at the start of the cell, of a line in it, or behind a semicolon or tab, which many spreadsheets take for the end of a cell. It looks
 * back from the character, and no further than to the one before, so that no text makes it look for long.
 */
const formulaStart = new RegExp(`${starts}(?<=(?:^|[;\\t${lineBreaks}])${unseen}*${starts})`, 'gu');
const cellStart = new RegExp(`^${unseen}*${starts}`, 'u');

/** A tab or a return at the start is what a spreadsheet drops before it reads on. */
const droppedStart = /^[\t\r]/;

/** True if the text as a whole may become a formula once somebody edits its cell. */
export const startsFormula = (text: string): boolean => droppedStart.test(text) || cellStart.test(text);

/** The text with an apostrophe before everything in it that a spreadsheet would take for a formula. */
export function defuseFormulas(text: string): string {
  const defused = text.replace(formulaStart, "'$&");
  return droppedStart.test(defused) ? `'${defused}` : defused;
}
