/** Waiting for work that ends in time, too late, or badly. */
import { expect, it } from 'vitest';
import { within } from './within.ts';

it('says whether the work ended in time', async () => {
  expect(await within(Promise.resolve(1), 1000)).toBe(true);
  expect(await within(new Promise(() => undefined), 5)).toBe(false);
  await expect(within(Promise.reject(new Error('broken')), 1000)).rejects.toThrow('broken');
});
