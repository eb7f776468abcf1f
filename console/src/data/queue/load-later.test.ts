/** Parts that are fetched later: waited for while the server is away, and given up where it answers without them. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { loadLater } from './load-later.ts';

let isAway = false;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('fetch', async () =>
    isAway ? Promise.reject(new TypeError('no connection')) : new Response('{}', { headers: { 'content-type': 'application/json' } }),
  );
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const load = async (): Promise<string> => {
  if (isAway) {
    throw new TypeError('Failed to fetch dynamically imported module');
  }
  return 'the part';
};

it('waits for a server that is away, however long that takes', async () => {
  isAway = true;
  let found = '';
  void loadLater(load).then((part) => {
    found = part;
  });
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(found).toBe('');
  isAway = false;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(found).toBe('the part');
});

it('fails where the server answers and the part does not come', async () => {
  isAway = false;
  let tries = 0;
  const loading = loadLater(async () => {
    tries++;
    throw new Error('404');
  });
  const failed = expect(loading).rejects.toThrow('404');
  await vi.advanceTimersByTimeAsync(60_000);
  await failed;
  expect(tries).toBe(6);
});
