/** One writer of CSV: nobody else joins cells to lines. */
import type { Finding } from './arrows.ts';
import { type SourceFile, withoutComments } from './tree.ts';

/** The one file that may. */
const csvWriter = 'src/lib/tables/csv-form.ts';

/** The sample company, which a browser loads: files to be imported, of cells that we made and that hold no such character. */
const samples = 'src/samples/company.ts';

/** Cells joined by a comma or a semicolon, and the end of a line in the same statement. */
const joined = /\.join\((['"`])[,;]\1\)(?=[^;]{0,120}?\\n)|\\n[^;]{0,120}?\.join\((['"`])[,;]\2\)/;

/** Files that make lines of cells by themselves: a cell with a line break, a quote or a formula would tear them. */
export function csvByHand(files: readonly SourceFile[]): Finding[] {
  return files
    .filter(({ path, text }) => path !== csvWriter && path !== samples && joined.test(withoutComments(text)))
    .map(({ path }) => `${path} joins cells by itself: use writeCsv of ${csvWriter}`);
}

/** Packages that write CSV, as package.json may name them: there is one writer. */
export function csvPackages(names: readonly string[]): Finding[] {
  return names.filter((name) => /^(csv-stringify|fast-csv|papaparse|json2csv|@json2csv\/.*|d3-dsv)$/.test(name));
}
