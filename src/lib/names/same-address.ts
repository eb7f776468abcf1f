/** Which mail addresses are one. Pure. */

/** True if two addresses are one: they differ at most in the case of A to Z. A letter that merely looks like another one makes another address. */
export function isSameAddress(left: string, right: string): boolean {
  const fold = (text: string): string => text.trim().replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  return fold(left) === fold(right);
}
