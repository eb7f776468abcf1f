/** Characters that make a text look like something else: those that end lines, move the cursor, or turn the direction of writing. */

const controls = /[\p{Cc}\u2028\u2029]/u;
const turns = /[\u202A-\u202E\u2066-\u2069]/u;

/** True if a text of one line, such as a name, has a character that is no part of it. */
export function hasHiddenControl(text: string): boolean {
  return controls.test(text) || turns.test(text);
}

/** Returns the text with a mark in the place of each such character; line feeds stay where `keepsLines` says so. */
export function toVisible(text: string, keepsLines = false): string {
  return hasHiddenControl(text)
    ? text.replace(/[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]/gu, (one) =>
        keepsLines && (one === '\n' || one === '\t') ? one : '\uFFFD',
      )
    : text;
}

const writeNumber = (char: string): string => `U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

/** Most characters of a name without a visible one that are written by their numbers. */
const mostNumbers = 4;

/** True for a text of characters of which none is seen, such as a Hangul filler alone: more than plain spaces. */
export function hasNothingToSee(text: string): boolean {
  return unseenAlone.test(text) && /[^\0-\x7f]/.test(text);
}

const unseenAlone = /^[\p{Default_Ignorable_Code_Point}\p{White_Space}\p{Cc}\p{Cf}\u2800]*$/u;

/**
 * A text with each character that nobody sees, and that no language is written with, written by its number. Of one without a visible character all are,
 * so that there is something to see and to press.
 */
export function showHidden(text: string): string {
  if (hasNothingToSee(text)) {
    const chars = [...text];
    return `${chars.slice(0, mostNumbers).map(writeNumber).join('')}${chars.length > mostNumbers ? '…' : ''}`;
  }
  return text.replace(/[\u00AD\u200B\u2060\uFEFF]/g, writeNumber);
}

/** A text as a file has it: as it is, but by its numbers where it has no visible character, so that a reader sees that something stands there. */
export function showAlone(text: string): string {
  return hasNothingToSee(text) ? showHidden(text) : text;
}

/** A name in quotes, with whatever nobody sees in it, and every white space that is no plain one, written by its number: `U+200B`. */
export function quoteName(name: string): string {
  return `"${name.replace(/[\p{Default_Ignorable_Code_Point}\p{Cc}]|(?! )\p{White_Space}/gu, writeNumber)}"`;
}

/** A message with whatever nobody sees in the names that it quotes written by its number; its own lines stay lines. */
export function showUnseen(message: string): string {
  // Most messages are plain.
  return /^[\n -~]*$/.test(message)
    ? message
    : message.replace(/\p{Default_Ignorable_Code_Point}|(?![ \n\r\t])\p{White_Space}/gu, writeNumber);
}

/** A value as JSON in which such characters are written by their numbers, so that a terminal that shows it does nothing and a program reads the same. */
export function toVisibleJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(
    /[\u007F-\u009F\u2028\u2029\u202A-\u202E\u2066-\u2069]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
