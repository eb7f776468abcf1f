/** Excel files as current programs write them: elements are known by their namespaces, and additions for newer programs are passed over. */
import { describe, expect, it } from 'vitest';
import { readXlsx } from '../../../test/support/read-xlsx.ts';
import { workbookParts, writeZip } from '../../../test/support/xlsx.ts';

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const strict = 'http://purl.oclc.org/ooxml/spreadsheetml/main';
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const strictRelations = 'http://purl.oclc.org/ooxml/officeDocument/relationships';
const mc = 'http://schemas.openxmlformats.org/markup-compatibility/2006';
const x15 = 'http://schemas.microsoft.com/office/spreadsheetml/2010/11/main';

const book = (parts: Record<string, string>) => {
  const good = workbookParts({ sheets: [{ name: 'a', rows: [['h'], [{ number: 43_860, style: 1 }]] }], formats: ['yyyy'], is1904: true });
  return writeZip(Object.entries({ ...good, ...parts }).map(([name, content]) => ({ name, content })));
};
const workbook = (inside: string, prefix = '', namespace = main) =>
  `<${prefix}workbook xmlns${prefix === '' ? '' : `:${prefix.slice(0, -1)}`}="${namespace}" xmlns:r="${relations}" xmlns:mc="${mc}" xmlns:x15="${x15}">${inside}</${prefix}workbook>`;
const sheets = '<sheets><sheet name="a" sheetId="1" r:id="s0"/></sheets>';

describe('a workbook that counts from 1904', () => {
  it.each<[string, string]>([
    [
      'with the settings of a newer Excel behind it',
      `<workbookPr date1904="1"/>${sheets}<extLst><ext><x15:workbookPr chartTrackingRefBase="1"/></ext></extLst>`,
    ],
    ['with them beside it', `<workbookPr date1904="true"/>${sheets}<x15:workbookPr chartTrackingRefBase="1"/>`],
    [
      'with alternatives',
      `<workbookPr date1904="1"/><mc:AlternateContent><mc:Choice Requires="x15"><workbookPr/></mc:Choice><mc:Fallback><workbookPr date1904="0"/></mc:Fallback></mc:AlternateContent>${sheets}`,
    ],
    ['with an element of no known namespace', `<workbookPr date1904="1"/><workbookPr xmlns="urn:other"/>${sheets}`],
    [
      'with a prefix that means something else for a while',
      `<workbookPr date1904="1"/><a:b xmlns:a="urn:other"><a:workbookPr/></a:b>${sheets}`,
    ],
  ])('%s keeps its days', async (_name, inside) => {
    expect((await readXlsx(book({ 'xl/workbook.xml': workbook(inside) }))).rows).toEqual([['h'], ['2024-01-31T00:00:00Z']]);
  });

  it('is none where only an addition says so', async () => {
    const inside = `<workbookPr/>${sheets}<extLst><ext uri="x"><workbookPr date1904="1"/></ext></extLst>`;
    expect((await readXlsx(book({ 'xl/workbook.xml': workbook(inside) }))).rows[1]).toEqual(['2020-01-30T00:00:00Z']);
  });
});

