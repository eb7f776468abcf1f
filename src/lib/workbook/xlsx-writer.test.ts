/** Workbooks read back by our own reader and by Python's, whatever the texts are and wherever the writer was stopped. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readXlsx } from '../../../test/support/read-xlsx.ts';
import { showAlone } from '../names/visible-text.ts';
import { type Cell, createWorkbookWriter, emptyWorkbook, type WorkbookState } from './xlsx-writer.ts';

const columns = [{ heading: 'A' }, { heading: '=B' }, { heading: 'C' }];

/** The sheets as XML by Python's standard library, which refuses a bad zip and bad XML: cells as [reference, type, style, text]. */
const python = `
import json, sys, zipfile, xml.etree.ElementTree as E
z = zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None
m = '{http://schemas.openxmlformats.org/spreadsheetml/2006/main}'
for n in z.namelist(): E.fromstring(z.read(n))
def sheet(n):
    r = E.fromstring(z.read(n))
    return {'tags': sorted({e.tag.replace(m, '') for e in r.iter()}), 'cells': [[c.get('r'), c.get('t'), c.get('s'), ''.join(c.itertext())] for c in r.iter(m + 'c')]}
json.dump({'names': z.namelist(), 'sheets': [sheet(n) for n in z.namelist() if 'worksheets' in n]}, sys.stdout)
`;

interface Independent {
  readonly names: string[];
  readonly sheets: { readonly tags: string[]; readonly cells: [string, string | null, string | null, string][] }[];
}

