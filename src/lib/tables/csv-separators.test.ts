/** Separators of columns: commas, or, where the header has none, semicolons or tabs; and that tables written so come back. */
import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CsvError, readCsv } from './csv.ts';

async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) {
    yield bytes.subarray(at, at + size);
  }
}

async function read(text: string, size = 5, batchBytes = 1): Promise<string[][]> {
  const rows: string[][] = [];
  for await (const batch of readCsv(inPieces(Buffer.from(text), size), { maxRowBytes: 1000, batchBytes })) {
    rows.push(...batch.rows);
  }
  return rows;
}

describe('columns', () => {
  it.each<[name: string, text: string, rows: string[][]]>([
    [
      'semicolons',
      'a;b\n1;2,5\n',
      [
        ['a', 'b'],
        ['1', '2,5'],
      ],
    ],
    [
      'tabs',
      'a\tb\n1\t2;3,4\n',
      [
        ['a', 'b'],
        ['1', '2;3,4'],
      ],
    ],
    [
      'commas, wherever one stands in the header',
      'a;x\ty,b\n1;2,3\n',
      [
        ['a;x\ty', 'b'],
        ['1;2', '3'],
      ],
    ],
    [
      'tabs before semicolons',
      'a;x\tb\n1\t2\n',
      [
        ['a;x', 'b'],
        ['1', '2'],
      ],
    ],
    ['commas, whatever rows of nothing but semicolons follow', 'g,h\n;;\n;;\n;;\n1,2\n', [['g', 'h'], [';;'], [';;'], [';;'], ['1', '2']]],
    ['tabs below a title', 'Access\na\tb\n1\t2\n', [['Access'], ['a', 'b'], ['1', '2']]],
    ['semicolons below a title with a comma', 'Access, all\na;b\n1;2\n', [['Access, all'], ['a', 'b'], ['1', '2']]],
    ['commas, where there is one column', 'a\n1,2\n3;4\n', [['a'], ['1', '2'], ['3;4']]],
    [
      'what stands outside of quotes',
      '"a,x";"b\n,";c\n1;2;3\n',
      [
        ['a,x', 'b\n,', 'c'],
        ['1', '2', '3'],
      ],
    ],
    ['the header, not empty lines before it', '\r\n\n\ufeffa;b\n', [['\ufeffa', 'b']]],
    [
      'the header, with a mark before it',
      '\ufeffa;b\r\n1;2\r\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'quoted fields throughout',
      '"a";"b"\n"1;""2";""\n',
      [
        ['a', 'b'],
        ['1;"2', ''],
      ],
    ],
    ['a header that is all there is', 'a;b', [['a', 'b']]],
  ])('are told apart by %s', async (_name, text, rows) => {
    for (const size of [1, 3, 1000]) {
      expect(await read(text, size)).toEqual(rows);
    }
  });

  it.each<[name: string, bytes: Buffer]>([
    ['Windows-1252', Buffer.from('name;größe\n1;2\n', 'latin1')],
    ['UTF-16 with its mark', Buffer.from('\ufeffname;größe\n1;2\n', 'utf16le')],
    ['UTF-16 without its mark', Buffer.from('name;größe\n1;2\n', 'utf16le')],
    ['UTF-16 with its high byte first', Buffer.from('\ufeffname;größe\n1;2\n', 'utf16le').swap16()],
  ])('are found in %s', async (_name, bytes) => {
    for (const size of [1, 3, 1000]) {
      const rows: string[][] = [];
      for await (const batch of readCsv(inPieces(bytes, size), { maxRowBytes: 1000, batchBytes: 1 })) {
        rows.push(...batch.rows);
      }
      expect(rows).toEqual([
        ['name', 'größe'],
        ['1', '2'],
      ]);
    }
  });

  it.each<[name: string, text: string, rows: number, header: string[]]>([
    ['a title with a comma', 'Report of 17 August, 10:15\n\na;b;c\n1;2;3\n4;5;6\n', 4, ['a', 'b', 'c']],
    ['what Excel writes to say so', 'sep=;\na,x;b\n1;2\n', 2, ['a,x', 'b']],
    ['bars', 'a|b|c\n1|2|3\n', 2, ['a', 'b', 'c']],
  ])('are found under %s', async (_name, text, count, header) => {
    const rows = await read(text, 1000, 1000);
    expect(rows).toHaveLength(count);
    expect(rows).toContainEqual(header);
  });

  it('say in an error what was expected', async () => {
    await expect(read('a;b\n"1",2\n')).rejects.toThrow(
      'a closing quote is followed by something else than a semicolon or the end of the line',
    );
    await expect(read('a\tb\n"1"x\n')).rejects.toThrow('something else than a tab or the end');
    await expect(read(`"${'x\n'.repeat(600)}`)).rejects.toThrow(CsvError);
  });

  it('come back as they were written, whatever separates them and however the bytes come', async () => {
    const cell = fc.string({ unit: fc.constantFrom('a', ';', ',', '\t', '"', '\n', '\r\n', ' ', 'é', '😀', '\\'), maxLength: 6 });
    const table = fc
      .integer({ min: 2, max: 6 })
      .chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 8 }));
    const style = fc.record({
      delimiter: fc.constantFrom(',', ';', '\t'),
      quoted: fc.boolean(),
      record_delimiter: fc.constantFrom('\n', '\r\n'),
      bom: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(
        table,
        style,
        fc.integer({ min: 1, max: 50 }),
        fc.constantFrom(1, 20, 1000),
        async (rows, options, size, batchBytes) => {
          const header = rows[0]?.map((_, at) => `h${at}`) ?? [];
          // What no writer quotes although RFC 4180 wants it so.
          const text = stringify([header, ...rows], { ...options, quoted_match: /[\r\n]/ });
          expect(await read(text, size, batchBytes)).toEqual([header, ...rows]);
        },
      ),
      { numRuns: 500 },
    );
  });
});
