/** Cells of an Excel sheet as XML. Whatever a text holds, it stays a text: no cell is a formula or a link, and none becomes one by being edited. */
import { showAlone } from '../names/visible-text.ts';
import { startsFormula } from '../tables/formulas.ts';

/** The content of one cell; null is an empty one. */
export type Cell = string | number | Date | null;

/** Styles of the workbook, in the order in which `stylesXml` declares them. */
const styles = { plain: 0, head: 1, quoted: 2, time: 3 } as const;

/** Most characters that Excel takes in a cell; it calls a file damaged that has more. */
const maxCellLength = 32_767;
const cutMark = '… [cut: the cell is full]';

const dayMs = 86_400_000;
/** 1900-03-01: days before it are counted wrongly by Excel, by design. */
const firstSoundDay = 61;
const epochDay = 25_569;
/** 10000-01-01. */
const endOfDays = 2_958_466;

/** The name of a column from 0: A, B, ... AA. */
export function columnName(column: number): string {
  return (column >= 26 ? columnName(Math.floor(column / 26) - 1) : '') + String.fromCharCode(65 + (column % 26));
}

/** One row of a sheet; `number` counts from 1. */
export function rowXml(number: number, cells: readonly Cell[], names: readonly string[], isHead = false): string {
  let xml = `<row r="${number}">`;
  for (let column = 0; column < cells.length; column += 1) {
    xml += cellXml(`${names[column]}${number}`, cells[column] ?? null, isHead);
  }
  return `${xml}</row>`;
}

function cellXml(at: string, cell: Cell, isHead: boolean): string {
  if (cell === null || cell === '') {
    return '';
  }
  if (typeof cell === 'string') {
    const text = showAlone(cell);
    const style = isHead ? styles.head : startsFormula(text) ? styles.quoted : styles.plain;
    return `<c r="${at}"${style === 0 ? '' : ` s="${style}"`} t="inlineStr"><is><t xml:space="preserve">${textXml(text)}</t></is></c>`;
  }
  if (typeof cell === 'number') {
    return Number.isFinite(cell) ? `<c r="${at}"><v>${cell}</v></c>` : '';
  }
  const day = cell.getTime() / dayMs + epochDay;
  return day >= firstSoundDay && day < endOfDays
    ? `<c r="${at}" s="${styles.time}"><v>${day}</v></c>`
    : cellXml(at, cell.toISOString(), isHead);
}

/** Characters that XML cannot hold, halves of characters, and what Excel would read as an escape. */
const unsafe = /[&<>\ufffe\uffff\p{Cs}]|(?![\t\n\u007f-\u009f])\p{Cc}|_(?=x[0-9a-fA-F]{4}_)/gu;

/** A text for XML as Excel reads it: a return is escaped, and what XML cannot hold is shown by its picture, or as U+FFFD. */
export function textXml(text: string): string {
  return cut(text).replace(unsafe, (found) => {
    switch (found) {
      case '&':
        return '&amp;';
      case '<':
        return '&lt;';
      case '>':
        return '&gt;';
      case '\r':
        return '_x000D_';
      case '_':
        return '_x005F_';
      default:
        return found < ' ' ? String.fromCharCode(0x2400 + found.charCodeAt(0)) : '\ufffd';
    }
  });
}

function cut(text: string): string {
  if (text.length <= maxCellLength) {
    return text;
  }
  const end = maxCellLength - cutMark.length;
  const isSplit = /[\ud800-\udbff]/.test(text[end - 1] ?? '');
  return text.slice(0, isSplit ? end - 1 : end) + cutMark;
}

/** The styles that cells refer to by their place. */
export const stylesXml = `<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="4"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" quotePrefix="1" applyFont="1"/><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0" quotePrefix="1"/><xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`;
