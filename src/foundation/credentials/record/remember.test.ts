/** Time answers are remembered, and how many. */
import { describe, expect, it } from 'vitest';
import { createMemory } from './remember.ts';

describe('createMemory', () => {
  it('asks once for those who come at the same time, and again when the answer is old', async () => {
    let now = 0;
    let loads = 0;
    const memory = createMemory<number>({ keepMs: 4000, max: 10, now: () => now });
    const load = async () => ++loads;
    expect(await Promise.all([memory.get('a', load), memory.get('a', load)])).toEqual([1, 1]);
    now = 3999;
    expect(memory.get('a', load)).toBe(1);
    now = 4000;
    expect(await memory.get('a', load)).toBe(2);
  });

  it('counts age from the start of the load, not its end', async () => {
    let now = 0;
    let finish = (_value: string) => {};
    const memory = createMemory<string>({ keepMs: 4000, max: 10, now: () => now });
    const first = memory.get('a', () => new Promise((resolve) => (finish = resolve)));
    now = 3000;
    finish('old');
    await first;
    now = 4001;
    expect(await memory.get('a', async () => 'new')).toBe('new');
  });

  it('keeps no failure', async () => {
    const memory = createMemory<string>({ keepMs: 4000, max: 10, now: () => 0 });
    await expect(memory.get('a', async () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await memory.get('a', async () => 'yes')).toBe('yes');
  });

  it('lets the least recently used go', async () => {
    let loads = 0;
    const memory = createMemory<number>({ keepMs: 4000, max: 2, now: () => 0 });
    const load = async () => ++loads;
    await memory.get('a', load);
    await memory.get('b', load);
    await memory.get('a', load);
    await memory.get('c', load);
    expect(memory.get('a', load)).toBe(1);
    expect(await memory.get('b', load)).toBe(4);
  });

  it('forgets when told', async () => {
    const memory = createMemory<number>({ keepMs: 4000, max: 2, now: () => 0 });
    await memory.get('a', async () => 1);
    memory.forget('a');
    expect(await memory.get('a', async () => 2)).toBe(2);
  });
});
