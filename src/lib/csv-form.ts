/** How CSV is written (RFC 4180), wherever it is. */

/** Cells that a spreadsheet would take for a formula are prefixed with an apostrophe. */
export const csvForm = { record_delimiter: 'windows', escape_formulas: true } as const;
