/** Most of a minute of storm over one log, while processes that seal it are killed with kill -9 and started again. */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { runStorm } from '../support/log-storm.ts';
import { openTwoTenants } from '../support/tenants.ts';

const seconds = 40;
const script = join(import.meta.dirname, '../support/seal-process.ts');

it('a storm leaves every event once, without a gap, causes first, whoever is killed', async () => {
  const two = await openTwoTenants();
  const endsAt = performance.now() + seconds * 1000;
  let kills = 0;
  /** A process that seals until it is killed, again and again. */
  async function sealAndDie(): Promise<void> {
    while (performance.now() < endsAt) {
      const child: ChildProcess = spawn(process.execPath, [script, two.url, two.ours.tenant.id], { stdio: 'ignore' });
      const gone = new Promise((resolve) => child.once('exit', resolve));
      await Promise.race([delay(2_500 + Math.random() * 2_000), gone]);
      kills += child.kill('SIGKILL') ? 1 : 0;
      await gone;
    }
  }
  try {
    const [result] = await Promise.all([
      runStorm(two, two.ours.tenant.id, { seconds, writers: 24, sealers: 4, chains: 12, longSeconds: 10 }),
      sealAndDie(),
      sealAndDie(),
    ]);
    expect(result.committed).toBeGreaterThan(500);
    expect(result.killed).toBeGreaterThan(10);
    expect(kills).toBeGreaterThan(10);
    expect(result.overtook).toBeGreaterThan(50);
  } finally {
    await two.close();
  }
}, 240_000);