function readWithPython(file: Buffer): Independent {
  const folder = mkdtempSync(join(tmpdir(), 'workbook-'));
  try {
    const path = join(folder, 'book.xlsx');
    writeFileSync(path, file);
    return JSON.parse(execFileSync('python3', ['-c', python, path], { encoding: 'utf8' })) as Independent;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Writes a workbook; the writer is thrown away and made anew from its state after every page where `isStopped`. */
async function write(pages: readonly (readonly Cell[])[][], { isStopped = false, maxRows = 1000 } = {}): Promise<Buffer> {
  const pieces = new Map<number, Buffer>();
  let state: WorkbookState = emptyWorkbook;
  const step = async (act: (writer: ReturnType<typeof createWorkbookWriter>) => Promise<void>): Promise<void> => {
    if (isStopped) {
      // A piece that is written and then lost with the process.
      await act(createWorkbookWriter(async () => undefined, state, maxRows));
    }
    const writer = createWorkbookWriter(async (number, content) => void pieces.set(number, content), state, maxRows);
    await act(writer);
    state = JSON.parse(JSON.stringify(writer.state())) as WorkbookState;
  };
  await step((writer) => writer.openSheet('Decisions', columns, true));
  for (const page of pages) {
    await step((writer) => writer.addRows(page));
  }
  await step((writer) => writer.closeSheet());
  await step((writer) => writer.finish());
  return Buffer.concat([...pieces.entries()].sort(([a], [b]) => a - b).map(([, content]) => content));
}

/** A text as Excel shows it. */
const shown = (text: string): string =>
  showAlone(text)
    .toWellFormed()
    .replace(/[\ufffe\uffff]/g, '\ufffd')
    .replace(/(?![\t\n\r\u007f-\u009f])\p{Cc}/gu, (found) => String.fromCharCode(0x2400 + found.charCodeAt(0)));

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({
    unit: fc.constantFrom(
      '=',
      '+',
      '-',
      '@',
      '\t',
      '\r',
      '\n',
      '_x000D_',
      '_x',
      '&',
      '<',
      ']]>',
      '"',
      "'",
      ' ',
      '\u0000',
      '\ud800',
      '\uffff',
      'é',
    ),
  }),
);
const cell: fc.Arbitrary<Cell> = fc.oneof(
  { weight: 3, arbitrary: text },
  fc.integer({ min: -1e12, max: 1e12 }),
  fc.date({ min: new Date('1950-01-01T00:00:00Z'), max: new Date('2200-01-01T00:00:00Z'), noInvalidDate: true }),
  fc.constant(null),
);
const toText = (one: Cell): string =>
  one === null ? '' : one instanceof Date ? one.toISOString().replace('.000Z', 'Z') : typeof one === 'number' ? String(one) : shown(one);

describe('a workbook', () => {
  it('has every cell as it was given, in sheets of so many rows, the same bytes wherever it was stopped', async () => {
    const pages = fc.array(fc.array(fc.tuple(cell, cell, fc.integer()), { maxLength: 6 }), { maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(pages, async (given) => {
        const file = await write(given, { maxRows: 7 });
        expect((await write(given, { isStopped: true, maxRows: 7 })).equals(file)).toBe(true);
        const rows = given.flat().map((row) => row.map(toText));
        const first = await readXlsx(file, 'Decisions 1', { maxExpansion: 1000 });
        expect(first.sheets).toHaveLength(Math.max(1, Math.ceil(rows.length / 7)));
        const all: string[][] = [];
        for (const name of first.sheets) {
          const { rows: some, faults } = await readXlsx(file, name, { maxExpansion: 1000 });
          expect([some[0], faults]).toEqual([['A', '=B', 'C'], []]);
          all.push(...some.slice(1));
        }
        expect(all).toEqual(rows);
      }),
      { numRuns: 100 },
    );
  });

  it('is a zip of XML for Python, has no formula and no link, and marks what would become a formula', async () => {
    const starts = ['=', '+', '-', '@', '\t', '\r', '\n=', ' =', '＝', '−', '\u200b=', '\u202e='].map(
      (start) => `${start}cmd|'/c calc'!A1`,
    );
    const rows = [...starts, 'plain', 'https://example.com', 'a =1', '_x0041_', '\u0000\u001b]'].map((one) => [one, 'b', 1] as const);
    const { names, sheets } = readWithPython(await write([rows]));
    expect(names.slice(0, 2)).toEqual(['_rels/.rels', 'xl/styles.xml']);
    expect(sheets[0]?.tags).toEqual(
      ['autoFilter', 'c', 'col', 'cols', 'is', 'pane', 'row', 'sheetData', 'sheetView', 'sheetViews', 't', 'v', 'worksheet'].sort(),
    );
    const found = sheets[0]?.cells.filter(([at]) => /^A(?!1$)/.test(at)) ?? [];
    expect(found.map(([, , style]) => style)).toEqual([...starts.map(() => '2'), null, null, null, null, null]);
    expect(found.every(([, type]) => type === 'inlineStr')).toBe(true);
    expect(found.slice(-2).map(([, , , shownText]) => shownText)).toEqual(['_x005F_x0041_', '␀␛]']);
  });

  it('shows a cell without a visible character by its numbers', async () => {
    const file = await write([[['\u3164', '\u200b\u2060', 'A\u200bnna']]]);
    const { rows } = await readXlsx(file, 'Decisions 1', { maxExpansion: 1000 });
    expect(rows[1]).toEqual(['U+3164', 'U+200BU+2060', 'A\u200bnna']);
  });

  it('cuts a text that is longer than a cell, says so, and leaves no half of a character', async () => {
    const { rows } = await readXlsx(await write([[['😀'.repeat(20_000), 'x'.repeat(32_767), 1]]]), '', {
      maxRowBytes: 1e6,
      maxExpansion: 1e4,
    });
    expect(rows[1]?.[0]?.length).toBeLessThanOrEqual(32_767);
    expect(rows[1]?.[0]).toMatch(/^(😀)+… \[cut: the cell is full\]$/u);
    expect(rows[1]?.[1]).toBe('x'.repeat(32_767));
  });

  it('refuses rows without a sheet, and more than fit where it may not go on in another', async () => {
    const writer = createWorkbookWriter(async () => undefined, emptyWorkbook, 2);
    await expect(writer.addRows([['a']])).rejects.toThrow('no sheet is open');
    await writer.openSheet('Summary', [{ heading: 'A' }]);
    await expect(writer.addRows([['a'], ['b'], ['c']])).rejects.toThrow('is full');
  });
});
