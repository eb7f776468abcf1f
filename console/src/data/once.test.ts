/** Sending once: what is asked for twice at the same moment is done once. */
import { describe, expect, it } from 'vitest';
import { createOnce } from './once.ts';

/** Work that ends when it is told to, and how often it began. */
function startWork() {
  const begun: string[] = [];
  let end = (_error?: Error): void => undefined;
  const work = (name: string) => () => {
    begun.push(name);
    return new Promise<void>((resolve, reject) => {
      end = (error) => (error === undefined ? resolve() : reject(error));
    });
  };
  return { begun, work, end: (error?: Error) => end(error) };
}

describe('the same', () => {
  it('twice at once is done once, and again once it is over', async () => {
    const once = createOnce();
    const { begun, work, end } = startWork();
    const first = once('a', work('a'));
    expect(once('a', work('a'))).toBeUndefined();
    end();
    await first;
    const second = once('a', work('a'));
    end();
    await second;
    expect(begun).toEqual(['a', 'a']);
  });

  it('after it failed can be tried again', async () => {
    const once = createOnce();
    const { begun, work, end } = startWork();
    const first = once('a', work('a'));
    end(new Error('no'));
    await expect(first).rejects.toThrow('no');
    void once('a', work('a'));
    expect(begun).toHaveLength(2);
  });

  it('of two different things each is done', () => {
    const once = createOnce();
    const { begun, work } = startWork();
    void once('a', work('a'));
    void once('b', work('b'));
    expect(begun).toEqual(['a', 'b']);
  });
});
