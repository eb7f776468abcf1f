/** Names from outside, with what nobody sees in them written by its number. */

const writeNumber = (char: string): string => `U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

/** A name in quotes, with whatever nobody sees in it, and every white space that is no plain one, written by its number: `U+200B`. */
export function quoteName(name: string): string {
  return `"${name.replace(/[\p{Default_Ignorable_Code_Point}\p{Cc}]|(?! )\p{White_Space}/gu, writeNumber)}"`;
}

/** A name with each character that nobody sees, and that no language is written with, written by its number. */
export function showHidden(name: string): string {
  return name.replace(/[\u00AD\u200B\u2060\uFEFF]/g, writeNumber);
}
