/** A process that does nothing but seal one log, for tests that kill it: `node seal-process.ts DATABASE-URL TENANT`. */
import { setTimeout as delay } from 'node:timers/promises';
import { noReactions, silentLogger, systemActor } from '../../src/context.ts';
import { openDatabase } from '../../src/db/open.ts';
import { sealLog } from '../../src/foundation/audit/seal.ts';
import '../../src/slots.ts';

const [databaseUrl = '', tenantId = ''] = process.argv.slice(2);
const database = await openDatabase({ databaseUrl, poolSize: 1, log: silentLogger });
const context = { db: database.tenant(tenantId), tenantId, actor: systemActor('seal-process'), log: silentLogger, react: noReactions };
for (;;) {
  await sealLog({ ...context, now: new Date() }, { forMs: 1_000, waitsForLock: false, mostPerSeal: 10 }).catch(() => undefined);
  await delay(Math.random() * 30);
}
