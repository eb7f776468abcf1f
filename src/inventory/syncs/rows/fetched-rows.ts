/** The rows of a fetched table as those of a file: from here on both take the same way. */
import { createHash } from 'node:crypto';
import type { FetchedTable } from '../../../lib/tables/fetched-table.ts';
import { fileLimits, refuseFile } from '../values/index.ts';
import type { OpenRows, RowBatch } from './open-rows.ts';

/** The file that fetched rows come from. */
export interface FetchedFile {
  readonly format: 'C1Z';
  /** SHA-256 in hex of its bytes. */
  readonly sha256: string;
}

/** Separates the texts of rows in what is hashed, and is looked for in none of them. */
const [between, behind] = ['\u001f', '\u001e'] as const;
const unplain = /[\\\t\n\r\0]/;

/** Opens the rows of a fetch: their hash is that of the file they come from, or of the rows themselves. */
export function openFetched({ columns, batches }: FetchedTable, file?: FetchedFile): OpenRows {
  const digest = createHash('sha256');
  let sha256 = '';

  async function* read(): AsyncGenerator<RowBatch> {
    let line = 1;
    digest.update(columns.join(between));
    yield { rows: [[...columns]], lines: [line], isPlain: false };
    for await (const batch of batches) {
      const texts = batch.map((row) => row.join(between));
      const lines = texts.map((text) => {
        line++;
        if (text.length * 3 > fileLimits.maxRowBytes && Buffer.byteLength(text) > fileLimits.maxRowBytes) {
          throw refuseFile(`the row is longer than ${fileLimits.maxRowBytes} bytes`, line);
        }
        return line;
      });
      const written = texts.join(behind);
      digest.update(behind + written);
      yield { rows: batch.map((row) => [...row]), lines, isPlain: !unplain.test(written) };
    }
    sha256 = digest.digest('hex');
  }

  return {
    format: file?.format ?? '',
    sheets: [],
    isExact: true,
    form: () => ({ encoding: '', separator: '' }),
    batches: read(),
    sha256: () => (sha256 === '' ? '' : (file?.sha256 ?? sha256)),
    close: () => Promise.resolve(),
  };
}
