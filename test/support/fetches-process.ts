/**
 * Another process of ours that fetches, for tests that kill it: `node fetches-process.ts URL IMPORT_DIR LEASE_MS STEP`. At the step (`opened`, before
 * anything is asked, or `attempted`, before the outcome is recorded) it prints the step and hangs; any other step is none. Prints `ready` when it looks for
 * work.
 */
import { silentLogger } from '../../src/context.ts';
import { openDatabase } from '../../src/db/open.ts';
import { createFetchEffect, fetchKind, jobKinds } from '../../src/inventory/fetches/index.ts';
import { createRunner } from '../../src/jobs/index.ts';
import { reactions } from '../../src/reactions.ts';
import '../../src/slots.ts';

const [, , databaseUrl, importDir, leaseMs, step] = process.argv;
const clock = (): Date => new Date();
const effect = createFetchEffect({ importDir, settleMs: 0, outgoing: { allowed: [], allowsLocal: false } }, clock);

async function hangAt(name: string): Promise<void> {
  if (name === step) {
    process.stdout.write(`${name}\n`);
    await new Promise(() => undefined);
  }
}

const database = await openDatabase({ databaseUrl, log: silentLogger });
createRunner({
  database,
  handlers: jobKinds,
  effects: new Map([
    [
      fetchKind,
      {
        ...effect,
        async open(context, lease) {
          const opened = await effect.open(context, lease);
          return (
            opened && {
              ...opened,
              async attempt(running, signal) {
                await hangAt('opened');
                const receipt = await opened.attempt(running, signal);
                await hangAt('attempted');
                return receipt;
              },
            }
          );
        },
      },
    ],
  ]),
  log: silentLogger,
  react: reactions,
  clock,
  leaseMs: Number(leaseMs),
  pollMs: 50,
}).start();
process.stdout.write('ready\n');
