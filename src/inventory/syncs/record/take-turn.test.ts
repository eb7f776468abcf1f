/** Turns: how many at once, who is next, and who is dropped. */
import { describe, expect, it } from 'vitest';
import { createTurns, type Turns } from './take-turn.ts';

interface Started {
  readonly done: Promise<unknown>;
  end(): void;
}

/** Work that is begun and ended by the test; `begun` lists what has begun so far. */
function watch(turns: Turns) {
  const begun: string[] = [];
  const send = (who: string, name: string, left?: AbortSignal): Started => {
    const gate = Promise.withResolvers<void>();
    const done = turns.take(who, left, async () => {
      begun.push(name);
      await gate.promise;
    });
    done.catch(() => undefined);
    return { done, end: () => gate.resolve() };
  };
  return { begun, send };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('turns', () => {
  it('are so many in all, and so many of each', async () => {
    const { begun, send } = watch(createTurns({ inAll: 3, ofEach: 2 }));
    for (const name of ['a1', 'a2', 'a3', 'a4']) {
      send('a', name);
    }
    send('b', 'b1');
    send('c', 'c1');
    await settled();
    expect(begun).toEqual(['a1', 'a2', 'b1']);
  });

  it('go around among those who wait, and are in order for each', async () => {
    const { begun, send } = watch(createTurns({ inAll: 1, ofEach: 1 }));
    const all = ['a1', 'a2', 'a3', 'b1', 'b2', 'c1'].map((name) => send(name.slice(0, 1), name));
    for (const one of all) {
      one.end();
    }
    await Promise.all(all.map((one) => one.done));
    expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2']);
  });

  it('of one who has as many as may be pass to the next who has not', async () => {
    const { begun, send } = watch(createTurns({ inAll: 2, ofEach: 1 }));
    const [first, , third] = [send('a', 'a1'), send('a', 'a2'), send('b', 'b1'), send('c', 'c1')];
    await settled();
    expect(begun).toEqual(['a1', 'b1']);
    third?.end();
    await settled();
    expect(begun).toEqual(['a1', 'b1', 'c1']);
    first?.end();
    await settled();
    expect(begun).toEqual(['a1', 'b1', 'c1', 'a2']);
  });

  it('are not given to whoever left before theirs came, and not taken from whoever leaves later', async () => {
    const { begun, send } = watch(createTurns({ inAll: 1, ofEach: 1 }));
    const [staying, leaving] = [new AbortController(), new AbortController()];
    const first = send('a', 'a1', staying.signal);
    const second = send('a', 'a2', leaving.signal);
    const third = send('a', 'a3');
    await settled();
    staying.abort(new Error('left'));
    leaving.abort(new Error('left'));
    await expect(second.done).rejects.toThrow('left');
    first.end();
    third.end();
    await Promise.all([first.done, third.done]);
    expect(begun).toEqual(['a1', 'a3']);
    await expect(send('a', 'a4', leaving.signal).done).rejects.toThrow('left');
    expect(begun).toEqual(['a1', 'a3']);
  });

  it('are handed on where work fails', async () => {
    const turns = createTurns({ inAll: 1, ofEach: 1 });
    const failing = turns.take('a', undefined, () => Promise.reject(new Error('broken')));
    const next = turns.take('b', undefined, () => Promise.resolve('done'));
    await expect(failing).rejects.toThrow('broken');
    await expect(next).resolves.toBe('done');
  });
});
