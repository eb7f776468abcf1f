/** Excel files: what cells say, which sheet is read, what is refused; and that a sheet reads as the CSV of the same rows. */
import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { limits, readXlsx as read, refusalOfXlsx as refusal } from '../../../test/support/read-xlsx.ts';
import { columnName, sheetOf, type TestCell, workbookParts, writeXlsx, writeZip } from '../../../test/support/xlsx.ts';
import { readCsv } from './csv.ts';

describe('cells', () => {
  const one = async (cell: TestCell, formats: string[] = [], is1904 = false) => {
    const { rows, faults } = await read(writeXlsx({ sheets: [{ name: 'a', rows: [['h'], [cell]] }], formats, is1904 }));
    return faults.length > 0 ? faults.join() : rows[1]?.[0];
  };
  const days: [string, number, string, string | undefined][] = [
    ['a day', 45_322, 'yyyy-mm-dd', '2024-01-31T00:00:00Z'],
    ['a time', 45_322.375, 'dd.mm.yyyy hh:mm', '2024-01-31T09:00:00Z'],
    ['milliseconds', 45_322.375005787, '[$-409]m/d/yy h:mm', '2024-01-31T09:00:00.500Z'],
    ['the first day', 1, 'd/m/y', '1900-01-01T00:00:00Z'],
    ['the day before the one that never was', 59, 'yyyy', '1900-02-28T00:00:00Z'],
    ['the day after it', 61, 'yyyy', '1900-03-01T00:00:00Z'],
    ['the day that never was', 60, 'yyyy', '2/0: the cell holds 60, which is no date'],
    ['the last day', 2_958_465, 'yyyy', '9999-12-31T00:00:00Z'],
    ['a day too late', 2_958_466, 'yyyy', '2/0: the cell holds 2958466, which is no date'],
    ['a number before all days', -1, 'yyyy', '2/0: the cell holds -1, which is no date'],
    ['a red number', 12, '[Red]0.00', '12'],
    ['a number with a word', 12, '0 "days"', '12'],
    ['a number with a letter', 12, '0\\d', '12'],
    ['a duration', 1.5, '[h]:mm', '1.5'],
    ['a padded number', 123, '00000', '00123'],
    ['a negative padded number', -5, '000', '-5'],
    ['General', 5, 'General', '5'],
  ];
  it.each(days)('%s', async (_name, number, format, expected) => {
    expect(await one({ number, style: 1 }, [format])).toBe(expected);
  });

  const values: [string, TestCell, string][] = [
    ['a number without its noise', { number: '1.1000000000000001' }, '1.1'],
    ['a long number', { number: '1.23456789012345E+15' }, '1234567890123450'],
    ['no number', { number: 'x' }, '2/0: the cell holds x, which is no number'],
    ['true', { boolean: true }, 'TRUE'],
    ['false', { boolean: false }, 'FALSE'],
    ['an error', { error: '#N/A' }, '2/0: the cell holds the error #N/A; correct its formula, or clear it'],
    ['what a formula gave', { formula: 'A1&"x"', text: 'hx' }, 'hx'],
    ['a shared text', { shared: 'Grüße <&> 你好 😀' }, 'Grüße <&> 你好 😀'],
    [
      'rich text',
      { xml: '<c r="A2" t="inlineStr"><is><r><t>a</t></r><r><rPr><b/></rPr><t> b</t></r><rPh><t>no</t></rPh></is></c>' },
      'a b',
    ],
    ['a day written out', { xml: '<c r="A2" t="d"><v>2024-01-31T09:00:00</v></c>' }, '2024-01-31T09:00:00Z'],
    ['a prefix', { xml: '<x:c r="A2" t="str"><x:v>p</x:v></x:c>' }, 'p'],
    ['CDATA', { xml: '<c r="A2" t="str"><v><![CDATA[<a>]]></v></c>' }, '<a>'],
    ['an escaped character', { xml: '<c r="A2" t="str"><v>a_x000A_b_x005F_x0041__x0000_</v></c>' }, 'a\nb_x0041__x0000_'],
    ['a cell without a place', { xml: '<c t="str"><v>here</v></c>' }, 'here'],
  ];
  it.each(values)('%s', async (_name, cell, expected) => {
    expect(await one(cell)).toBe(expected);
  });

  it('count days from 1904 where the file says so', async () => {
    expect(await one({ number: 0, style: 1 }, ['yyyy'], true)).toBe('1904-01-01T00:00:00Z');
    expect(await one({ number: 43_860, style: 1 }, ['yyyy'], true)).toBe('2024-01-31T00:00:00Z');
  });
});

