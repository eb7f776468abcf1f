/** Reading Excel files in tests of the reader: all rows of a sheet with their lines and faults, or why the file is refused. */
import { randomUUID } from 'node:crypto';
import { open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CellFault } from '../../src/lib/tables/xlsx-sheet.ts';
import { openXlsx, type ScratchFile, XlsxError, ZipError } from '../../src/lib/tables/xlsx.ts';

/** Limits of a test that says nothing else. */
export const limits = { maxBytes: 1e9, maxExpansion: 100, maxParts: 100, maxRowBytes: 65_536, maxTexts: 100_000, batchBytes: 100 };

/** Content of a sheet. */
export interface ReadSheet {
  readonly sheets: readonly string[];
  readonly rows: string[][];
  readonly lines: number[];
  readonly faults: string[];
  /** Cells that are no id that somebody typed. */
  readonly doubts: string[];
}

async function withFile<T>(work: (file: ScratchFile) => Promise<T>): Promise<T> {
  const path = join(tmpdir(), `xlsx-test-${randomUUID()}`);
  const file = await open(path, 'wx+');
  await unlink(path);
  let size = 0;
  try {
    return await work({
      fd: file.fd,
      async append(bytes) {
        await file.write(bytes, 0, bytes.length, size);
        size += bytes.length;
      },
    });
  } finally {
    await file.close();
  }
}

/** All rows of a sheet, the first where none is named. */
export function readXlsx(bytes: Buffer, sheet = '', own: Partial<typeof limits> = {}): Promise<ReadSheet> {
  return withFile(async (file) => {
    await file.append(bytes);
    return withFile(async (scratch) => {
      const book = await openXlsx(file.fd, bytes.length, { ...limits, ...own });
      const all: ReadSheet = { sheets: book.sheets, rows: [], lines: [], faults: [], doubts: [] };
      for await (const batch of book.rows(sheet, scratch)) {
        const tell = ({ index, column, reason }: CellFault): string => `${batch.lines[index]}/${column}: ${reason}`;
        all.faults.push(...batch.faults.map(tell));
        all.doubts.push(...batch.doubts.map(tell));
        all.rows.push(...batch.rows);
        all.lines.push(...batch.lines);
      }
      return all;
    });
  });
}

/** Refusal of a file as an error of the file; any other error is thrown. */
export const refusalOfXlsx = (bytes: Buffer, own: Partial<typeof limits> = {}): Promise<string> =>
  readXlsx(bytes, '', own).then(
    () => 'nothing was refused',
    (error: unknown) => (error instanceof XlsxError || error instanceof ZipError ? error.message : Promise.reject(error)),
  );
