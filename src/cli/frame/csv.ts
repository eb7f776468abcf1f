/** Lists as CSV on standard output, row by row as the pages come. */
import type { CommandIo } from './io.ts';

/** A heading, and what stands under it. */
export type CsvColumn<T> = readonly [heading: string, read: (one: T) => string | number | undefined];

/** Prints the headings, then one row for each item of all pages. */
export async function printCsv<T>(
  io: CommandIo,
  pages: AsyncIterable<T> | readonly T[],
  columns: readonly CsvColumn<T>[],
): Promise<undefined> {
  // Loaded here alone: the other commands of a group start without it.
  const { writeCsv } = await import('../../lib/tables/csv-form.ts');
  io.stdout.write(writeCsv([columns.map(([heading]) => heading)]));
  for await (const one of pages) {
    io.stdout.write(writeCsv([columns.map(([, read]) => read(one) ?? '')]));
  }
  return undefined;
}
