/** Finds single grants and accounts in a c1z, by a thread of its own as all reading of such files is. */
import { expandC1z } from './expand-c1z.ts';
import type { FoundInC1z, WantedInC1z } from './messages.ts';
import { startReader } from './start-reader.ts';

/** Finds each of these in a c1z, in their order; undefined for what it lacks. Throws a C1zError for whatever is wrong with the file. */
export async function findInC1z(
  bytes: AsyncIterable<Uint8Array>,
  wanted: readonly WantedInC1z[],
): Promise<readonly (FoundInC1z | undefined)[]> {
  const file = await expandC1z(bytes);
  const reader = startReader(file.path, {}, wanted);
  try {
    const message = await reader.next();
    if (message.kind !== 'FOUND') {
      throw new Error('the thread that reads a c1z answered something else');
    }
    return message.list;
  } finally {
    reader.end();
    await file.remove();
  }
}
