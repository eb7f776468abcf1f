/** For tests of exports: the rows of a file as an import reads them, without a database. */
import { grantRows } from '../../src/inventory/syncs/rows/grant-rows.ts';
import { peopleRows } from '../../src/inventory/syncs/rows/people-rows.ts';
import { readFile } from '../../src/inventory/syncs/rows/read-file.ts';
import type { Mapping } from '../../src/inventory/syncs/values/mapping.ts';
import { RefusedFile } from '../../src/inventory/syncs/values/notes.ts';
import { bodyOf } from './inventory.ts';

/** The cells of each row that was read, as many as are looked at; or what was refused. */
export async function readLines(
  kind: 'grants' | 'people',
  lines: readonly string[],
  cells: readonly number[],
  asked: Mapping = {},
): Promise<string[]> {
  const format = kind === 'grants' ? grantRows : peopleRows;
  try {
    const file = await readFile({ body: bodyOf(Buffer.from(lines.join('\n'))), encoding: '' }, format as typeof grantRows, {
      defaults: { resource: 'App' },
      asked,
    });
    const pieces: Buffer[] = [];
    for await (const piece of file.spool.read()) {
      pieces.push(piece);
    }
    await file.spool.close();
    const rows = Buffer.concat(pieces).toString().split('\n').slice(0, -1);
    const told = file.errors.list().first.map(({ line, column }) => `line ${line}, ${column}: refused`);
    return [...rows.map((row) => cells.map((at) => row.split('\t')[at]).join(' | ')), ...told];
  } catch (error) {
    if (!(error instanceof RefusedFile)) {
      throw error;
    }
    return [error.refusal.message];
  }
}
