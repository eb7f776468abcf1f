/**
 * Another process of ours that does what reviews and templates do by themselves, for tests that kill it: `node engine-process.ts URL MAIL_PORT LEASE_MS
 * OFFSET_MS`. Its clock is ahead by the offset. Prints `ready` when it looks for work.
 */
import { silentLogger } from '../../src/context.ts';
import { openDatabase } from '../../src/db/open.ts';
import { createDeliveryEffects } from '../../src/foundation/deliveries/index.ts';
import { openNotifications } from '../../src/outward/notifications/index.ts';
import { createPrepareJob, jobKinds as reviewJobs, prepareKind } from '../../src/governance/reviews/index.ts';
import { jobKinds as taskJobs } from '../../src/governance/tasks/index.ts';
import { jobKinds as templateJobs } from '../../src/governance/templates/index.ts';
import { createRunner } from '../../src/jobs/index.ts';
import { reactions } from '../../src/reactions.ts';
import '../../src/slots.ts';

const [databaseUrl, mailPort, leaseMs, offsetMs] = process.argv.slice(2);
const database = await openDatabase({ databaseUrl, log: silentLogger });
const server = { host: '127.0.0.1', port: Number(mailPort), tls: 'none', user: '', password: '' } as const;
const transport = { type: 'smtp', server, passwordFile: undefined, caFile: undefined } as const;
const notifications = await openNotifications({ transport, from: 'countersign@mail.example', perMinute: 100_000 }, undefined);
const clock = (): Date => new Date(Date.now() + Number(offsetMs));
createRunner({
  database,
  log: silentLogger,
  react: reactions,
  clock,
  handlers: new Map([...reviewJobs, ...taskJobs, ...templateJobs, ...notifications.jobKinds, [prepareKind, createPrepareJob(undefined)]]),
  effects: createDeliveryEffects(notifications.deliveryKinds),
  leaseMs: Number(leaseMs),
  pollMs: 100,
}).start();
process.stdout.write('ready\n');
