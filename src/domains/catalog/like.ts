/**
 * Text that a client searches for, as a parameter of ILIKE.
 */

/** A pattern that finds the text anywhere, its own wildcards taken literally. */
export function escapeLike(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}
