/** Splits what is written as a list, with commas, semicolons or white space between its words. */
export function splitList(written: string): string[] {
  return written.split(/[\s,;]+/).filter((one) => one !== '');
}
