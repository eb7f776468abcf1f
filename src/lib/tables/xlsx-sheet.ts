/**
 * The rows of one sheet of an Excel file, in batches like those of csv.ts: each as wide as the first, rows without anything left out.
 */
import { describeErrorCell, unwrapText } from './cell-text.ts';
import type { CsvBatch } from './csv.ts';
import { readXml } from './xml-pieces.ts';
import { columnIndex, isRounded, type NumberKind, readDay, readNumber, unescapeText } from './xlsx-cell.ts';
import { XlsxError } from './xlsx-error.ts';
import type { SharedTexts } from './xlsx-texts.ts';

/** A cell that says nothing that could be taken over. */
export interface CellFault {
  /** Row of the batch, from 0. */
  readonly index: number;
  /** Column, from 0. */
  readonly column: number;
  readonly reason: string;
}

/** Some rows of a sheet; their lines are the rows' numbers in the sheet. */
export interface SheetBatch extends CsvBatch {
  readonly faults: readonly CellFault[];
  /** Cells that are read, and cannot be an id that somebody typed. */
  readonly doubts: readonly CellFault[];
}

/** Data cells refer to. */
export interface SheetContext {
  readonly texts: SharedTexts;
  /** Kind of number each style makes. */
  readonly kinds: readonly NumberKind[];
  readonly is1904: boolean;
  /** Longest row in bytes, all cells together. */
  readonly maxRowBytes: number;
}

const batchRows = 256;
/** As many as Excel has. */
const maxColumns = 16_384;
const plainNumber: NumberKind = { as: 'number' };

/** Reads the part of a sheet to its end. Throws an XlsxError for what is no sheet, with the row where it is. */
export async function* readSheet(pieces: AsyncIterable<Buffer>, context: SheetContext): AsyncGenerator<SheetBatch> {
  const sheet = createSheetListener(context);
  for await (const _ of readXml(pieces, sheet)) {
    if (sheet.count() >= batchRows) {
      yield sheet.take();
    }
  }
  yield sheet.take();
}

function createSheetListener(context: SheetContext) {
  const { texts, kinds, is1904, maxRowBytes } = context;
  let rows: string[][] = [];
  let lines: number[] = [];
  let faults: CellFault[] = [];
  let doubts: CellFault[] = [];
  /** The width of the first row. */
  let width = 0;
  let line = 0;
  let cells: string[] | undefined;
  let rowLength = 0;
  let column = -1;
  let type = '';
  let style = '';
  let value = '';
  let isValue = false;
  let isInline = false;
  let isFormula = false;
  let phonetic = 0;

  function readCell(): string {
    switch (type) {
      case 's': {
        if (value.trim() === '') {
          return '';
        }
        const text = texts.get(Number(value));
        if (text === undefined) {
          throw new XlsxError('a cell refers to a text that the file does not hold', line);
        }
        return unwrapText(text);
      }
      case 'inlineStr':
      case 'str':
        return unwrapText(unescapeText(value));
      case 'b':
        return value.trim() === '' ? '' : value.trim() === '1' ? 'TRUE' : 'FALSE';
      case 'd':
        return readDay(value);
      case 'e':
        return value.trim() === '' ? '' : refuseCell(describeErrorCell(value));
      default: {
        if (value === '') {
          return isFormula
            ? refuseCell('the cell holds a formula without its result; open the file in Excel and save it again, or save it as CSV')
            : '';
        }
        const kind = style === '' ? plainNumber : (kinds[Number(style)] ?? plainNumber);
        const number = readNumber(value, kind, is1904);
        if (number === undefined) {
          return refuseCell(`the cell holds ${value.slice(0, 40)}, which is no ${kind.as === 'time' ? 'date' : 'number'}`);
        }
        if (isRounded(number)) {
          const reason = `the cell holds the number ${number}, of which Excel keeps no more than 15 digits, so the last ones are lost: export the file again from its system, with this column as text`;
          doubts.push({ index: rows.length, column, reason });
        }
        return number;
      }
    }
  }

  function refuseCell(reason: string): string {
    faults.push({ index: rows.length, column, reason });
    // A cell with a fault counts as one that says something.
    return '?';
  }

  function refuseLongRow(): never {
    throw new XlsxError(`the row is longer than ${maxRowBytes} bytes`, line);
  }

  function endRow(row: string[]): void {
    let length = row.length;
    while (length > 0 && row[length - 1] === '') {
      length--;
    }
    if (length === 0) {
      return;
    }
    if (rowLength * 3 > maxRowBytes && Buffer.byteLength(row.join(',')) > maxRowBytes) {
      refuseLongRow();
    }
    row.length = length;
    if (width === 0) {
      width = length;
    }
    while (row.length < width) {
      row.push('');
    }
    rows.push(row);
    lines.push(line);
  }

  return {
    open(name: string, attributes: Readonly<Record<string, string>>) {
      if (name === 'c') {
        if (cells === undefined) {
          return;
        }
        column = attributes.r === undefined ? column + 1 : columnIndex(attributes.r);
        if (column < 0 || column >= maxColumns) {
          throw new XlsxError(`a cell has the place ${JSON.stringify((attributes.r ?? '').slice(0, 20))}, which no sheet has`, line);
        }
        type = attributes.t ?? 'n';
        style = attributes.s ?? '';
        value = '';
        isFormula = false;
        isInline = type === 'inlineStr';
      } else if (name === 'f') {
        isFormula = true;
      } else if (name === 'v') {
        isValue = cells !== undefined && !isInline;
      } else if (name === 't') {
        isValue = cells !== undefined && isInline && phonetic === 0;
      } else if (name === 'rPh') {
        phonetic++;
      } else if (name === 'row') {
        const next = attributes.r === undefined ? line + 1 : Number(attributes.r);
        if (!Number.isSafeInteger(next) || next <= line) {
          throw new XlsxError(`row ${JSON.stringify((attributes.r ?? '').slice(0, 20))} follows row ${line}`, line);
        }
        line = next;
        cells = [];
        rowLength = 0;
        column = -1;
      }
    },
    text(piece: string) {
      if (isValue) {
        value += piece;
        if (value.length > maxRowBytes) {
          refuseLongRow();
        }
      }
    },
    close(name: string) {
      if (name === 'v' || name === 't') {
        isValue = false;
      } else if (name === 'c') {
        if (cells !== undefined) {
          const text = readCell();
          if (text !== '') {
            rowLength += text.length + 1;
            if (rowLength > maxRowBytes) {
              refuseLongRow();
            }
            while (cells.length < column) {
              cells.push('');
            }
            cells[column] = text;
          }
        }
      } else if (name === 'rPh') {
        phonetic--;
      } else if (name === 'row') {
        const row = cells;
        cells = undefined;
        if (row !== undefined) {
          endRow(row);
        }
      }
    },
    count: () => rows.length,
    take(): SheetBatch {
      const batch = { rows, lines, faults, doubts, isPlain: false };
      rows = [];
      lines = [];
      faults = [];
      doubts = [];
      return batch;
    },
  };
}
