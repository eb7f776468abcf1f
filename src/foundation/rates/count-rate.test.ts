/** Limits over all processes: two of them count in one window, which begins anew once it is over or a clock that ran ahead has left it. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTwoTenants, type TwoTenants } from '../../../test/support/tenants.ts';
import { createRates, type Rates } from './count-rate.ts';
import { hasOldWindows, removeOldWindows } from './store.ts';

const rate = { kind: 'test', most: 3, seconds: 60 };
let two: TwoTenants;
let clock = Date.parse('2026-06-01T08:00:00Z');
const open = (): Rates => createRates(two.database, () => clock);
const ours = (): string => two.ours.tenant.id;

beforeAll(async () => {
  two = await openTwoTenants();
});
afterAll(() => two.close());

it('counts by tenant and subject over two processes, and says when to come back', async () => {
  const [one, other] = [open(), open()];
  expect(await one.count(ours(), rate, 'a')).toEqual({ within: 1, retryAfterSeconds: 0 });
  expect(await other.count(ours(), rate, 'a')).toEqual({ within: 1, retryAfterSeconds: 0 });
  clock += 20_000;
  expect(await one.count(ours(), rate, 'a')).toEqual({ within: 1, retryAfterSeconds: 0 });
  expect(await other.count(ours(), rate, 'a')).toEqual({ within: 0, retryAfterSeconds: 40 });
  expect([one.secondsLeft(ours(), rate, 'a'), other.secondsLeft(ours(), rate, 'a'), open().secondsLeft(ours(), rate, 'a')]).toEqual([
    40, 40, 0,
  ]);
  expect(await one.count(ours(), rate, 'b')).toMatchObject({ within: 1 });
  expect(await one.count(two.theirs.tenant.id, rate, 'a')).toMatchObject({ within: 1 });
  clock += 40_000;
  expect(await one.count(ours(), rate, 'a')).toMatchObject({ within: 1 });
});

it('counts several at once, and says how many of them are within', async () => {
  expect(await open().count(ours(), rate, 'several', 2)).toMatchObject({ within: 2 });
  expect(await open().count(ours(), rate, 'several', 2)).toEqual({ within: 1, retryAfterSeconds: 60 });
  expect(await open().count(ours(), rate, 'several', 2)).toMatchObject({ within: 0 });
});

it('lets no clock that ran ahead lock anybody out for longer than a window', async () => {
  const ahead = open();
  clock += 5 * 3_600_000;
  await ahead.count(ours(), rate, 'ahead', 9);
  clock -= 5 * 3_600_000;
  expect(ahead.secondsLeft(ours(), rate, 'ahead')).toBe(0);
  expect(await ahead.count(ours(), rate, 'ahead')).toMatchObject({ within: 1 });
});

it('removes windows that are over', async () => {
  const db = two.database.tenant(ours());
  clock += 61_000;
  expect(await hasOldWindows(db, ours(), new Date(clock))).toBe(true);
  expect(await removeOldWindows(db, ours(), new Date(clock), 1)).toBe(1);
  expect(await removeOldWindows(db, ours(), new Date(clock), 100)).toBeGreaterThan(0);
  expect(await hasOldWindows(db, ours(), new Date(clock))).toBe(false);
});
