/**
 * Emptying events whose time is over: their data and the address they came from go, and the commitment to both takes their place. Leaves, tree and
 * positions stay as they are, so every proof of the log holds. Which events, and when, is decided by whoever calls.
 */
import { inTransaction, type Context } from '../../context.ts';
import { newIdPrefix } from '../../wire/ids.ts';
import { contentHashOf } from './leaf.ts';
import { findFullEvent, listFullEvents, updateEmptied } from './store-empty.ts';
import { listSealableRows } from './store-log.ts';

/** What one call did: how many events it emptied, and the last of them; '' where none was left. */
export interface Emptied {
  readonly count: number;
  readonly lastId: string;
}

/** The part of an id that is its time. */
function idAt(time: Date): string {
  return newIdPrefix(time).slice(0, 9);
}

/** When the oldest event with content happened, from a time on; undefined where there is none. Events without a position do not count. */
export function findOldestFull(context: Context, since: Date | null): Promise<Date | undefined> {
  return findFullEvent(context, since === null ? '' : idAt(since));
}

/** Empties events of before `until` behind the one with the id `after`, at most `limit`, in one transaction. */
export function emptyEvents(context: Context, until: Date, after: string, limit: number): Promise<Emptied> {
  return inTransaction(context, async (inside) => {
    const ids = await listFullEvents(inside, after, idAt(until), limit);
    const rows = await listSealableRows(inside, ids);
    if (rows.length > 0) {
      await updateEmptied(
        inside,
        rows.map((row) => ({ id: row.id, contentHash: contentHashOf(row) })),
      );
    }
    return { count: rows.length, lastId: ids.at(-1) ?? '' };
  });
}
