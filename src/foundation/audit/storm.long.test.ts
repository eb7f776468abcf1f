/** A short storm over one log; the long one is test/resilience/log-storm.long.test.ts. */
import { expect, it } from 'vitest';
import { runStorm } from '../../../test/support/log-storm.ts';
import { openTwoTenants } from '../../../test/support/tenants.ts';

it('a storm of writers, with sealers that are killed, leaves every event once, without a gap, causes first', async () => {
  const two = await openTwoTenants();
  try {
    const result = await runStorm(two, two.ours.tenant.id, { seconds: 6, writers: 24, sealers: 4, chains: 12, longSeconds: 5 });
    expect(result.committed).toBeGreaterThan(50);
    expect(result.killed).toBeGreaterThan(0);
    // The long transaction was open for five seconds and held up nobody.
    expect(result.overtook).toBeGreaterThan(20);
  } finally {
    await two.close();
  }
}, 240_000);
