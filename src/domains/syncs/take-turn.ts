/**
 * How many imports of this process work in the database at once. The others wait with nothing but their temporary file: ten imports
 * into one app would otherwise hold ten connections, nine of them waiting for the first.
 */

const maxAtOnce = 3;
let atWork = 0;
const waiting: (() => void)[] = [];

/** Runs `work` when it is its turn, first come, first served. */
export async function takeTurn<T>(work: () => Promise<T>): Promise<T> {
  if (atWork >= maxAtOnce) {
    // Whoever ends hands their place on.
    await new Promise<void>((resolve) => waiting.push(resolve));
  } else {
    atWork++;
  }
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next === undefined) {
      atWork--;
    } else {
      next();
    }
  }
}
