/** CSV as it is written: rows in are rows out in another reader, and nothing in them runs in a spreadsheet. */
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { showAlone } from '../names/visible-text.ts';
import { readCsv } from './csv.ts';
import { writeCsv } from './csv-form.ts';
import { defuseFormulas } from './formulas.ts';

const pieces = [
  'a',
  'é',
  ' ',
  '=',
  '+',
  '-',
  '@',
  '＝',
  "'",
  '"',
  ',',
  ';',
  '\t',
  '|',
  '\n',
  '\r',
  '\r\n',
  '\u0085',
  '\u2028',
  '\u2029',
  '\v',
  '\f',
  '\\',
  '−',
  '﹦',
  '\u0001',
  '\u00ad',
  '\u200b',
  '\u202e',
  '\u2066',
  '\u2800',
  '\ufeff',
  '\u3164',
  '\0',
  '\ud800',
  '\udfff',
  '😀',
];
const cell = fc.string({ unit: fc.constantFrom(...pieces), maxLength: 8 });
const table = fc
  .integer({ min: 1, max: 4 })
  .chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 4 }));

const bare = (text: string): string => text.replaceAll("'", '');

const isFormula = (text: string): boolean => /^[\s"\p{Cc}\p{Cf}\u2800]*[=+\-@＝−﹦]/u.test(text);

/** The cells as a spreadsheet finds them that never refuses: a quote opens at the start of a cell alone, and what stands behind its end belongs to it. */
function readLoosely(text: string, separator: string): string[] {
  const cells: string[] = [];
  for (let at = 0; at < text.length; at += 1) {
    let cell = '';
    if (text[at] === '"') {
      for (at += 1; at < text.length && (text[at] !== '"' || text[at + 1] === '"'); at += 1) {
        cell += text[at];
        at += text[at] === '"' ? 1 : 0;
      }
      at += 1;
    }
    for (; at < text.length && text[at] !== separator && !/[\n\r]/.test(text[at] ?? ''); at += 1) {
      cell += text[at];
    }
    cells.push(cell);
  }
  return cells;
}

async function readBack(text: string): Promise<string[][]> {
  const rows: string[][] = [];
  const source = (async function* () {
    yield Buffer.from(text);
  })();
  for await (const batch of readCsv(source, { maxRowBytes: 64 * 1024, batchBytes: 1024 })) {
    rows.push(...batch.rows);
  }
  return rows;
}

describe('writeCsv', () => {
  it('writes as many rows and cells as it was given, whatever they hold', () => {
    fc.assert(
      fc.property(table, (rows) => {
        const back = parse(writeCsv(rows), { record_delimiter: ['\r\n', '\n', '\r'], relax_column_count: true }) as unknown as string[][];
        expect(back.map((row) => row.map(bare))).toEqual(rows.map((row) => row.map((one) => bare(showAlone(one).toWellFormed()))));
      }),
    );
  });
  it('writes 10,000 texts that another reader finds as they were, with formulas made harmless, and as bytes too', () => {
    let texts = 0;
    const wanted = (text: string): string => defuseFormulas(showAlone(text)).toWellFormed();
    fc.assert(
      fc.property(table, (rows) => {
        texts += rows.flat().length;
        const bytes = Buffer.from(writeCsv(rows), 'utf8');
        const back = parse(bytes, { record_delimiter: '\r\n', bom: false }) as unknown as string[][];
        expect(back).toEqual(rows.map((row) => row.map(wanted)));
      }),
      { numRuns: 2_500 },
    );
    expect(texts).toBeGreaterThan(10_000);
  });
  it('leaves no formula at the beginning of a cell, a line or what a semicolon parts', () => {
    fc.assert(
      fc.property(table, (rows) => {
        const begins = (parse(writeCsv(rows)) as unknown as string[][])
          .flat()
          .flatMap((text) => text.split(/[\n\r\v\f\u0085\u2028\u2029;\t]/));
        expect(begins.filter(isFormula)).toEqual([]);
      }),
    );
  });
  it.each(['\n', '\r', '\r\n', '\u2028', '\u0085', '\v'])('keeps a comment with a line break in its row (%j)', async (lineBreak) => {
    const text = writeCsv([
      ['Task', 'Comment'],
      ['7', `x${lineBreak}=cmd|'/C calc'!A0`],
      ['8', `y${lineBreak}9;Certified;-1`],
    ]);
    const wanted = [
      ['Task', 'Comment'],
      ['7', `x${lineBreak}'=cmd|'/C calc'!A0`],
      ['8', `y${lineBreak}9;Certified;'-1`],
    ];
    expect(parse(text)).toEqual(wanted);
    expect(await readBack(text)).toEqual(wanted);
    expect(text).toContain(`"x${lineBreak}'=cmd`);
  });
  it.each(['\t', ';', ','])('leaves none either where a spreadsheet opens it with %j between the cells', (separator) => {
    fc.assert(
      fc.property(table, (rows) => {
        expect(readLoosely(writeCsv(rows), separator).filter(isFormula)).toEqual([]);
      }),
    );
  });
  it('takes no longer for a text of line breaks alone', () => {
    const comment = `${'\n'.repeat(150_000)}x`;
    expect(writeCsv([[comment, '=1']])).toBe(`"${comment}",'=1\r\n`);
  }, 10_000);
  it('shows a cell without a visible character by its numbers, and leaves what else nobody sees as it is', () => {
    expect(writeCsv([['\u3164', '\u200b\u2060', ' ', 'A\u200bnna']])).toBe('U+3164,U+200BU+2060, ,A\u200bnna\r\n');
  });
  it('keeps rows of one empty cell, and numbers as they are', () => {
    expect(writeCsv([['Note'], [''], ['x']])).toBe('Note\r\n""\r\nx\r\n');
    expect(writeCsv([['a', -5]])).toBe('a,-5\r\n');
  });
});
