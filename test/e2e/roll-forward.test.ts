/** `review roll-forward` as an auditor meets it. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadSamples } from '../support/load-samples.ts';
import { environmentFor, runInProcess } from '../support/command-line.ts';
import type { TestServer } from '../support/server.ts';
import type { World } from '../support/world.ts';
import { startWorld } from '../support/world-server.ts';

let server: TestServer;
let world: World;
let id: string;
beforeAll(async () => {
  const made = await startWorld();
  server = made.server;
  world = made.world;
  const { samples } = await loadSamples();
  const sample = await samples['RollForwardService.get']?.(world, server.admin);
  id = sample?.path?.['access_review_id'] ?? '';
}, 240_000);
afterAll(() => server.stop());

const run = (...args: string[]) =>
  runInProcess(['review', 'roll-forward', id, '--from', world.openId, ...args], {
    env: environmentFor(server.url, server.admin.credential),
  });

it('adds up in words, line by line, and as CSV', async () => {
  const { code, stdout, stderr } = await run('--limit', '3');
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toContain('It ties out.');
  expect(stdout).toMatch(/- still held, and out of scope now +\d\d/);
  expect(stdout.match(/out of scope .*USER/g)).toHaveLength(3);
  const csv = (await run('--csv')).stdout.trimEnd().split('\r\n');
  const whole = JSON.parse((await run('--json', '--limit', '1000')).stdout);
  expect(csv[0]).toMatch(/^number,kind,cause,/);
  expect(csv).toHaveLength(whole.list.length + 1);
  expect(Number(whole.rollForward.leftScope)).toBe(whole.list.length);
});

it('says what is missing', async () => {
  const { code, stderr } = await runInProcess(['review', 'roll-forward', world.openId], {
    env: environmentFor(server.url, server.admin.credential),
  });
  expect(code).toBe(1);
  expect(stderr).toContain('this review has no predecessor: name the earlier review');
});
