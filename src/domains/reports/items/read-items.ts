/** Reads the items of a review for its report, each with its history, a piece at a time. */
import type { Context } from '../../../context.ts';
import { findColumn, type ReportColumn, type ReportItem } from './columns.ts';
import { type FlagsOf, idsInItem, tellHistory } from './item-history.ts';
import { listNames, listReviewItems, type NamedPerson } from './store-items.ts';

/** Rows of one piece of a file: what is written and forgotten soon never gets to where V8 keeps what lasts. */
export const rowsPerPiece = 250;

/** The next items after the one with the task `after`; fewer than `rowsPerPiece` are the last. */
export async function readItems(context: Context, reviewId: string, after: string, flagsOf: FlagsOf): Promise<ReportItem[]> {
  const rows = await listReviewItems(context, reviewId, after, rowsPerPiece);
  const people = await namePeople(context, rows.flatMap(idsInItem));
  return rows.map((row) => ({ row, history: tellHistory(row, people, flagsOf) }));
}

/** The names of these people by their ids. */
export async function namePeople(context: Context, ids: readonly string[]): Promise<Map<string, NamedPerson>> {
  const people = await listNames(context, [...new Set(ids)]);
  return new Map(people.map((person) => [person.id, person]));
}

/** The columns with these names, without those that are no more. */
export function columnsNamed(names: readonly string[]): ReportColumn[] {
  return names.map(findColumn).filter((column): column is ReportColumn => column !== undefined);
}
