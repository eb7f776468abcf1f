/**
 * Work asked of the caller: the running reviews with their own totals, the next due first, and what waits in somebody's place. Somebody is asked by
 * few reviews at a time, so that all of them are counted for each page.
 */
import type { Context } from '../../../context.ts';
import { dayAt } from '../../../lib/wall-time.ts';
import { findOwnTimeZone } from '../../../foundation/directory/index.ts';
import { findPace, standsFor } from '../../tasks/index.ts';
import {
  type AskedCounts,
  type AskedReviewRow,
  findLastAsked,
  type LastReviewRow,
  listAskedRunning,
  type PlaceCounts,
} from './store-my-reviews.ts';

/** Caller's totals in all running reviews. */
export interface MyTotals {
  readonly waiting: number;
  readonly overdue: number;
  readonly dueToday: number;
  readonly dueTomorrow: number;
  readonly staged: number;
  /** In somebody's place, too. */
  readonly decidable: number;
  readonly timeZone: string;
  /** Time the caller takes for a decision; 0 where that is not known. */
  readonly secondsPerDecision: number;
}

/** A page; what is of all reviews on the first one alone. */
export interface MyReviews {
  readonly rows: readonly AskedReviewRow[];
  readonly totals: MyTotals | undefined;
  readonly places: readonly PlaceCounts[];
  readonly lastReview: LastReviewRow | undefined;
}

/** Counts of several kinds together. */
export function sumCounts(counts: readonly AskedCounts[]): AskedCounts {
  const of = (member: keyof AskedCounts): number => counts.reduce((sum, one) => sum + one[member], 0);
  return { total: of('total'), open: of('open'), staged: of('staged') };
}

/** Counts what is open and not staged. */
function leftOf(counts: readonly AskedCounts[]): number {
  const { open, staged } = sumCounts(counts);
  return open - staged;
}

function countTotals(rows: readonly AskedReviewRow[], now: Date, timeZone: string): Omit<MyTotals, 'secondsPerDecision'> {
  const today = dayAt(now, timeZone);
  const tomorrow = dayAt(today.to, timeZone);
  const left = (holds: (dueAt: Date) => boolean): number =>
    rows.reduce((sum, row) => sum + (row.dueAt !== null && holds(row.dueAt) ? leftOf(row.reasons) : 0), 0);
  return {
    waiting: rows.reduce((sum, row) => sum + leftOf(row.reasons), 0),
    overdue: left((dueAt) => dueAt <= now),
    dueToday: left((dueAt) => dueAt > now && dueAt < today.to),
    dueTomorrow: left((dueAt) => dueAt >= tomorrow.from && dueAt < tomorrow.to),
    staged: rows.reduce((sum, { reasons }) => sum + sumCounts(reasons).staged, 0),
    decidable: rows.reduce((sum, { reasons, places }) => sum + leftOf([...reasons, ...places]), 0),
    timeZone,
  };
}

/** Sums what waits in each person's place in all of these reviews, by name. */
function joinPlaces(rows: readonly AskedReviewRow[]): PlaceCounts[] {
  const byPerson = new Map<string, PlaceCounts>();
  for (const place of rows.flatMap(({ places }) => places)) {
    const before = byPerson.get(place.userId);
    byPerson.set(place.userId, before === undefined ? place : { ...place, ...sumCounts([before, place]) });
  }
  return [...byPerson.values()].sort((left, right) => left.displayName.localeCompare(right.displayName, 'en'));
}

/** The place of a review in the list. */
export function keyOfAsked({ dueAt, id }: AskedReviewRow): readonly [string, string] {
  return [dueAt === null ? '' : dueAt.toISOString(), id];
}

function isBehind(row: AskedReviewRow, [dueAt = '', id = '']: readonly string[]): boolean {
  const [ownDue, ownId] = keyOfAsked(row);
  if (ownDue === dueAt) {
    return ownId > id;
  }
  return ownDue === '' || (dueAt !== '' && ownDue > dueAt);
}

/** A page of the running reviews that ask the caller, behind the one with this key. */
export async function listMyReviews(context: Context, after: readonly string[] | undefined, limit: number): Promise<MyReviews> {
  const { actor, now } = context;
  const all = actor.userId === '' ? [] : await listAskedRunning(context, standsFor(actor));
  if (after !== undefined) {
    const rows = all.filter((row) => isBehind(row, after)).slice(0, limit);
    return { rows, totals: undefined, places: [], lastReview: undefined };
  }
  return {
    rows: all.slice(0, limit),
    totals: {
      ...countTotals(all, now, await findOwnTimeZone(context)),
      secondsPerDecision: actor.userId === '' ? 0 : await findPace(context),
    },
    places: joinPlaces(all),
    lastReview: await findLastAsked(context),
  };
}
