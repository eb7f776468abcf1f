/** Excel files that would be misread without a word: formulas nobody calculated, hidden sheets, other encodings; and that values come back. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readXlsx, refusalOfXlsx } from '../../../test/support/read-xlsx.ts';
import { sheetOf, type TestCell, workbookParts, writeXlsx, writeZip } from '../../../test/support/xlsx.ts';

/** True if XML can hold a character as it is. */
const isXml = (char: string) => char === '\t' || char === '\n' || (char >= ' ' && char !== '\ufffe' && char !== '\uffff');
const withParts = (parts: Record<string, string | Buffer>) => {
  const good = workbookParts({ sheets: [{ name: 'a', rows: [['h'], ['x']] }] });
  return writeZip(Object.entries({ ...good, ...parts }).map(([name, content]) => ({ name, content })));
};
const sheetXml = (cell: string, before = '') =>
  `${before}<worksheet><sheetData><row r="1"><c r="A1" t="str"><v>h</v></c></row><row r="2">${cell}</row></sheetData></worksheet>`;
const one = async (cell: string) => {
  const { rows, faults } = await readXlsx(withParts({ 'xl/worksheets/sheet1.xml': sheetXml(cell) }));
  return faults.length > 0 ? faults.join() : (rows[1]?.[0] ?? '');
};

describe('formulas', () => {
  const missing = '2/0: the cell holds a formula without its result; open the file in Excel and save it again, or save it as CSV';
  it.each([
    ['a number', '<c r="A2"><f>1+1</f><v>2</v></c>', '2'],
    ['a text', '<c r="A2" t="str"><f>"a"</f><v>a</v></c>', 'a'],
    ['a text without characters', '<c r="A2" t="str"><f>""</f><v></v></c>', ''],
    ['a boolean', '<c r="A2" t="b"><f>TRUE()</f><v>1</v></c>', 'TRUE'],
    ['an error', '<c r="A2" t="e"><f>NA()</f><v>#N/A</v></c>', '2/0: the cell holds the error #N/A; correct its formula, or clear it'],
    ['nothing, since no program calculated it', '<c r="A2"><f>1+1</f></c>', missing],
    ['nothing, in an element of its own', '<c r="A2"><f>1+1</f><v/></c>', missing],
    ['nothing, of a shared formula', '<c r="A2"><f t="shared" si="0"/></c>', missing],
  ])('with %s count by it', async (_name, cell, expected) => {
    expect(await one(cell)).toBe(expected);
  });

  it('without a result say nothing of the cells beside them', async () => {
    const { rows, faults } = await readXlsx(
      withParts({ 'xl/worksheets/sheet1.xml': sheetXml('<c r="A2"><f>1</f></c><c r="B2"/><c r="C2"><v>3</v></c>') }),
    );
    expect([rows[1], faults.length]).toEqual([['?', '', '3'], 1]);
  });
});

describe('hidden sheets', () => {
  const book = (...states: string[]) => {
    const parts = workbookParts({ sheets: states.map((_, at) => ({ name: `s${at}`, rows: [[`in ${at}`]] })) });
    const [head = '', ...tags] = String(parts['xl/workbook.xml']).split('<sheet ');
    const xml = head + tags.map((tag, at) => `<sheet ${states[at] === '' ? '' : `state="${states[at]}" `}${tag}`).join('');
    return writeZip(Object.entries({ ...parts, 'xl/workbook.xml': xml }).map(([name, content]) => ({ name, content })));
  };

  it.each<[states: string[], expected: string]>([
    [['', ''], 'in 0'],
    [['hidden', ''], 'in 1'],
    [['veryHidden', 'hidden', 'visible'], 'in 2'],
    [['hidden', 'hidden'], 'in 0'],
  ])('%j: the first that is shown is read', async (states, expected) => {
    expect((await readXlsx(book(...states))).rows).toEqual([[expected]]);
  });

  it('are read where they are asked for by name, and told with the others', async () => {
    const { sheets, rows } = await readXlsx(book('hidden', ''), 'S0');
    expect([sheets, rows]).toEqual([['s0', 's1'], [['in 0']]]);
  });
});

