/** A small writer of Excel files for tests: sheets of cells as XML, in a zip. Can do what no sound program does. */
import { crc32, deflateRawSync } from 'node:zlib';

/** The content of one cell; a plain text is written inline. */
export type TestCell =
  | string
  | { readonly shared: string }
  | { readonly number: number | string; readonly style?: number }
  | { readonly boolean: boolean }
  | { readonly error: string }
  | { readonly formula: string; readonly text: string }
  | { readonly xml: string };

/** A sheet: its rows from 1; an undefined cell is not written at all, an undefined row neither. */
export interface TestSheet {
  readonly name: string;
  readonly rows: readonly (readonly (TestCell | undefined)[] | undefined)[];
}

/** Number formats of the styles: 0 is none, then these in their order. */
export interface TestWorkbook {
  readonly sheets: readonly TestSheet[];
  readonly formats?: readonly string[];
  readonly is1904?: boolean;
  /** Parts that replace those written here, or come beside them. */
  readonly parts?: Readonly<Record<string, string | Buffer>>;
}

/** One file in a zip. */
export interface ZipEntry {
  readonly name: string;
  readonly content: string | Buffer;
  readonly isEncrypted?: boolean;
  readonly crc?: number;
}

/** A zip of these files. */
export function writeZip(entries: readonly ZipEntry[]): Buffer {
  const bodies: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content, isEncrypted = false, crc } of entries) {
    const bytes = Buffer.from(content as string);
    const packed = deflateRawSync(bytes);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(0x0800 | (isEncrypted ? 1 : 0), 2);
    fields.writeUInt16LE(8, 4);
    fields.writeUInt32LE(crc ?? crc32(bytes), 10);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(bytes.length, 18);
    fields.writeUInt16LE(Buffer.byteLength(name), 22);
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004', 'latin1'), fields, Buffer.from(name), packed]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from('PK\u0001\u0002\u0014\u0000', 'latin1'), fields, tail, Buffer.from(name)]));
    bodies.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006', 0, 'latin1');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...bodies, central, end]);
}

/** The parts of an Excel file by their names. */
export function workbookParts(book: TestWorkbook): Record<string, string | Buffer> {
  const shared: string[] = [];
  const numbers = new Map<string, number>();
  const share = (text: string): number => {
    const known = numbers.get(text);
    if (known !== undefined) {
      return known;
    }
    numbers.set(text, shared.length);
    return shared.push(`<si><t xml:space="preserve">${escapeXml(text)}</t></si>`) - 1;
  };
  const types = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const relation = (id: string, type: string, target: string) => `<Relationship Id="${id}" Type="${types}/${type}" Target="${target}"/>`;
  const relations = (list: string) =>
    `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${list}</Relationships>`;
  const sheets = book.sheets.map((sheet) => writeSheet(sheet, share));
  const parts: Record<string, string | Buffer> = {
    '_rels/.rels': relations(relation('rId1', 'officeDocument', 'xl/workbook.xml')),
    'xl/workbook.xml': `<?xml version="1.0" encoding="UTF-8"?><workbook xmlns:r="${types}"><workbookPr date1904="${book.is1904 === true ? 1 : 0}"/><sheets>${book.sheets
      .map(({ name }, index) => `<sheet name="${escapeXml(name)}" sheetId="${index + 1}" r:id="s${index}"/>`)
      .join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations(
      `${relation('st', 'styles', 'styles.xml')}${relation('sh', 'sharedStrings', '/xl/sharedStrings.xml')}${book.sheets
        .map((_, index) => relation(`s${index}`, 'worksheet', `worksheets/sheet${index + 1}.xml`))
        .join('')}`,
    ),
    'xl/styles.xml': writeStyles(book.formats ?? []),
    'xl/sharedStrings.xml': `<sst>${shared.join('')}</sst>`,
  };
  for (const [index, xml] of sheets.entries()) {
    parts[`xl/worksheets/sheet${index + 1}.xml`] = xml;
  }
  return { ...parts, ...book.parts };
}

/** An Excel file as bytes. */
export function writeXlsx(book: TestWorkbook): Buffer {
  return writeZip(Object.entries(workbookParts(book)).map(([name, content]) => ({ name, content })));
}

/** An Excel file of one sheet with these rows. */
export function sheetOf(rows: TestSheet['rows']): Buffer {
  return writeXlsx({ sheets: [{ name: 'Sheet1', rows }] });
}

function writeStyles(formats: readonly string[]): string {
  const codes = formats.map((code, index) => `<numFmt numFmtId="${200 + index}" formatCode="${escapeXml(code)}"/>`).join('');
  const styles = formats.map((_, index) => `<xf numFmtId="${200 + index}"/>`).join('');
  return `<styleSheet><numFmts>${codes}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/>${styles}</cellXfs></styleSheet>`;
}

function writeSheet(sheet: TestSheet, share: (text: string) => number): string {
  const rows = sheet.rows.map((row, index) => {
    if (row === undefined) {
      return '';
    }
    const cells = row.map((cell, column) => (cell === undefined ? '' : writeCell(cell, `${columnName(column)}${index + 1}`, share)));
    return `<row r="${index + 1}">${cells.join('')}</row>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<worksheet><sheetData>${rows.join('')}</sheetData></worksheet>`;
}

function writeCell(cell: TestCell, at: string, share: (text: string) => number): string {
  if (typeof cell === 'string') {
    return `<c r="${at}" t="inlineStr"><is><t xml:space="preserve">${escapeXml(cell)}</t></is></c>`;
  }
  if ('shared' in cell) {
    return `<c r="${at}" t="s"><v>${share(cell.shared)}</v></c>`;
  }
  if ('number' in cell) {
    return `<c r="${at}" s="${cell.style ?? 0}"><v>${cell.number}</v></c>`;
  }
  if ('boolean' in cell) {
    return `<c r="${at}" t="b"><v>${cell.boolean ? 1 : 0}</v></c>`;
  }
  if ('error' in cell) {
    return `<c r="${at}" t="e"><v>${escapeXml(cell.error)}</v></c>`;
  }
  if ('formula' in cell) {
    return `<c r="${at}" t="str"><f>${escapeXml(cell.formula)}</f><v>${escapeXml(cell.text)}</v></c>`;
  }
  return cell.xml;
}

/** The name of a column from 0: A, B, ... AA. */
export function columnName(column: number): string {
  return (column >= 26 ? columnName(Math.floor(column / 26) - 1) : '') + String.fromCharCode(65 + (column % 26));
}

function escapeXml(text: string): string {
  return text
    .replace(/_x(?=[0-9a-fA-F]{4}_)/g, '_x005F_x')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\r', '_x000D_');
}
