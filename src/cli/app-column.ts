/**
 * Where a file names the app of each row: its header, below a title perhaps, and the column. What other columns mean is decided by the server.
 */
import { plainName } from '../lib/plain-name.ts';
import { CommandFailure, UsageError } from './io.ts';

/** The header of a file, and the column of apps in it. */
export interface AppColumn {
  /** Which of the rows is the header. */
  readonly header: number;
  /** Which of its columns, from 0. */
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

/** How many rows findAppColumn has to see. */
export const headerRows = maxTitleRows + 1;

/** Whether a column of this name is plainly one of apps. */
export function isAppColumn(name: string): boolean {
  return name.length <= 200 && appNames.has(plainName(name));
}

/**
 * Finds the header and the column of apps among the first rows of a file: the column of this name, or where it is undefined the one that is
 * plainly of apps. CommandFailure for a name that is not there, UsageError where nothing says which column it is.
 */
export function findAppColumn(rows: readonly (readonly string[])[], wanted: string | undefined): AppColumn {
  const candidates = findHeaders(rows);
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
      const told = found.map((one) => JSON.stringify((names[one] ?? '').trim())).join(' and ');
      throw wanted === undefined
        ? new UsageError(`several columns of the file may name the apps, ${told}: pass --app-column with the one that does`)
        : new CommandFailure(`Nothing was imported: the header names ${JSON.stringify(wanted)} twice.`);
    }
  }
  const widest = candidates.reduce((best, one) => Math.max(best, filled(rows[one])), 0);
  const columns = rows[candidates.find((one) => filled(rows[one]) === widest) ?? 0] ?? [];
  const told = `found: ${columns
    .slice(0, 50)
    .map((name) => name.trim().slice(0, 80))
    .join(', ')}`;
  throw wanted === undefined
    ? new UsageError(`no column of the file is plainly one of apps; pass --app with the name of its app, or --app-column; ${told}`)
    : new CommandFailure(`Nothing was imported: the file has no column ${JSON.stringify(wanted)}; ${told}.`);
}

const filled = (row: readonly string[] = []): number => row.filter((cell) => cell.trim() !== '').length;

/** The rows that may be the header: the first that is wide enough, and those that could stand below a title. */
function findHeaders(rows: readonly (readonly string[])[]): number[] {
  const found: number[] = [];
  let widestBefore = 0;
  for (const [index, row] of rows.slice(0, headerRows).entries()) {
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
