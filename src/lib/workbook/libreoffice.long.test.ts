/** Workbooks opened by LibreOffice, where it is installed: every cell of every sheet is what was written. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createWorkbookWriter } from './xlsx-writer.ts';

const hasLibreOffice = spawnSync('soffice', ['--version']).status === 0;
const columns = [{ heading: 'Text' }, { heading: '=Other' }, { heading: 'Number' }, { heading: 'Time' }];

/** Text that a person may have typed, and what tries to be a formula. */
const anyText = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 40 }).filter((text) => !/[\p{Cc}\ufffe\uffff]/u.test(text)),
  fc.constantFrom(
    '=1+1',
    '+49 30',
    '-1',
    '@SUM(A1)',
    '=HYPERLINK("http://x.example","y")',
    "'quoted",
    '_x0041_',
    '007',
    '1e5',
    'TRUE',
    '2026-01-01',
    ' blank ',
  ),
);
const anyTime = fc.date({ min: new Date('1990-01-01'), max: new Date('2090-01-01'), noInvalidDate: true });
const wholeSecond = anyTime.map((time) => new Date(Math.floor(time.getTime() / 1000) * 1000));
const anyRow = fc.tuple(anyText, anyText, fc.integer({ min: -1e9, max: 1e9 }), fc.oneof(anyTime, wholeSecond));

/** The sheets as LibreOffice reads them: it writes a CSV file of each, with the texts that it shows. */
function readSheets(file: Buffer, names: readonly string[]): string[][][] {
  const folder = mkdtempSync(join(tmpdir(), 'libreoffice-'));
  try {
    writeFileSync(join(folder, 'book.xlsx'), file);
    const form = 'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false,false,false,-1';
    const home = `-env:UserInstallation=file://${join(folder, 'home')}`;
    execFileSync('soffice', [home, '--headless', '--convert-to', form, '--outdir', folder, join(folder, 'book.xlsx')], { stdio: 'pipe' });
    return names.map(
      (name) => parse(readFileSync(join(folder, `book-${name}.csv`)), { bom: true, relax_column_count: true }) as unknown as string[][],
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A row as LibreOffice shows it: parts of a second are cut off, or rounded where hardly anything is missing; whole seconds stay. */
function shown([text, other, count, time]: readonly [string, string, number, Date], found: readonly string[] | undefined): string[] {
  const second = (at: number): string => new Date(at).toISOString().slice(0, 19).replace('T', ' ');
  const rounded = second(time.getTime() + 50);
  return [text, other, String(count), found?.[3] === rounded ? rounded : second(time.getTime())];
}

describe('LibreOffice', () => {
  it.runIf(hasLibreOffice)('opens a workbook without repair, and finds every cell as it was written', { timeout: 300_000 }, async () => {
    const rows = fc.sample(anyRow, { numRuns: 3_000, seed: 19 });
    const pieces = new Map<number, Buffer>();
    const writer = createWorkbookWriter(async (number, content) => void pieces.set(number, content), undefined, 1_300);
    await writer.openSheet('Summary', columns);
    await writer.addRows(rows.slice(0, 50));
    await writer.closeSheet();
    await writer.openSheet('Decisions', columns, true);
    await writer.addRows(rows);
    await writer.closeSheet();
    await writer.finish();
    const file = Buffer.concat([...pieces.entries()].sort(([a], [b]) => a - b).map(([, content]) => content));
    const [summary, ...parts] = readSheets(file, ['Summary', 'Decisions 1', 'Decisions 2', 'Decisions 3']);
    const headings = columns.map(({ heading }) => heading);
    expect(summary).toEqual([headings, ...rows.slice(0, 50).map((row, at) => shown(row, summary?.[at + 1]))]);
    expect(parts.map(([head]) => head)).toEqual([headings, headings, headings]);
    const found = parts.flatMap((part) => part.slice(1));
    expect(found).toEqual(rows.map((row, at) => shown(row, found[at])));
  });
});
