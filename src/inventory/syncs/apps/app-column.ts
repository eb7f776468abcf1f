/** Place of each row's app in a file: its header, below a title perhaps, and the column. What other columns mean is not decided here. */
import { invalidField } from '../../../errors.ts';
import { plainName } from '../../../lib/names/plain-name.ts';
import { quote, refuseFile } from '../values/index.ts';

/** The header of a file, and the column of apps in it. */
export interface AppColumn {
  /** Row that is the header. */
  readonly header: number;
  /** Its column, from 0. */
  readonly at: number;
  /** As the header spells it. */
  readonly name: string;
}

/** Names that say of a column that it holds apps, in English, German, French and Spanish, as plainName has them. */
const appNames: ReadonlySet<string> = new Set(
  `app appname application applicationname applicationdisplayname appdisplayname system systemname targetsystem targetapplication
  anwendung anwendungsname anwendungssystem applikation applikationsname zielsystem zielanwendung
  nomapplication nomdelapplication nomdapplication systeme nomdusysteme
  aplicacion nombreaplicacion nombredeaplicacion nombredelaaplicacion sistema nombredelsistema`.split(/\s+/),
);

/** A title has no more rows than this, and no more cells in one; the header has an app, an account and what is held. */
const maxTitleRows = 25;
const maxTitleCells = 2;
const minColumns = 3;

/** True if a column of this name is plainly one of apps. */
export function isAppColumn(name: string): boolean {
  return name.length <= 200 && appNames.has(plainName(name));
}

/** Returns the one column that is plainly of apps; '' for none, and for several. */
export function findAppColumnIn(columns: readonly string[]): string {
  const found = columns.filter(isAppColumn);
  return found.length === 1 ? (found[0] ?? '').trim() : '';
}

/**
 * Finds the header and the column of apps among the first rows of a file: the column of this name, or where it is undefined the one that is
 * plainly of apps; `header` is the row of the names where somebody says it. INVALID_ARGUMENT for a name that is not there, and, naming the field `appColumn`, where nothing says which column it is.
 */
export function findAppColumn(rows: readonly (readonly string[])[], wanted: string | undefined, header?: number): AppColumn {
  const candidates = header === undefined ? findHeaders(rows) : [header];
  const isWanted = (name: string): boolean =>
    wanted === undefined ? isAppColumn(name) : name.trim().toLowerCase() === wanted.trim().toLowerCase();
  for (const header of candidates) {
    const names = rows[header] as readonly string[];
    const found = names.flatMap((name, at) => (name.trim() !== '' && isWanted(name) ? [at] : []));
    const [at] = found;
    if (at !== undefined && found.length === 1) {
      return { header, at, name: (names[at] ?? '').trim() };
    }
    if (found.length > 1) {
      const told = found.map((one) => quote((names[one] ?? '').trim())).join(' and ');
      throw wanted === undefined
        ? invalidField('appColumn', `several columns of the file may name the apps, ${told}: set the one that does`)
        : refuseFile(`the header names ${quote(wanted)} twice`);
    }
  }
  const widest = candidates.reduce((best, one) => Math.max(best, filled(rows[one])), 0);
  const columns = rows[candidates.find((one) => filled(rows[one]) === widest) ?? 0] ?? [];
  const told = `found: ${columns
    .slice(0, 50)
    .map((name) => name.trim().slice(0, 80))
    .join(', ')}`;
  throw wanted === undefined
    ? invalidField('appColumn', `no column of the file is plainly one of apps; set the one that is, or the app of the whole file; ${told}`)
    : refuseFile(`the file has no column ${quote(wanted)}; ${told}`);
}

const filled = (row: readonly string[] = []): number => row.filter((cell) => cell.trim() !== '').length;

/** The rows that may be the header: the first that is wide enough, and those that could stand below a title. */
function findHeaders(rows: readonly (readonly string[])[]): number[] {
  const found: number[] = [];
  let widestBefore = 0;
  for (const [index, row] of rows.slice(0, maxTitleRows + 1).entries()) {
    const count = filled(row);
    if (widestBefore > maxTitleCells) {
      break;
    }
    if (count > widestBefore && count >= minColumns) {
      found.push(index);
    }
    widestBefore = Math.max(widestBefore, count);
  }
  return found;
}
