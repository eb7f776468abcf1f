/**
 * Events to be sealed next. Usually what became visible since the last seal looked, by the arithmetic of snapshots; where that cannot be trusted,
 * whatever has no leaf.
 */
import type { Context } from '../../context.ts';
import { type LogRow, listUnsealed, listUnsealedSince, type Unsealed } from './store-log.ts';

/** A snapshot of PostgreSQL: which transactions it saw. Ids are 64-bit, so they stay texts here. */
interface Snapshot {
  /** The first id that had not been given out. */
  readonly xmax: string;
  /** Ids before it that were under way. */
  readonly xip: readonly string[];
}

/** Reads the text of a pg_snapshot, `xmin:xmax:xip,xip`. */
function readSnapshot(text: string): Snapshot {
  const [, xmax = '', xip = ''] = text.split(':');
  return { xmax, xip: xip === '' ? [] : xip.split(',') };
}

/**
 * The next events to seal, at most `limit`, in the order in which they were written. `readsAll` says that every event was looked at: at the
 * first seal, and once after a restore into a cluster whose transaction ids are behind those of the last seal.
 */
export async function findUnsealed(context: Context, log: LogRow, limit: number): Promise<Unsealed & { readonly readsAll: boolean }> {
  if (log.snapshot === null) {
    return { ...(await listUnsealed(context, limit)), readsAll: true };
  }
  const seen = readSnapshot(log.snapshot);
  const found = await listUnsealedSince(context, seen, limit);
  if (BigInt(seen.xmax) > BigInt(readSnapshot(found.snapshot).xmax)) {
    return { ...(await listUnsealed(context, limit)), readsAll: true };
  }
  return { ...found, readsAll: false };
}
