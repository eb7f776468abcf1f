/**
 * kill -9 of processes that make deliveries, in the middle of them and at random moments: each delivery is made, none is lost, and what is made
 * twice comes under the same key. COUNTERSIGN_KILLS says how many kills (6 unless given), COUNTERSIGN_KILL_SEED repeats a run.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { useDeliveries } from '../support/deliveries.ts';
import { type RunningProcess, runProcess } from '../support/run-process.ts';

const kills = Number(process.env['COUNTERSIGN_KILLS'] ?? 6);
const seed = Number(process.env['COUNTERSIGN_KILL_SEED'] ?? Date.now() % 1_000_000);
const leaseMs = 1500;
const file = `${import.meta.dirname}/../support/deliveries-process.ts`;

const deliveries = useDeliveries();
let processes: RunningProcess[] = [];
afterEach(async () => {
  await Promise.all(processes.map((one) => one.end('SIGKILL')));
  processes = [];
});

async function startProcess(): Promise<RunningProcess> {
  const started = runProcess(file, [deliveries.test.url, String(leaseMs)]);
  processes.push(started);
  await started.line(/^ready$/);
  return started;
}

describe('a process that makes deliveries', () => {
  it('and is killed in the middle of one leaves it to the next, which sends the same key', { timeout: 240_000 }, async () => {
    const id = await deliveries.enqueue({ answer: 'hang', idempotencyKey: 'once' });
    const first = await startProcess();
    await vi.waitFor(() => expect(deliveries.receiver.keys).toEqual(['once']), { timeout: 60_000 });
    await first.end('SIGKILL');
    const killedAt = Date.now();
    expect(await deliveries.read(id)).toMatchObject({ state: 'WAITING', attempts: 1, leaseToken: expect.stringMatching(/./) });
    await startProcess();
    await vi.waitFor(() => expect(deliveries.receiver.keys).toEqual(['once', 'once']), { timeout: 60_000 });
    deliveries.receiver.release();
    const done = await deliveries.untilState(id, 'DONE');
    expect(done.attempts).toBe(2);
    console.log(`taken over and done ${Date.now() - killedAt} ms after the kill; the lease was ${leaseMs} ms`);
  });

  it('and is reported to stop ends in time and gives back what hangs, uncounted', { timeout: 240_000 }, async () => {
    const id = await deliveries.enqueue({ answer: 'hang' });
    const told = await startProcess();
    await vi.waitFor(() => expect(deliveries.receiver.keys.length).toBe(1), { timeout: 60_000 });
    const begun = Date.now();
    expect(await told.end('SIGTERM')).toBe(0);
    expect(Date.now() - begun).toBeLessThan(15_000);
    expect(told.lines).toContain('drained true');
    expect(await deliveries.read(id)).toMatchObject({ state: 'WAITING', attempts: 0, leaseToken: '' });
  });

  it(`loses nothing in ${kills} kills (seed ${seed})`, { timeout: 600_000 }, async () => {
    let state = (seed % 2_147_483_646) + 1;
    const random = (): number => {
      state = (state * 48_271) % 2_147_483_647;
      return state / 2_147_483_647;
    };
    const total = 400;
    for (let number = 0; number < total; number++) {
      await deliveries.enqueue({ tenantId: `tenant ${number % 5}`, answer: 'slow' });
    }
    const running = [await startProcess(), await startProcess()];
    for (let kill = 0; kill < kills; kill++) {
      await delay(50 + random() * 400);
      await running[kill % 2]?.end('SIGKILL');
      running[kill % 2] = await startProcess();
    }
    await vi.waitFor(async () => expect(await deliveries.test.admin("SELECT id FROM deliveries WHERE state <> 'DONE'")).toEqual([]), {
      timeout: 120_000,
      interval: 200,
    });
    const counts = [...deliveries.receiver.counts().values()];
    expect(counts.length).toBe(total);
    const again = counts.filter((count) => count > 1).length;
    console.log(`${total} deliveries, ${kills} kills: ${again} came more than once, at most ${Math.max(...counts)} times`);
    // A process has 8 under way at most.
    expect(again).toBeLessThanOrEqual(8 * kills);
    expect(await deliveries.test.admin('SELECT * FROM jobs')).toEqual([]);
  });
});
