/** CSV: the same rows as csv-parse reads, however the text is cut into pieces; and what is refused, with its line. */
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CsvError, readCsv } from './csv.ts';

const limits = { maxRowBytes: 64 * 1024, batchBytes: 1 };

async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) {
    yield bytes.subarray(at, at + size);
  }
}

async function read(text: string | Buffer, size = 7, own = limits): Promise<{ rows: string[][]; lines: number[] }> {
  const rows: string[][] = [];
  const lines: number[] = [];
  for await (const batch of readCsv(inPieces(Buffer.from(text), size), own)) {
    rows.push(...batch.rows);
    lines.push(...batch.lines);
  }
  return { rows, lines };
}

async function refusal(text: string | Buffer, own = limits, size = 7): Promise<{ line: number; message: string }> {
  const error = await read(text, size, own).then(
    () => undefined,
    (caught: unknown) => caught,
  );
  expect(error).toBeInstanceOf(CsvError);
  return { line: (error as CsvError).line, message: (error as CsvError).message };
}

describe('readCsv', () => {
  it('reads what csv-parse reads, in pieces of any size', async () => {
    const field = fc.oneof(
      fc.string({ unit: fc.constantFrom('a', 'é', '漢', '😀', ' ', '\\', '\t', ';', "'"), maxLength: 6 }),
      fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r\n', 'ü'), maxLength: 6 }),
    );
    const written = (value: string, isQuoted: boolean) => (isQuoted || /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);
    const cell = fc.tuple(field, fc.boolean()).map(([value, isQuoted]) => written(value, isQuoted));
    const row = fc
      .tuple(fc.array(cell, { minLength: 1, maxLength: 4 }), fc.constantFrom('\n', '\r\n'))
      .map(([cells, end]) => cells.join(',') + end);
    const text = fc
      .tuple(fc.boolean(), fc.array(row, { maxLength: 8 }), fc.boolean())
      // Semicolons and tabs are text here; csv-separators.test.ts has how a separator is found.
      .map(
        ([hasMark, rows, endsOpen]) => `${hasMark ? '\uFEFF' : ''}g,h\n${endsOpen ? rows.join('').replace(/\r?\n$/, '') : rows.join('')}`,
      );
    await fc.assert(
      fc.asyncProperty(text, fc.integer({ min: 1, max: 40 }), fc.constantFrom(1, 16, 1000), async (csv, size, batchBytes) => {
        const expected = parse(csv, { bom: true, relax_column_count: true, skip_empty_lines: true, record_delimiter: ['\r\n', '\n'] });
        const said = csv.startsWith('\uFEFF') ? `\uFEFFsep=,\n${csv.slice(1)}` : `sep=,\n${csv}`;
        expect((await read(said, size, { ...limits, batchBytes })).rows).toEqual(expected);
      }),
      { numRuns: 500 },
    );
  });

  it('says on which line each row begins', async () => {
    expect(await read('a,b\n\n"x\ny",1\r\n\r\nz,2')).toEqual({
      rows: [
        ['a', 'b'],
        ['x\ny', '1'],
        ['z', '2'],
      ],
      lines: [1, 3, 6],
    });
  });

  it.each([
    ['invalid UTF-8', Buffer.from([0x61, 0x0a, 0x62, 0xff, 0x0a]), 2, 'not UTF-8'],
    ['UTF-8 cut off at the end', Buffer.from([0x61, 0x0a, 0xc3]), 2, 'not UTF-8'],
    ['U+0000', 'a\nb\nc\0d\n', 3, 'U+0000'],
    ['a quote inside a bare field', 'a\nb"c,d\n', 2, 'not quoted'],
    ['text behind a closing quote', 'a\n"b"c,d\n', 2, 'closing quote'],
    ['a quote that is never closed', 'a\n"b\nc\n', 2, 'never closed'],
  ])('refuses %s', async (_name, text, line, message) => {
    const told = await refusal(text);
    expect(told.line).toBe(line);
    expect(told.message).toContain(message);
  });

  it.each([
    ['bare', `a\n${'b'.repeat(101)}\nc\n`],
    ['bare and last', `a\n${'b'.repeat(101)}`],
    ['quoted', `a\n"${'b\n'.repeat(60)}"\nc\n`],
    ['quoted and never closed', `a\n"${'b\n'.repeat(600)}`],
    ['without any line end', `a\n${'b'.repeat(100_000)}`],
  ])('refuses a long row: %s', async (_name, text) => {
    expect(await refusal(text, { maxRowBytes: 100, batchBytes: 50 })).toEqual({ line: 2, message: 'the row is longer than 100 bytes' });
  });

  it('takes a row that is just short enough', async () => {
    const { rows } = await read(`${'é'.repeat(50)}\nb`, 7, { maxRowBytes: 100, batchBytes: 50 });
    expect(rows).toEqual([['é'.repeat(50)], ['b']]);
  });
});