describe('a workbook with prefixes', () => {
  it.each([
    ['x:', main],
    ['', strict],
    ['s:', strict],
  ])('%s of %s is read as any other', async (prefix, namespace) => {
    const p = prefix;
    const xmlns = `xmlns${p === '' ? '' : `:${p.slice(0, -1)}`}="${namespace}"`;
    const inside = `<${p}workbookPr date1904="1"/><${p}sheets><${p}sheet name="a" sheetId="1" r:id="s0"/></${p}sheets>`;
    const parts = {
      'xl/workbook.xml': workbook(inside, p, namespace),
      'xl/worksheets/sheet1.xml': `<${p}worksheet ${xmlns} xmlns:y="urn:y"><${p}sheetData><${p}row r="1"><${p}c r="A1" t="s"><${p}v>0</${p}v></${p}c></${p}row>
        <${p}row r="2"><${p}c r="A2" s="1"><${p}v>43860</${p}v><y:v>1</y:v></${p}c></${p}row><y:row r="3"><y:c><y:v>9</y:v></y:c></y:row></${p}sheetData>
        <${p}extLst><${p}ext><${p}row r="4"><${p}c><${p}v>9</${p}v></${p}c></${p}row></${p}ext></${p}extLst></${p}worksheet>`,
      'xl/sharedStrings.xml': `<${p}sst ${xmlns}><${p}si><${p}t>h</${p}t><${p}extLst><${p}ext><${p}t>no</${p}t></${p}ext></${p}extLst></${p}si></${p}sst>`,
      'xl/styles.xml': `<${p}styleSheet ${xmlns}><${p}numFmts><${p}numFmt numFmtId="200" formatCode="yyyy"/></${p}numFmts><${p}cellXfs><${p}xf numFmtId="0"/>
        <${p}xf numFmtId="200"><${p}extLst><${p}ext><${p}xf numFmtId="0"/></${p}ext></${p}extLst></${p}xf></${p}cellXfs></${p}styleSheet>`,
    };
    expect((await readXlsx(book(parts))).rows).toEqual([['h'], ['2024-01-31T00:00:00Z']]);
  });

  it('is strict Open XML with its own relations', async () => {
    const parts = {
      '_rels/.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r" Type="${strictRelations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
      'xl/_rels/workbook.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="s0" Type="${strictRelations}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
      'xl/workbook.xml': `<workbook xmlns="${strict}" xmlns:r="${strictRelations}" conformance="strict"><workbookPr/><sheets><sheet name="a" sheetId="1" r:id="s0"/></sheets></workbook>`,
      'xl/worksheets/sheet1.xml': `<worksheet xmlns="${strict}"><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>h</t></is></c></row><row r="2"><c r="A2" t="d"><v>2024-01-31</v></c></row></sheetData></worksheet>`,
    };
    expect((await readXlsx(book(parts))).rows).toEqual([['h'], ['2024-01-31T00:00:00Z']]);
  });

  it('may declare them anywhere, wherever the pieces of a part end', async () => {
    for (let length = 0; length < 70_000; length += 9_973) {
      const rows = Array.from({ length: 3 }, (_, at) => {
        const filling = `<!--${'x'.repeat(length)}-->`;
        return `<row r="${at + 2}">${filling}<q:c xmlns:q="${main}" r="A${at + 2}" t="str"><q:v>${at}</q:v></q:c><q:c xmlns:q="urn:other" r="B${at + 2}" t="str"><q:v>no</q:v></q:c></row>`;
      });
      const sheet = `<worksheet xmlns="${main}"><sheetData><row r="1"><c r="A1" t="str"><v>h</v></c></row>${rows.join('')}</sheetData></worksheet>`;
      expect((await readXlsx(book({ 'xl/worksheets/sheet1.xml': sheet }), '', { maxExpansion: 1e6 })).rows).toEqual([
        ['h'],
        ['0'],
        ['1'],
        ['2'],
      ]);
    }
  });
});

describe('cells of other programs', () => {
  const one = async (cell: string) => {
    const xml = `<worksheet><sheetData><row r="1"><c r="A1" t="str"><v>h</v></c><c r="B1" t="str"><v>i</v></c></row><row r="2">${cell}<c r="B2"><v>1</v></c></row></sheetData></worksheet>`;
    const { rows, faults } = await readXlsx(book({ 'xl/worksheets/sheet1.xml': xml }));
    return faults.length > 0 ? faults.join() : (rows[1]?.[0] ?? '');
  };
  it.each([
    '<c r="A2" t="s"><v/></c>',
    '<c r="A2" t="s"><v></v></c>',
    '<c r="A2" t="s"/>',
    '<c r="A2" t="e"><v/></c>',
    '<c r="A2" t="b"><v/></c>',
    '<c r="A2" t="str"><v/></c>',
    '<c r="A2" t="inlineStr"/>',
  ])('without anything are empty: %s', async (cell) => {
    expect(await one(cell)).toBe('');
  });
  it('hold a text that is written as a formula', async () => {
    expect(await one('<c r="A2" t="inlineStr"><is><t>="00123"</t></is></c>')).toBe('00123');
  });
  it.each([
    ['1.23456789012346E+18', '1234567890123460000', true],
    ['1234567890123450', '1234567890123450', true],
    ['1E+15', '1000000000000000', true],
    ['1234567890123456', '1234567890123456', false],
    ['12345678901234567', '12345678901234567', false],
    ['123456789012345', '123456789012345', false],
    ['1.5E+2', '150', false],
  ])('say where Excel rounded what may be an id: %s', async (value, text, isRounded) => {
    const xml = `<worksheet><sheetData><row r="1"><c r="A1" t="str"><v>h</v></c></row><row r="2"><c r="A2"><v>${value}</v></c></row></sheetData></worksheet>`;
    const { rows, faults, doubts } = await readXlsx(book({ 'xl/worksheets/sheet1.xml': xml }));
    expect([rows[1]?.[0], faults, doubts.length === 1]).toEqual([text, [], isRounded]);
  });
});