describe('encodings', () => {
  const text = (xml: string, encoding: BufferEncoding) => withParts({ 'xl/worksheets/sheet1.xml': Buffer.from(xml, encoding) });
  const cell = '<c r="A2" t="inlineStr"><is><t>Grüße 😀</t></is></c>';

  it.each<[name: string, file: Buffer]>([
    ['UTF-8', text(sheetXml(cell), 'utf8')],
    ['UTF-8 with a mark', text(sheetXml(cell, '\ufeff'), 'utf8')],
    ['UTF-8 by its name', text(sheetXml(cell, '<?xml version="1.0" encoding="utf-8" standalone="yes"?>'), 'utf8')],
    ['UTF-16 with a mark', text(sheetXml(cell, '\ufeff<?xml version="1.0" encoding="UTF-16"?>'), 'utf16le')],
    ['UTF-16 without one', text(sheetXml(cell), 'utf16le')],
  ])('%s is read', async (_name, file) => {
    expect((await readXlsx(file)).rows[1]).toEqual(['Grüße 😀']);
  });

  it.each<[name: string, file: Buffer, message: string]>([
    ['Latin-1 that says nothing', text(sheetXml(cell.replace(' 😀', '')), 'latin1'), 'the file is not UTF-8 or UTF-16'],
    [
      'Latin-1 by its name',
      text(sheetXml('<c r="A2" t="str"><v>a</v></c>', '<?xml version="1.0" encoding="ISO-8859-1"?>'), 'latin1'),
      'the file is in the encoding "ISO-8859-1"; only UTF-8 and UTF-16 are read',
    ],
    [
      'UTF-8 cut off in a character',
      withParts({ 'xl/sharedStrings.xml': Buffer.concat([Buffer.from('<sst><si><t>x'), Buffer.from([0xc3])]) }),
      'not UTF-8',
    ],
  ])('%s is refused', async (_name, file, message) => {
    expect(await refusalOfXlsx(file)).toContain(message);
  });
});

describe('values written and read again', () => {
  const day = 86_400_000;
  const zero = Date.UTC(1899, 11, 30);
  const zero1904 = Date.UTC(1904, 0, 1);
  const date = fc.integer({ min: Date.UTC(1904, 0, 2), max: Date.UTC(9999, 11, 31) }).map((at) => new Date(at));
  const textOf = (at: Date) => at.toISOString().replace('.000Z', 'Z');

  it('are the same times, in both ways to count days', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(date, { minLength: 1, maxLength: 30 }), fc.boolean(), async (dates, is1904) => {
        const cells = dates.map((at): TestCell => ({ number: (at.getTime() - (is1904 ? zero1904 : zero)) / day, style: 1 }));
        const file = writeXlsx({
          sheets: [{ name: 'a', rows: [['h'], ...cells.map((cell) => [cell])] }],
          formats: ['yyyy-mm-dd hh:mm'],
          is1904,
        });
        const { rows, faults } = await readXlsx(file);
        expect(faults).toEqual([]);
        expect(rows.slice(1).flat()).toEqual(dates.map(textOf));
      }),
      { numRuns: 60 },
    );
  });

  it('are the same numbers, booleans and texts, wherever they stand', async () => {
    const number = fc.double({ noNaN: true, noDefaultInfinity: true });
    const text = fc.string({ unit: 'binary', maxLength: 20 }).filter((one) => [...one].every(isXml));
    const cell = fc.oneof(
      number.map((value) => [{ number: value === 0 ? 0 : value }, value === 0 ? 0 : value] as const),
      fc.boolean().map((value) => [{ boolean: value }, value ? 'TRUE' : 'FALSE'] as const),
      text.map((value) => [value, value] as const),
      text.map((value) => [{ shared: value }, value] as const),
      text.map((value) => [{ formula: 'A1', text: value }, value] as const),
      fc.constant([undefined, ''] as const),
    );
    const rows = fc.array(fc.array(cell, { minLength: 3, maxLength: 3 }), { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(rows, async (table) => {
        const written = table.map((row) => row.map(([one]): TestCell | undefined => one));
        const read = await readXlsx(sheetOf([['a', 'b', 'c'], ...written]));
        const expected = table.map((row) => row.map(([, value]) => value)).filter((row) => row.some((value) => value !== ''));
        expect(
          read.rows.slice(1).map((row, y) => row.map((value, x) => (typeof expected[y]?.[x] === 'number' ? Number(value) : value))),
        ).toEqual(expected);
      }),
      { numRuns: 150 },
    );
  });
});
