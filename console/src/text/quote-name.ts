/** A name in quotes, with whatever nobody sees in it, and every white space that is no plain one, written by its number: `U+200B`. */
export function quoteName(name: string): string {
  const seen = name.replace(
    /[\p{Default_Ignorable_Code_Point}\p{Cc}]|(?! )\p{White_Space}/gu,
    (char) => `U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`,
  );
  return `"${seen}"`;
}
