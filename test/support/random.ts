/** Numbers by chance that come again with the same seed, for tests that kill. */

/** A source of numbers from 0 to 1 (Lehmer). */
export function createRandom(seed: number): () => number {
  let state = (seed % 2_147_483_646) + 1;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
