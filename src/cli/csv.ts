/** Lists as CSV on standard output, row by row as the pages come. */
import { csvForm } from '../lib/csv-form.ts';
import type { CommandIo } from './io.ts';

/** A heading, and what stands under it. */
export type CsvColumn<T> = readonly [heading: string, read: (one: T) => string | number | undefined];

/** Prints the headings, then one row for each item of all pages. */
export async function printCsv<T>(io: CommandIo, pages: AsyncIterable<T>, columns: readonly CsvColumn<T>[]): Promise<void> {
  // Loaded here alone: the other commands of a group start without it.
  const { stringify } = await import('csv-stringify/sync');
  io.stdout.write(stringify([columns.map(([heading]) => heading)], csvForm));
  for await (const one of pages) {
    io.stdout.write(stringify([columns.map(([, read]) => String(read(one) ?? ''))], csvForm));
  }
}
