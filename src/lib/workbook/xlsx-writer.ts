/**
 * An Excel file (.xlsx, ECMA-376) written in pieces, one sheet after another: the state between two pieces is plain JSON, so that whoever is
 * killed goes on with the same bytes. Reading is lib/tables/xlsx.ts.
 */
import { type Cell, columnName, rowXml, stylesXml, textXml } from './cells.ts';
import { createZipWriter, emptyZip, type PieceSink, type ZipState } from '../zip/zip-writer.ts';

export type { Cell } from './cells.ts';
export type { PieceSink } from '../zip/zip-writer.ts';

/** A column of a sheet. */
export interface SheetColumn {
  readonly heading: string;
  /** Characters that it shows; 20 unless given. */
  readonly width?: number;
}

/** A sheet that has been begun. */
interface Sheet {
  readonly name: string;
  readonly rows: number;
}

/** Place of a writer between two pieces. */
export interface WorkbookState {
  readonly zip: ZipState;
  readonly sheets: readonly Sheet[];
  /** The sheet that is being written. Where it may become several, `part` is its number among them; 0 where it may not. */
  readonly open: { readonly name: string; readonly columns: readonly SheetColumn[]; readonly part: number } | null;
}

/** Writes a workbook, one sheet after another. */
export interface WorkbookWriter {
  state(): WorkbookState;
  /** Begins a sheet. `isSplit`: it is named `name 1`, and goes on in `name 2` when it is full. */
  openSheet(name: string, columns: readonly SheetColumn[], isSplit?: boolean): Promise<void>;
  addRows(rows: readonly (readonly Cell[])[]): Promise<void>;
  closeSheet(): Promise<void>;
  /** Ends the file. Sheets are shown in the order in which they were written, those named here before them. */
  finish(first?: readonly string[]): Promise<void>;
}

/** The first state of a workbook. */
export const emptyWorkbook: WorkbookState = { zip: emptyZip, sheets: [], open: null };

/** Most rows of a sheet, without its head; Excel itself takes 1,048,576. */
const maxSheetRows = 500_000;

const xmlHead = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packageRelations = 'http://schemas.openxmlformats.org/package/2006/relationships';
const contentTypes = 'http://schemas.openxmlformats.org/package/2006/content-types';
const spreadsheet = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** Goes on with a workbook where `from` left it. */
export function createWorkbookWriter(sink: PieceSink, from: WorkbookState = emptyWorkbook, maxRows = maxSheetRows): WorkbookWriter {
  const zip = createZipWriter(sink, from.zip);
  let { sheets, open } = from;
  const add = (xml: string): Promise<void> => zip.add(Buffer.from(xml, 'utf8'));
  const addPart = async (name: string, xml: string): Promise<void> => {
    zip.open(name);
    await add(xmlHead + xml);
    await zip.close();
  };
  const begin = async (columns: readonly SheetColumn[], name: string): Promise<void> => {
    if (sheets.length === 0) {
      // The first parts are those by which programs recognize the kind of file.
      await addPart('_rels/.rels', relationsXml([{ id: 'rId1', type: 'officeDocument', target: 'xl/workbook.xml' }]));
      await addPart('xl/styles.xml', stylesXml);
    }
    sheets = [...sheets, { name, rows: 0 }];
    zip.open(`xl/worksheets/sheet${sheets.length}.xml`);
    await add(xmlHead + sheetBegin(columns));
  };
  const end = async (columns: readonly SheetColumn[]): Promise<void> => {
    await add(sheetEnd(columns, sheets.at(-1)?.rows ?? 0));
    await zip.close();
  };
  const requireOpen = () => {
    if (open === null) {
      throw new Error('no sheet is open');
    }
    return open;
  };
  return {
    state: () => ({ zip: zip.state(), sheets, open }),
    async openSheet(name, columns, isSplit = false) {
      open = { name, columns, part: isSplit ? 1 : 0 };
      await begin(columns, isSplit ? `${name} 1` : name);
    },
    async addRows(rows) {
      let rest = rows;
      while (rest.length > 0) {
        const { name, columns, part } = requireOpen();
        const written = sheets.at(-1)?.rows ?? 0;
        if (written === maxRows) {
          if (part === 0) {
            throw new Error(`the sheet ${name} is full`);
          }
          await end(columns);
          open = { name, columns, part: part + 1 };
          await begin(columns, `${name} ${part + 1}`);
          continue;
        }
        const now = rest.slice(0, maxRows - written);
        rest = rest.slice(now.length);
        const names = columns.map((_, index) => columnName(index));
        await add(now.map((cells, index) => rowXml(written + index + 2, cells, names)).join(''));
        sheets = sheets.map((sheet, index) => (index === sheets.length - 1 ? { ...sheet, rows: written + now.length } : sheet));
      }
    },
    async closeSheet() {
      await end(requireOpen().columns);
      open = null;
    },
    async finish(first = []) {
      const numbered = sheets.map(({ name }, index) => ({ name, number: index + 1 }));
      const ordered = [...numbered.filter(({ name }) => first.includes(name)), ...numbered.filter(({ name }) => !first.includes(name))];
      await addPart('xl/workbook.xml', workbookXml(ordered));
      await addPart(
        'xl/_rels/workbook.xml.rels',
        relationsXml([
          ...numbered.map(({ number }) => ({ id: `rId${number}`, type: 'worksheet', target: `worksheets/sheet${number}.xml` })),
          { id: `rId${numbered.length + 1}`, type: 'styles', target: 'styles.xml' },
        ]),
      );
      await addPart('[Content_Types].xml', contentTypesXml(numbered.length));
      await zip.finish();
    },
  };
}

function sheetBegin(columns: readonly SheetColumn[]): string {
  const widths = columns.map(({ width = 20 }, index) => `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`);
  const names = columns.map((_, index) => columnName(index));
  const head = rowXml(
    1,
    columns.map(({ heading }) => heading),
    names,
    true,
  );
  const pane = '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>';
  return `<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0">${pane}</sheetView></sheetViews><cols>${widths.join('')}</cols><sheetData>${head}`;
}

function sheetEnd(columns: readonly SheetColumn[], rows: number): string {
  return `</sheetData><autoFilter ref="A1:${columnName(columns.length - 1)}${rows + 1}"/></worksheet>`;
}

function workbookXml(sheets: readonly { name: string; number: number }[]): string {
  const list = sheets.map(
    ({ name, number }) => `<sheet name="${textXml(name).replaceAll('"', '&quot;')}" sheetId="${number}" r:id="rId${number}"/>`,
  );
  return `<workbook xmlns="${main}" xmlns:r="${office}"><bookViews><workbookView/></bookViews><sheets>${list.join('')}</sheets></workbook>`;
}

function relationsXml(relations: readonly { id: string; type: string; target: string }[]): string {
  const list = relations.map(({ id, type, target }) => `<Relationship Id="${id}" Type="${office}/${type}" Target="${target}"/>`);
  return `<Relationships xmlns="${packageRelations}">${list.join('')}</Relationships>`;
}

function contentTypesXml(sheets: number): string {
  const list = Array.from(
    { length: sheets },
    (_, index) => `<Override PartName="/xl/worksheets/sheet${index + 1}.xml" ContentType="${spreadsheet}.worksheet+xml"/>`,
  );
  return `<Types xmlns="${contentTypes}"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${spreadsheet}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${spreadsheet}.styles+xml"/>${list.join('')}</Types>`;
}
