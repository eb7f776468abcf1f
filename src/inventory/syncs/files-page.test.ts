/** The examples of docs/files.md: each file is read, and what the page says of each of its lines is what becomes of it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bodyOf } from '../../../test/support/inventory.ts';
import { grantRows } from './rows/grant-rows.ts';
import { readFile } from './rows/read-file.ts';
import { RefusedFile } from './values/notes.ts';

const page = readFileSync(join(import.meta.dirname, '../../../docs/files.md'), 'utf8');
const examples = [...page.matchAll(/^## (.+)$|^```csv\n([\s\S]*?)^```\n\n```text\n([\s\S]*?)^```$/gm)].reduce<
  { title: string; file: string; told: string }[]
>((found, [, title, file = '', told = '']) => {
  found.push(title === undefined ? { title: found.at(-1)?.title ?? '', file, told } : { title, file: '', told: '' });
  return found;
}, []);

/** What becomes of each line of a file. */
async function tell(text: string): Promise<string> {
  const lines: [line: number, said: string][] = [];
  try {
    const file = await readFile({ body: bodyOf(text), encoding: '' }, grantRows, { defaults: { resource: 'App' } });
    const pieces: Buffer[] = [];
    for await (const piece of file.spool.read()) {
      pieces.push(piece);
    }
    await file.spool.close();
    for (const row of Buffer.concat(pieces).toString().split('\n').slice(0, -1)) {
      const cells = row.split('\t');
      const times = [cells[8], cells[9]].filter((time) => time !== '\\N');
      lines.push([Number(cells[0]), `row ${[cells[1], cells[6], cells[7], ...times].join(' | ')}`]);
    }
    for (const { line, reason } of file.howRead.skipped ?? []) {
      lines.push([line, `skipped: ${reason}`]);
    }
    for (const { line, column, reason } of file.errors.list().first) {
      lines.push([line, `refused, ${column === '' ? '' : `${column}: `}${reason}`]);
    }
  } catch (error) {
    if (!(error instanceof RefusedFile)) {
      throw error;
    }
    return `${error.refusal.message}\n`;
  }
  return lines
    .sort(([a], [b]) => a - b)
    .map(([line, said]) => `line ${line}: ${said}\n`)
    .join('');
}

describe('the page of files', () => {
  const shown = examples.filter(({ file }) => file !== '');

  it('has examples', () => {
    expect(shown.length).toBeGreaterThan(7);
  });

  it.each(shown)('is right: $title', async ({ file, told }) => {
    const said = await tell(file);
    // A long refusal may be cut.
    expect(told.endsWith(' ...\n') ? `${said.slice(0, told.length - 5)} ...\n` : said).toBe(told);
  });
});
