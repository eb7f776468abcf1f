/** Places of events in their reviews for leaves of before places were stored beside them. */
import type { Context } from '../../../context.ts';
import { type EntryRow, findPlaceBefore } from '../../audit/index.ts';

/** The same entries, which follow each other, each event of a review with its place: one query for each review that has such leaves here. */
export async function fillPlaces(context: Context, rows: readonly EntryRow[]): Promise<EntryRow[]> {
  const places = new Map<string, { number: number; previous: number }>();
  const filled: EntryRow[] = [];
  for (const row of rows) {
    const { id, reviewId, reviewNumber, position } = row;
    if (id === null || reviewId === '' || reviewNumber !== null || row.reviewPrevious !== null) {
      filled.push(row);
      continue;
    }
    const known = places.get(reviewId) ?? (await findBefore(context, reviewId, position));
    filled.push({ ...row, reviewNumber: known.number + 1, reviewPrevious: known.previous });
    places.set(reviewId, { number: known.number + 1, previous: position });
  }
  return filled;
}

async function findBefore(context: Context, reviewId: string, position: number): Promise<{ number: number; previous: number }> {
  const { count, previous } = await findPlaceBefore(context, reviewId, position);
  return { number: count, previous };
}
