/** Sleeping until the time is over, or until woken, also between the look and the sleep. */
import { expect, it } from 'vitest';
import { createSleeper } from './sleeper.ts';

it('sleeps until its time is over', async () => {
  const sleeper = createSleeper();
  const begun = performance.now();
  await sleeper.sleep(20, sleeper.wakes());
  expect(performance.now() - begun).toBeGreaterThan(15);
});

it('is woken, also where that comes between the look and the sleep, and never sleeps after its end', async () => {
  const sleeper = createSleeper();
  const sleeping = [sleeper.sleep(60_000, sleeper.wakes()), sleeper.sleep(60_000, sleeper.wakes())];
  sleeper.wake();
  await Promise.all(sleeping);
  const seen = sleeper.wakes();
  sleeper.wake();
  await sleeper.sleep(60_000, seen);
  sleeper.end();
  await sleeper.sleep(60_000, sleeper.wakes());
});
