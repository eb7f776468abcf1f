/** A database of the release before there was one queue: what was called for, waited, was under way or dead goes on from where it was. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TestDatabase } from '../../test/support/database.ts';
import { postKind } from '../../test/support/receiver.ts';
import { openDatabaseBefore } from '../../test/support/upgrade.ts';
import { noReactions, silentLogger, systemActor } from '../context.ts';
import { createDeliveryEffects } from '../foundation/deliveries/index.ts';
import { repeatDelivery, requireDelivery } from '../foundation/deliveries/manage-deliveries.ts';
import { countJobs, createRunner, type Job } from '../jobs/index.ts';
import { migrate } from './migrate.ts';

let test: TestDatabase;
beforeAll(async () => {
  test = await openDatabaseBefore('_one_queue.sql');
});
afterAll(() => test.close());

const hour = 3_600_000;
const context = (tenantId: string) => ({
  db: test.database.tenant(tenantId),
  tenantId,
  actor: systemActor('test'),
  now: new Date(),
  log: silentLogger,
  react: noReactions,
});

interface OldDelivery {
  readonly state: 'WAITING' | 'DONE' | 'DEAD';
  readonly attempts: number;
  readonly runAt?: Date | null;
  readonly token?: string;
  readonly tenantId?: string;
}

async function addDelivery(id: string, { state, attempts, runAt, token = '', tenantId = 'one' }: OldDelivery): Promise<void> {
  await test.admin(
    `INSERT INTO deliveries (tenant_id, id, kind, subject_id, idempotency_key, payload, state, attempts, error, created_at, updated_at, ended_at)
     VALUES ($1, $2, 'post', 'subject', 'key ' || $2, '{}', $3, $4, CASE WHEN $4 > 0 THEN 'It said 500.' ELSE '' END, now(), now(),
       CASE WHEN $3 <> 'WAITING' THEN now() - interval '1 day' END)`,
    [tenantId, id, state, attempts],
  );
  if (runAt !== undefined) {
    await test.admin(
      `INSERT INTO delivery_queue (tenant_id, delivery_id, kind, run_at, due_since, lease_token, written_at)
       VALUES ($1, $2, 'post', $3, now() - interval '2 hours', $4, now())`,
      [tenantId, id, runAt, token],
    );
  }
}

it('goes on with one queue', async () => {
  const now = Date.now();
  const later = new Date(now + hour);
  await test.admin(
    `INSERT INTO jobs (id, tenant_id, kind, subject_id, state, cursor, done, total, run_at, created_at, updated_at) VALUES
       ('going on', 'one', 'count', 'a', 'WAITING', '{"next": 7}', 7, 20, now(), now(), now()),
       ('ended', 'one', 'count', 'b', 'DONE', '{}', 20, 20, now(), now(), now()),
       ('failed', 'one', 'count', 'c', 'FAILED', '{}', 3, 20, now(), now(), now())`,
  );
  await test.admin(
    `INSERT INTO job_calls (tenant_id, kind, subject_id, run_at, called_at) VALUES
       ('one', 'look', 'x', now(), now()), ('one', 'look', 'x', now(), NULL), ('two', 'look', 'x', now(), now()), ('one', 'look', 'y', $1, now())`,
    [later],
  );
  await addDelivery('due', { state: 'WAITING', attempts: 2, runAt: new Date(now) });
  await addDelivery('due elsewhere', { state: 'WAITING', attempts: 0, runAt: new Date(now), tenantId: 'two' });
  await addDelivery('put off', { state: 'WAITING', attempts: 1, runAt: later });
  await addDelivery('under way', { state: 'WAITING', attempts: 1, runAt: new Date(now + 5000), token: 'gone process' });
  await addDelivery('dead', { state: 'DEAD', attempts: 16, runAt: null });
  await addDelivery('done', { state: 'DONE', attempts: 1 });

  expect(await migrate(test.database, silentLogger)).toContainEqual(expect.stringContaining('_one_queue'));
  const db = test.database.system();
  expect(await countJobs(db, 'INSIDE', new Date(0), new Date())).toMatchObject({ waiting: 1, failed: 1 });
  expect(await countJobs(db, 'OUTSIDE', new Date(0), new Date())).toMatchObject({ waiting: 4, failed: 1 });
  expect(await requireDelivery(context('one'), 'put off')).toMatchObject({ state: 'WAITING', attempts: 1, runAt: later, isRunning: false });
  expect(await requireDelivery(context('one'), 'under way')).toMatchObject({ attempts: 1, isRunning: true });

  const begun: Partial<Job>[] = [];
  const made: unknown[] = [];
  const note = async (_context: unknown, job: Job): Promise<'finished'> => {
    begun.push({ tenantId: job.tenantId, kind: job.kind, subjectId: job.subjectId, cursor: job.cursor, done: job.done });
    return 'finished';
  };
  const runner = createRunner({
    database: test.database,
    handlers: new Map([
      ['count', { handler: note }],
      ['look', { handler: note }],
    ]),
    effects: createDeliveryEffects(
      new Map([
        [
          'post',
          postKind({
            async deliver({ tenantId }, { idempotencyKey, attempts }) {
              made.push([tenantId, idempotencyKey, attempts]);
              return {};
            },
          }),
        ],
      ]),
    ),
    log: silentLogger,
    react: noReactions,
    pollMs: 20,
    clock: () => new Date(),
  });
  runner.start();
  await expect.poll(() => made.length, { timeout: 60_000 }).toBe(3);
  await expect.poll(() => begun.length, { timeout: 60_000 }).toBe(3);
  expect(made.toSorted()).toEqual([
    ['one', 'key due', 3],
    ['one', 'key under way', 2],
    ['two', 'key due elsewhere', 1],
  ]);
  expect(begun).toHaveLength(3);
  expect(begun).toEqual(
    expect.arrayContaining([
      { tenantId: 'one', kind: 'count', subjectId: 'a', cursor: { next: 7 }, done: 7 },
      { tenantId: 'one', kind: 'look', subjectId: 'x', cursor: {}, done: 0 },
      { tenantId: 'two', kind: 'look', subjectId: 'x', cursor: {}, done: 0 },
    ]),
  );
  await repeatDelivery(context('one'), 'dead');
  await expect.poll(() => made.length, { timeout: 60_000 }).toBe(4);
  await runner.drain();
  expect(made.at(-1)).toEqual(['one', 'key dead', 1]);
  const left = "SELECT kind, subject_id AS subject, run_at AS at FROM jobs WHERE state IN ('CALLED', 'WAITING') ORDER BY kind";
  expect(await test.admin(left)).toEqual([
    { kind: 'look', subject: 'y', at: later },
    { kind: 'post', subject: 'put off', at: later },
  ]);
});