describe('sheets', () => {
  const book = writeXlsx({
    sheets: [
      { name: 'People & more', rows: [undefined, ['a', 'b'], [], ['1'], undefined, [undefined, '2', '']] },
      { name: 'Second', rows: [['x'], ['y', undefined, 'z']] },
    ],
  });

  it('are read from their first row on, with the numbers of their rows', async () => {
    const { sheets, rows, lines } = await read(book);
    expect(sheets).toEqual(['People & more', 'Second']);
    expect(rows).toEqual([
      ['a', 'b'],
      ['1', ''],
      ['', '2'],
    ]);
    expect(lines).toEqual([2, 4, 6]);
  });

  it('are found by name in any case; a row that is too wide stays so', async () => {
    expect((await read(book, 'second')).rows).toEqual([['x'], ['y', '', 'z']]);
    await expect(read(book, 'Third')).rejects.toThrow('the file has no sheet "Third"; it has "People & more", "Second"');
  });

  it('read as the CSV of the same rows', async () => {
    const text = fc.string({
      unit: fc.constantFrom('a', ' ', ',', '"', '\n', '\r', 'é', '😀', '<', '&', ']', '>', '_x0041_', "'"),
      maxLength: 8,
    });
    const table = fc
      .integer({ min: 1, max: 30 })
      .chain((width) => fc.array(fc.array(text, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 40 }))
      // A row of nothing but empty cells is no row of a sheet, and the header has a name everywhere.
      .map(([header = [], ...rows]) => [header.map((_, at) => `h${at}`), ...rows.filter((row) => row.some((cell) => cell !== ''))]);
    await fc.assert(
      fc.asyncProperty(table, fc.array(fc.boolean(), { minLength: 7, maxLength: 7 }), async (rows, shared) => {
        const csv: string[][] = [];
        for await (const batch of readCsv(piecesOf(stringify(rows, { quoted: true })), limits)) {
          csv.push(...batch.rows);
        }
        const cells = rows.map((row, y) => row.map((cell, x) => (shared[(x + y) % 7] ? { shared: cell } : cell)));
        expect((await read(sheetOf(cells))).rows).toEqual(csv);
      }),
      { numRuns: 60 },
    );
  });

  it('of many rows come in batches, each once', async () => {
    const rows = Array.from({ length: 20_000 }, (_, at) => [{ shared: `text ${at % 7000}` }, { number: at }]);
    const { rows: found, lines } = await read(sheetOf(rows), '', { maxTexts: 7000 });
    expect(found).toEqual(rows.map((_, at) => [`text ${at % 7000}`, String(at)]));
    expect(lines).toEqual(rows.map((_, at) => at + 1));
    expect(await refusal(sheetOf(rows), { maxTexts: 6999 })).toContain('more than 6999 different texts; save it as CSV');
  });

  it('with texts as long as a row are read from disk whole', async () => {
    const long = Array.from({ length: 12 }, (_, at) => `${at}`.repeat(30_000));
    expect((await read(sheetOf(long.map((text) => [{ shared: text }])), '', { maxExpansion: 1000 })).rows).toEqual(
      long.map((text) => [text]),
    );
  });
});

async function* piecesOf(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text);
}

