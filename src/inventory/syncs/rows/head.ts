/** The beginning of a file, looked at before its header is decided. */
import type { RowBatch } from './open-rows.ts';

/** Rows looked at. */
const headRows = 200;

/** The first batches of a file. */
export interface Head {
  readonly batches: RowBatch[];
  /** Error met when reading on. */
  readonly failure: unknown;
}

/** Takes the first batches, of so many rows that the header can be decided, on this line at the latest. Throws only where there is none. */
export async function takeHead(batches: AsyncIterator<RowBatch>, headerLine = 1): Promise<Head> {
  const head: RowBatch[] = [];
  let count = 0;
  try {
    while (count < headRows + headerLine) {
      const next = await batches.next();
      if (next.done === true) {
        break;
      }
      head.push(next.value);
      count += next.value.rows.length;
    }
  } catch (failure) {
    if (count === 0) {
      throw failure;
    }
    return { batches: head, failure };
  }
  return { batches: head, failure: undefined };
}

/** Returns the next of those taken before, then of the rest; undefined at the end. */
export async function nextBatch(head: Head, rest: AsyncIterator<RowBatch>): Promise<RowBatch | undefined> {
  const first = head.batches.shift();
  if (first !== undefined) {
    return first;
  }
  if (head.failure !== undefined) {
    throw head.failure;
  }
  const next = await rest.next();
  return next.done === true ? undefined : next.value;
}
