/** Turns of long work: one in each round of the loop, shared by whose work it is. */
import { describe, expect, it } from 'vitest';
import { takeTurn } from './turns.ts';

/** Resolves in the next round of the loop, as what a request waits for does. */
const round = () => new Promise<void>((resolve) => setImmediate(resolve));

async function work(whose: string, turns: number, order: string[]): Promise<void> {
  for (let turn = 0; turn < turns; turn++) {
    await takeTurn(whose);
    order.push(whose);
  }
}

describe('turns', () => {
  it('go round by whose work it is, however much one has', async () => {
    const order: string[] = [];
    await Promise.all([...Array.from({ length: 5 }, () => work('many', 2, order)), work('one', 3, order)]);
    expect(order.slice(0, 6)).toEqual(['many', 'one', 'many', 'one', 'many', 'one']);
    expect(order).toHaveLength(13);
  });

  it('are one in each round, so that everything else goes on between them', async () => {
    const order: string[] = [];
    const done = Promise.all([work('a', 4, order), work('b', 4, order), work('c', 4, order)]);
    const seen: number[] = [];
    for (let count = 0; count < 6; count++) {
      await round();
      seen.push(order.length);
    }
    await done;
    const most = Math.max(...seen.map((length, at) => length - (seen[at - 1] ?? 0)));
    expect(most).toBeLessThanOrEqual(1);
  });
});
