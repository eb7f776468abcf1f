/** The words of a text: what stands between white space. */
export function splitWords(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}
