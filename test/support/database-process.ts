/**
 * Another process of ours that uses a data directory, for tests that kill it: `node database-process.ts hold|write|share DIR [FIRST]`.
 * Prints `ready`, then (write, share) the number of each row once the database has acknowledged it. SIGTERM closes as a server would.
 * `share` begins with FIRST, and goes on where a row failed: the database may be gone for a moment.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { grantAccess } from '../../src/db/access.ts';
import { openDatabase } from '../../src/db/open.ts';
import { silentLogger } from '../../src/context.ts';

const [mode, dataDir, first = '1'] = process.argv.slice(2);

try {
  const database = await openDatabase({ dataDir, log: silentLogger });
  process.once('SIGTERM', () => void database.close().then(() => process.exit(0)));
  const db = database.system();
  // Several of us may do so at once.
  await database.asOwner?.((owner) =>
    owner.transaction(async (tx) => {
      await tx.run('SELECT pg_advisory_xact_lock(1)');
      await tx.run('CREATE TABLE IF NOT EXISTS acknowledged (number int PRIMARY KEY)');
      await grantAccess(tx, 'countersign_app');
    }),
  );
  process.stdout.write('ready\n');
  for (let number = Number(first); mode !== 'hold'; number++) {
    try {
      await db.run('INSERT INTO acknowledged (number) VALUES ($1)', [number]);
      process.stdout.write(`${number}\n`);
    } catch (error) {
      if (mode === 'write') {
        throw error;
      }
    }
    if (mode === 'share') {
      await delay(5);
    }
  }
  setInterval(() => undefined, 1_000_000);
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exit(1);
}
