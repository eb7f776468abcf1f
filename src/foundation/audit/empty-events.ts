/**
 * Emptying events whose time is over: their data and the address they came from go, and the commitment to both takes their place. Leaves, tree and
 * positions stay as they are, so every proof of the log holds. Which events, and when, is decided by whoever calls.
 */
import { inTransaction, type Context } from '../../context.ts';
import type { ErasedPerson } from '../../lib/words.ts';
import { newIdPrefix } from '../../wire/ids.ts';
import { hashContent } from './leaf.ts';
import { findEventsNaming, findFullEvent, type FoundEvent, listFullEvents, listFullOfReview, updateEmptied } from './store-empty.ts';
import { listSealableRows } from './store-log.ts';

/** Result of a call: how many events it emptied, and the last of them; '' where none was left. */
export interface Emptied {
  readonly count: number;
  readonly lastId: string;
}

/** The part of an id that is its time. */
function idAt(time: Date): string {
  return newIdPrefix(time).slice(0, 9);
}

/** Dates the oldest event with content, from a time on; undefined where there is none. Events without a position do not count. */
export function findOldestFull(context: Context, since: Date | null): Promise<Date | undefined> {
  return findFullEvent(context, since === null ? '' : idAt(since));
}

/**
 * Empties events of before `until` behind the one with the id `after`, at most `limit`, in one transaction; those of the reviews `except` stay as
 * they are.
 */
export function emptyEvents(
  context: Context,
  { until, after, except }: { readonly until: Date; readonly after: string; readonly except: readonly string[] },
  limit: number,
): Promise<Emptied> {
  return inTransaction(context, async (inside) => {
    const ids = await listFullEvents(inside, { after, untilId: idAt(until), except }, limit);
    return { count: await emptyAll(inside, ids), lastId: ids.at(-1) ?? '' };
  });
}

async function emptyAll(context: Context, ids: readonly string[]): Promise<number> {
  const rows = await listSealableRows(context, ids);
  if (rows.length > 0) {
    await updateEmptied(
      context,
      rows.map((row) => ({ id: row.id, contentHash: hashContent(row) })),
    );
  }
  return rows.length;
}

/** Result of a part of a search for events: how many it emptied, and how many it left because they have no position yet. */
export interface EmptiedPart {
  readonly count: number;
  readonly unsealed: number;
}

/** Empties events of a review, at most `limit`; none are left where it counts fewer and none unsealed. */
export async function emptyEventsOfReview(context: Context, reviewId: string, limit: number): Promise<EmptiedPart> {
  const found = await listFullOfReview(context, reviewId, limit);
  return emptyFound(context, found);
}

/**
 * Looks at the next events behind `after`, at most `limit`, and empties those that are about people or hold one of the texts (in lower case). The
 * last id is '' where there were no more.
 */
export async function emptyEventsNaming(
  context: Context,
  subject: Pick<ErasedPerson, 'userIds' | 'texts'>,
  after: string,
  limit: number,
): Promise<EmptiedPart & { readonly lastId: string }> {
  const { lastId, found } = await findEventsNaming(context, subject, after, limit);
  return { ...(await emptyFound(context, found)), lastId };
}

async function emptyFound(context: Context, found: readonly FoundEvent[]): Promise<EmptiedPart> {
  const sealed = found.filter(({ isSealed }) => isSealed).map(({ id }) => id);
  return { count: await emptyAll(context, sealed), unsealed: found.length - sealed.length };
}
