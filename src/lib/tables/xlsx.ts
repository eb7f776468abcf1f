/**
 * An Excel file (.xlsx, ECMA-376) on disk: its sheets and their rows, in bounded memory. Formulas count by the value that was saved with
 * them. What rows mean is not here.
 */
import { posix } from 'node:path';
import { openZip, type ZipLimits, type ZipParts } from './zip-parts.ts';
import { readXml } from './xml-pieces.ts';
import { kindOfBuiltin, kindOfFormat, type NumberKind } from './xlsx-cell.ts';
import { XlsxError } from './xlsx-error.ts';
import { readSheet, type SheetBatch } from './xlsx-sheet.ts';
import { noTexts, readSharedTexts, type ScratchFile } from './xlsx-texts.ts';

export { XlsxError } from './xlsx-error.ts';
export type { ScratchFile } from './xlsx-texts.ts';
export type { SheetBatch } from './xlsx-sheet.ts';
export { ZipError } from './zip-error.ts';

/** Limits on Excel files. */
export interface XlsxLimits extends ZipLimits {
  readonly maxRowBytes: number;
  /** Most different texts of a file. */
  readonly maxTexts: number;
}

/** An open file. */
export interface Workbook {
  /** The names of its sheets in their order. */
  readonly sheets: readonly string[];
  /** The rows of a sheet, of the first that is not hidden where the name is ''. Its shared texts go into `scratch`, empty until then. To be called once. */
  rows(sheet: string, scratch: ScratchFile): AsyncGenerator<SheetBatch>;
}

interface Relation {
  readonly id: string;
  /** The last word of its type, such as `worksheet`. */
  readonly type: string;
  /** The part it leads to. */
  readonly part: string;
}

interface Sheet {
  readonly name: string;
  readonly part: string;
  readonly isHidden: boolean;
}

/** Most sheets, styles and relations that are kept; files have far fewer. */
const maxKept = 65_536;

/** Opens the file behind a descriptor, which stays the caller's to close. Throws an XlsxError or a ZipError. */
export async function openXlsx(fd: number, size: number, limits: XlsxLimits): Promise<Workbook> {
  const zip = await openZip(fd, size, limits);
  const office = (await readRelations(zip, '')).find(({ type }) => type === 'officeDocument')?.part;
  if (office === undefined || !zip.has(office) || office.endsWith('.bin')) {
    throw new XlsxError('the file is a zip without an Excel workbook (.xlsx) in it; unpack it, or save the table as .xlsx or CSV');
  }
  const relations = await readRelations(zip, office);
  const { sheets, is1904 } = await readWorkbook(zip, office, relations);
  const partOf = (type: string) => relations.find((relation) => relation.type === type && zip.has(relation.part))?.part;
  return {
    sheets: sheets.map(({ name }) => name),
    async *rows(wanted, scratch) {
      const sheet =
        wanted === ''
          ? (sheets.find(({ isHidden }) => !isHidden) ?? sheets[0])
          : sheets.find(({ name }) => name.toLowerCase() === wanted.toLowerCase());
      if (sheet === undefined) {
        const names = sheets.map(({ name }) => JSON.stringify(name)).slice(0, 20);
        throw new XlsxError(
          wanted === '' ? 'the file has no sheet' : `the file has no sheet ${JSON.stringify(wanted)}; it has ${names.join(', ')}`,
        );
      }
      const styles = partOf('styles');
      const strings = partOf('sharedStrings');
      const kinds = styles === undefined ? [] : await readStyles(zip, styles);
      const { maxTexts, maxRowBytes } = limits;
      const texts =
        strings === undefined ? noTexts : await readSharedTexts(zip.read(strings), scratch, { maxTexts, maxTextBytes: maxRowBytes });
      yield* readSheet(zip.read(sheet.part), { texts, kinds, is1904, maxRowBytes });
    },
  };
}

async function readAll(
  zip: ZipParts,
  part: string,
  open: (name: string, attributes: Readonly<Record<string, string>>) => void,
): Promise<void> {
  let kept = 0;
  const pieces = readXml(zip.read(part), {
    open(name, attributes) {
      if (++kept > 16 * maxKept) {
        throw new XlsxError('the file has too many styles or sheets');
      }
      open(name, attributes);
    },
  });
  for await (const _ of pieces) {
    // All of it is heard by the listener.
  }
}

/** The relations of a part, of the file as a whole for ''. */
async function readRelations(zip: ZipParts, part: string): Promise<Relation[]> {
  const folder = posix.dirname(part);
  const file = posix.join(folder, '_rels', `${posix.basename(part)}.rels`);
  const relations: Relation[] = [];
  if (zip.has(file)) {
    await readAll(zip, file, (name, { Id = '', Type = '', Target = '', TargetMode = '' }) => {
      if (name === 'Relationship' && TargetMode !== 'External' && relations.length < maxKept) {
        const type = Type.slice(Type.lastIndexOf('/') + 1);
        relations.push({ id: Id, type, part: Target.startsWith('/') ? Target.slice(1) : posix.join(folder, Target) });
      }
    });
  }
  return relations;
}

async function readWorkbook(zip: ZipParts, part: string, relations: readonly Relation[]): Promise<{ sheets: Sheet[]; is1904: boolean }> {
  const sheets: Sheet[] = [];
  let is1904 = false;
  await readAll(zip, part, (name, attributes) => {
    if (name === 'workbookPr') {
      is1904 = attributes.date1904 === '1' || attributes.date1904 === 'true';
    } else if (name === 'sheet' && sheets.length < maxKept) {
      const ids = Object.entries(attributes).flatMap(([key, value]) => (key.endsWith(':id') ? [value] : []));
      const relation = relations.find((one) => ids.includes(one.id) && one.type === 'worksheet' && zip.has(one.part));
      // A sheet that is a chart has no rows.
      if (relation !== undefined) {
        sheets.push({ name: attributes.name ?? '', part: relation.part, isHidden: /^(very)?hidden$/i.test(attributes.state ?? '') });
      }
    }
  });
  return { sheets, is1904 };
}

/** Reads the cell styles' kinds of number, by the number of the style. */
async function readStyles(zip: ZipParts, part: string): Promise<NumberKind[]> {
  const formats = new Map<string, NumberKind>();
  const kinds: NumberKind[] = [];
  let isCellStyle = false;
  await readAll(zip, part, (name, attributes) => {
    if (name === 'numFmt' && formats.size < maxKept) {
      formats.set(attributes.numFmtId ?? '', kindOfFormat((attributes.formatCode ?? '').slice(0, 1000)));
    } else if (name === 'xf' && isCellStyle && kinds.length < maxKept) {
      const id = attributes.numFmtId ?? '0';
      kinds.push(formats.get(id) ?? kindOfBuiltin(Number(id)));
    } else if (name === 'cellXfs') {
      isCellStyle = true;
    } else if (name === 'cellStyles' || name === 'dxfs') {
      isCellStyle = false;
    }
  });
  return kinds;
}