describe('refused is', () => {
  const good = workbookParts({ sheets: [{ name: 'a', rows: [['h'], [{ shared: 'x' }]] }] });
  const withParts = (parts: Record<string, string | Buffer>) =>
    writeZip(Object.entries({ ...good, ...parts }).map(([name, content]) => ({ name, content })));
  const sheet = (xml: string) => withParts({ 'xl/worksheets/sheet1.xml': xml });

  const cases: [string, Buffer, string][] = [
    ['a zip that is no workbook', writeZip([{ name: 'a.txt', content: 'a' }]), 'a zip without an Excel workbook'],
    [
      'a binary workbook',
      withParts({ '_rels/.rels': (good['_rels/.rels'] as string).replace('.xml"', '.bin"'), 'xl/workbook.bin': 'x' }),
      'without an Excel workbook',
    ],
    ['a zip that is cut off', sheetOf([['a']]).subarray(0, 500), 'damaged or cut off'],
    ['a workbook without a sheet', withParts({ 'xl/workbook.xml': '<workbook><sheets/></workbook>' }), 'has no sheet'],
    [
      'a wrong checksum',
      writeZip(Object.entries(good).map(([name, content]) => ({ name, content, crc: 1 }))),
      'damaged: a checksum is wrong',
    ],
    [
      'an encrypted part',
      writeZip(Object.entries(good).map(([name, content]) => ({ name, content, isEncrypted: true }))),
      'protected with a password',
    ],
    [
      'a part that is there twice',
      writeZip([...Object.entries(good), ...Object.entries(good)].map(([name, content]) => ({ name, content }))),
      'twice',
    ],
    ['XML that is cut off', sheet('<worksheet><sheetData><row r="1">'), 'the file is damaged'],
    ['what is no XML', sheet('{}'), 'the file is damaged'],
    ['a document type', sheet('<!DOCTYPE a [<!ENTITY b "c">]><worksheet/>'), 'document type'],
    [
      'an unknown entity',
      sheet('<worksheet><sheetData><row><c t="str"><v>&b;</v></c></row></sheetData></worksheet>'),
      'the file is damaged',
    ],
    ['deep nesting', sheet('<a>'.repeat(100)), 'nests elements more than 64 deep'],
    ['a text that never ends', sheet(`<worksheet><!-- ${cryptic(2_000_000)}`), 'bytes in one place'],
    [
      'a text that is not there',
      sheet('<worksheet><sheetData><row><c t="s"><v>7</v></c></row></sheetData></worksheet>'),
      'a text that the file does not hold',
    ],
    ['rows out of order', sheet('<worksheet><sheetData><row r="2"/><row r="2"/></sheetData></worksheet>'), 'row "2" follows row 2'],
    [
      'a cell beyond all columns',
      sheet('<worksheet><sheetData><row><c r="ZZZ1"><v>1</v></c></row></sheetData></worksheet>'),
      'which no sheet has',
    ],
    ['a row too long', sheetOf([['h'], ['x'.repeat(65_536)]]), 'longer than 65536 bytes'],
    ['a row too long in bytes', sheetOf([['h'], ['é'.repeat(40_000)]]), 'longer than 65536 bytes'],
    ['a file that expands too far', sheet(`<worksheet><sheetData>${'<row/>'.repeat(500_000)}`), 'expands to more than 100 times its size'],
  ];
  it.each(cases)('%s', async (_name, bytes, message) => {
    expect(await refusal(bytes)).toContain(message);
  });

  it('too many parts, and too many bytes', async () => {
    expect(await refusal(sheetOf([['a']]), { maxParts: 5 })).toContain('more than 5 parts');
    expect(await refusal(sheetOf([['a']]), { maxBytes: 1000 })).toContain('more than 1000 bytes');
  });

  it('nothing else: whatever happens to the bytes, it is said as an error of the file', async () => {
    const bytes = sheetOf(Array.from({ length: 20 }, (_, at) => [`a${at}`, { number: at }, { shared: columnName(at) }]));
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.integer({ min: 0, max: 255 })), { minLength: 1, maxLength: 4 }),
        async (changes) => {
          const broken = Buffer.from(bytes);
          for (const [at, byte] of changes) {
            broken[at] = byte;
          }
          // Throws for anything but the two errors that say what is wrong with a file.
          await refusal(broken);
        },
      ),
      { numRuns: 150 },
    );
  });
});

/** Text that does not compress well. */
function cryptic(length: number): string {
  let text = '';
  for (let at = 1; text.length < length; at = (at * 48_271) % 2_147_483_647) {
    text += at.toString(36);
  }
  return text;
}
