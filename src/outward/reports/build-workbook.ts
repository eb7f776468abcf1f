/** Writes a report as an Excel file, a piece of one sheet at a time. What is on a sheet is in the files `sheet-*.ts`. */
import type { Context } from '../../context.ts';
import { createWorkbookWriter, emptyWorkbook } from '../../lib/workbook/xlsx-writer.ts';
import type { BuildCursor, WrittenPiece } from './build-cursor.ts';
import type { ReportSheet } from './report-sheet.ts';
import { arrivalsSheet } from './sheet-arrivals.ts';
import { decisionsSheet } from './sheet-decisions.ts';
import { exclusionsSheet } from './sheet-exclusions.ts';
import { reviewersSheet } from './sheet-reviewers.ts';
import { revocationsSheet } from './sheet-revocations.ts';
import { signaturesSheet } from './sheet-signatures.ts';
import { sourcesSheet } from './sheet-sources.ts';
import { summarySheet } from './sheet-summary.ts';
import { insertChunk, type ReportRow } from './store.ts';

/** The sheets in their order. */
const sheets: readonly ReportSheet[] = [
  summarySheet,
  decisionsSheet,
  reviewersSheet,
  sourcesSheet,
  revocationsSheet,
  exclusionsSheet,
  arrivalsSheet,
  signaturesSheet,
];

/** Writes the next rows of the sheet under way, and what comes before and after them. */
export async function writeWorkbookPiece(context: Context, report: ReportRow, cursor: BuildCursor): Promise<WrittenPiece> {
  const { after, book, sheet: number } = cursor;
  const sheet = sheets[number];
  if (sheet === undefined) {
    throw new Error(`a workbook has no sheet ${number}`);
  }
  const writer = createWorkbookWriter((piece, content) => insertChunk(context, report.id, piece, content), book ?? emptyWorkbook);
  const place = { report, ...cursor };
  if (writer.state().open === null) {
    await writer.openSheet(sheet.name, sheet.columns(place), sheet.isSplit);
  }
  const page = await sheet.read(context, place, after);
  await writer.addRows(page.rows);
  const isLast = page.after === undefined;
  const isWritten = isLast && number === sheets.length - 1;
  if (isLast) {
    await writer.closeSheet();
  }
  if (isWritten) {
    await writer.finish();
  }
  const state = writer.state();
  return {
    rows: page.rows.length,
    items: sheet === decisionsSheet ? page.rows.length : 0,
    cursor: {
      after: page.after ?? '',
      sheet: isLast ? number + 1 : number,
      pieces: state.zip.pieces,
      book: isWritten ? null : state,
      isWritten,
    },
  };
}
