/**
 * Another process of ours that makes deliveries, for tests that kill it: `node deliveries-process.ts URL LEASE_MS`. Its one kind, `post`, posts to
 * the `url` of the payload. Prints `ready` when it looks for work.
 */
import { noReactions, silentLogger } from '../../src/context.ts';
import { openDatabase } from '../../src/db/open.ts';
import { createDeliveryEffects } from '../../src/foundation/deliveries/index.ts';
import { createRunner } from '../../src/jobs/index.ts';
import { postKind } from './receiver.ts';
import '../../src/slots.ts';

const database = await openDatabase({ databaseUrl: process.argv[2], log: silentLogger });
const runner = createRunner({
  database,
  effects: createDeliveryEffects(new Map([['post', postKind({ firstPauseMs: 50, longestPauseMs: 200 })]])),
  log: silentLogger,
  react: noReactions,
  clock: () => new Date(),
  leaseMs: Number(process.argv[3]),
  pollMs: 100,
});
runner.start();
process.stdout.write('ready\n');
process.on('SIGTERM', () => {
  void (async () => {
    const ended = await runner.drain(10_000);
    await database.close();
    process.stdout.write(`drained ${ended}\n`);
  })();
});
