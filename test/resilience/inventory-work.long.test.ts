/**
 * Twenty at once who change one inventory in every way there is: nobody is answered by a fault, no deadlock reaches anybody, and what is there
 * afterwards holds together. COUNTERSIGN_WORK_SECONDS makes it longer (6 unless given), COUNTERSIGN_WORK_SEED repeats the choices.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Logger } from '../../src/context.ts';
import { checkInventory } from '../support/check-inventory.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { acts } from './inventory-acts.ts';
import { prepareWork, untilJobsRest, workAtOnce } from './inventory-work.ts';

const seconds = Number(process.env['COUNTERSIGN_WORK_SECONDS'] ?? 6);
const seed = Number(process.env['COUNTERSIGN_WORK_SEED'] ?? Date.now() % 1_000_000);
const clients = 20;
/** However busy the machine is, every kind of act is to be tried several times. */
const leastActs = 600;

let server: TestServer;
const errors: string[] = [];
const ignore = (): void => undefined;
const log: Logger = {
  debug: ignore,
  info: ignore,
  warn: ignore,
  error: (fields, message) => {
    const { err, cause, detail } = fields as { err?: unknown; cause?: unknown; detail?: unknown };
    errors.push(`${message}: ${String(err)} ${String(cause)} ${String(detail)}`);
  },
  child: () => log,
};

beforeAll(async () => {
  server = await startTestServer({ log, config: { poolSize: 12 } });
});
afterAll(() => server.stop());

it('twenty at once leave an inventory that holds together', { timeout: 240_000 + seconds * 2000 }, async () => {
  const workerOf = await prepareWork(server);
  const deadlocks = async (): Promise<number> => {
    const [row] = await server.test.admin('SELECT deadlocks::int AS count FROM pg_stat_database WHERE datname = current_database()');
    return Number(row?.['count']);
  };
  const workers = Array.from({ length: clients }, (_, index) => workerOf(seed + index));
  const until = Date.now() + seconds * 1000;
  let asked = 0;
  const { answers, faults } = await workAtOnce(workers, () => {
    asked += 1;
    return Date.now() > until && asked > leastActs;
  });
  await untilJobsRest(workerOf(seed));
  const total = [...answers.values()].reduce((sum, count) => sum + count, 0);
  const told = [...answers].sort().map(([key, count]) => `${key}: ${count}`);
  console.log(`seed ${seed}, ${total} answers in ${seconds} s, ${await deadlocks()} deadlocks\n${told.join(', ')}`);
  expect(faults).toEqual([]);
  expect(errors).toEqual([]);
  await checkInventory(server.test.admin, server.id);
  // Done in earnest: every kind of act was tried, and nearly every kind worked at least once.
  const worked = Object.keys(acts).filter((name) => [...answers.keys()].some((key) => key.startsWith(`${name} 20`)));
  expect(Object.keys(acts).filter((name) => !worked.includes(name)).length).toBeLessThan(10);
});
