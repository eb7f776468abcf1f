/** The values of a text in which commas stand between them: trimmed, each once, none of them empty. */
export function readValues(written: string): string[] {
  return [
    ...new Set(
      written
        .split(',')
        .map((one) => one.trim())
        .filter((one) => one !== ''),
    ),
  ];
}
