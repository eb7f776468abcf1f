/** Line ends, first lines that name the separator, and texts written as formulas: the same rows whatever program wrote the file. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CsvError, readCsv } from './csv.ts';

async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) {
    yield bytes.subarray(at, at + size);
  }
}

async function read(text: string, size = 7, batchBytes = 1): Promise<{ rows: string[][]; lines: number[] }> {
  const found: { rows: string[][]; lines: number[] } = { rows: [], lines: [] };
  for await (const batch of readCsv(inPieces(Buffer.from(text), size), { maxRowBytes: 1000, batchBytes })) {
    found.rows.push(...batch.rows);
    found.lines.push(...batch.lines);
  }
  return found;
}

describe('line ends', () => {
  it('are LF, CRLF and CR alone, mixed or not, and nothing else; inside of quotes they are text', async () => {
    const bare = fc.string({
      unit: fc.constantFrom('a', 'é', '漢', ' ', '\u0085', '\u2028', '\u2029', '\v', '\f'),
      minLength: 1,
      maxLength: 5,
    });
    const quoted = fc.string({ unit: fc.constantFrom('a', '\r', '\n', '\r\n', ',', '"', 'ü'), maxLength: 5 });
    const cell = fc.oneof(
      bare.map((value) => ({ value, text: value })),
      quoted.map((value) => ({ value, text: `"${value.replaceAll('"', '""')}"` })),
    );
    const rows = fc.array(fc.tuple(cell, cell, fc.constantFrom('\n', '\r\n', '\r')), { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(
        rows,
        fc.boolean(),
        fc.integer({ min: 1, max: 40 }),
        fc.constantFrom(1, 30, 1000),
        async (all, isOpen, size, batch) => {
          const text = `sep=,\n${all.map(([a, b, end]) => `${a.text},${b.text}${end}`).join('')}`;
          const { rows: found, lines } = await read(isOpen ? text.replace(/[\r\n]+$/, '') : text, size, batch);
          expect(found).toEqual(all.map(([a, b]) => [a.value, b.value]));
          // An end of two characters counts once, wherever the pieces are cut.
          const isSimple = all.every(([a, b]) => !/[\r\n]/.test(a.value + b.value));
          expect(isSimple ? lines : []).toEqual(isSimple ? all.map((_, at) => at + 2) : []);
        },
      ),
      { numRuns: 1000 },
    );
  });

  it.each<[string, string]>([
    ['CR alone, as Excel saves for old Macs', 'a;b\r1;2\r3;4\r'],
    ['CR alone, the last row open', 'a;b\r1;2\r3;4'],
    ['CR twice before LF', 'a;b\r\r\n1;2\r\r\n3;4\r\r\n'],
    ['LF before CR', 'a;b\n\r1;2\n\r3;4\n\r'],
  ])('of %s part rows', async (_name, text) => {
    for (const size of [1, 2, 3, 1000]) {
      expect((await read(text, size)).rows).toEqual([
        ['a', 'b'],
        ['1', '2'],
        ['3', '4'],
      ]);
    }
  });

  it('of CR alone show where a long row is, and keep long files in bounded memory', async () => {
    await expect(read(`a,b\r1,2\r${'x'.repeat(2000)},3\r`, 50)).rejects.toMatchObject({
      line: 3,
      message: expect.stringContaining('longer'),
    });
    const { rows } = await read(`a,b\r${'1,2\r'.repeat(20_000)}`, 100);
    expect(rows).toHaveLength(20_001);
  });
});

describe('a first line that names the separator', () => {
  const header = (separator: string) => `a,x${separator}b\n1${separator}2\n`;
  it.each<[string, string]>([
    ['bare', 'sep=;\n'],
    ['in quotes', '"sep=;"\n'],
    ['behind a mark', '\uFEFFsep=;\r\n'],
    ['with CR', 'sep=;\r'],
    ['saved again with its separator', '"sep=;";;\n'],
    ['in upper case', 'SEP=;\n'],
  ])('%s is no row', async (_name, hint) => {
    for (const size of [1, 1000]) {
      expect(await read(hint + header(';'), size, 1000)).toEqual({
        rows: [
          ['a,x', 'b'],
          ['1', '2'],
        ],
        lines: [2, 3],
      });
    }
  });

  it('that is not read is refused by name', async () => {
    await expect(read(`sep=^\n${header('^')}`)).rejects.toMatchObject({
      line: 1,
      message: 'the file says that "^" separates its columns; save it with commas, tabs, semicolons or bars between them',
    });
  });
});

describe('a text written as a formula', () => {
  it.each<[string, string, string]>([
    ['bare', '="00123"', '00123'],
    ['in quotes', '"=""00123"""', '00123'],
    ['with a separator in it', '="a;b"', 'a;b'],
    ['with quotes in it', '="a""b"', 'a"b'],
    ['empty', '=""', ''],
  ])('is that text: %s', async (_name, cell, text) => {
    expect((await read(`x;y\n${cell};1\n2;${cell}\n`, 1000)).rows).toEqual([
      ['x', 'y'],
      [text, '1'],
      ['2', text],
    ]);
  });

  it('stays as it is where it is another one', async () => {
    expect((await read('x;y\n"=A1&""x""";=1+2\n')).rows[1]).toEqual(['=A1&"x"', '=1+2']);
    await expect(read('x;y\n="a"&"b";1\n')).rejects.toBeInstanceOf(CsvError);
  });
});
