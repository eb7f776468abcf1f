/** Several runners, leases that are kept and lost, tenants that take turns, and the end of a process. */
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { useDeliveries } from '../../../test/support/deliveries.ts';
import { postKind } from '../../../test/support/receiver.ts';
import { inTransaction } from '../../context.ts';
import { enqueueDelivery } from './enqueue-delivery.ts';
import { findDelivery } from './store.ts';
import { updateLeased } from '../../jobs/store-effects.ts';
import { until } from '../../../test/support/until.ts';

const deliveries = useDeliveries();
const { start, enqueue, read, untilState } = deliveries;

async function untilNoneWaits(): Promise<void> {
  await vi.waitFor(async () => expect(await deliveries.test.admin("SELECT id FROM deliveries WHERE state = 'WAITING'")).toEqual([]), {
    timeout: 60_000,
    interval: 50,
  });
}

describe('two runners', () => {
  it('make each of 200 deliveries once', async () => {
    for (let number = 0; number < 200; number++) {
      await enqueue({ tenantId: `tenant ${number % 7}` });
    }
    start({ post: postKind() });
    start({ post: postKind() });
    await untilNoneWaits();
    expect([...deliveries.receiver.counts().values()]).toEqual(Array.from({ length: 200 }, () => 1));
    expect(await deliveries.test.admin('SELECT state, attempts, count(*) AS count FROM deliveries GROUP BY 1, 2')).toEqual([
      { state: 'DONE', attempts: 1, count: '200' },
    ]);
    expect(await deliveries.test.admin('SELECT * FROM jobs')).toEqual([]);
  });

  it('make what a clock that was hours ahead has put off or taken, and leave what a right one has put off', async () => {
    const ahead = new Date(Date.now() + 5 * 3_600_000);
    const add = (now: Date, runAt: Date, key: string) =>
      inTransaction(deliveries.context('one', now), (inside) =>
        enqueueDelivery(inside, {
          kind: 'post',
          subjectId: 's',
          idempotencyKey: key,
          runAt,
          payload: { url: deliveries.receiver.url('200') },
        }),
      );
    const [now, later] = [await add(ahead, ahead, 'now'), await add(ahead, new Date(ahead.getTime() + 3_600_000), 'later')];
    const meant = await add(new Date(), new Date(Date.now() + 60_000), 'meant');
    const taken = await add(ahead, ahead, 'taken');
    await deliveries.test.admin("UPDATE jobs SET lease_token = 'dead', run_at = run_at - interval '1 second' WHERE id = $1", [taken]);
    start({ post: postKind() });
    await untilState(now, 'DONE');
    await untilState(taken, 'DONE');
    expect((await read(meant)).state).toBe('WAITING');
    const { state, runAt } = await read(later);
    expect(state).toBe('WAITING');
    // As long a pause as it was given.
    expect(Math.abs((runAt?.getTime() ?? 0) - Date.now() - 3_600_000)).toBeLessThan(60_000);
  });

  it('hear of a new delivery at once', async () => {
    // Longer than this test may take: only what wakes the runner ends the delivery.
    start({ post: postKind() }, { pollMs: 600_000 });
    // The first may be found by the look at its start, the second is not.
    await untilState(await enqueue(), 'DONE');
    await untilState(await enqueue(), 'DONE');
  });
});

describe('a lease', () => {
  it('is renewed while the receiver takes its time, so that nobody else takes the delivery', async () => {
    const id = await enqueue({ answer: 'hang' });
    start({ post: postKind() }, { leaseMs: 3000 });
    start({ post: postKind() }, { leaseMs: 3000 });
    await until(() => expect(deliveries.receiver.keys.length).toBe(1));
    const first = (await read(id)).runAt as Date;
    await until(async () => {
      expect(new Date() > first).toBe(true);
      expect((await read(id)).runAt?.getTime()).toBeGreaterThan(first.getTime());
    });
    deliveries.receiver.release();
    expect(await untilState(id, 'DONE')).toMatchObject({ attempts: 1 });
    expect(deliveries.receiver.keys.length).toBe(1);
  });

  it('that was lost cuts the attempt off, and its late result changes nothing', async () => {
    const aborted = vi.fn();
    const id = await enqueue();
    const ended = vi.fn();
    start(
      {
        post: {
          async deliver(_context, _delivery, signal) {
            signal.addEventListener('abort', aborted);
            await vi.waitFor(() => expect(aborted).toHaveBeenCalled(), { timeout: 60_000 });
            ended();
            return { late: true };
          },
        },
      },
      { leaseMs: 900 },
    );
    await until(async () => expect((await read(id)).attempts).toBe(1));
    await deliveries.test.admin("UPDATE jobs SET lease_token = 'another', run_at = now() + interval '1 hour'");
    const before = await read(id);
    await vi.waitFor(() => expect(ended).toHaveBeenCalled(), { timeout: 60_000 });
    await delay(200);
    expect(await read(id)).toEqual(before);
  });

  it('that was lost without notice is noticed when the result is written down', async () => {
    const id = await enqueue({ answer: 'hang' });
    const onDelivered = vi.fn();
    start({ post: postKind({ onDelivered }) });
    await until(() => expect(deliveries.receiver.keys.length).toBe(1));
    await deliveries.test.admin("UPDATE jobs SET lease_token = 'another'");
    const before = await read(id);
    deliveries.receiver.release();
    await delay(300);
    expect(await read(id)).toEqual(before);
    expect(onDelivered).not.toHaveBeenCalled();
  });

  it('that ran out is taken by another, which counts both attempts', async () => {
    const id = await enqueue();
    const now = new Date();
    const room = { slots: 1, kinds: [{ kind: 'post', slots: 1 }], busy: new Map(), slotsPerTenant: 1 };
    const db = deliveries.test.database.system();
    const terms = { tenantIds: ['one'], token: 'dead process', now, until: new Date(now.getTime() + 500) };
    expect(await updateLeased(db, room, terms)).toMatchObject([{ id, attempts: 1 }]);
    let clock = new Date(now.getTime() + 499);
    start({ post: postKind() }, { clock: () => clock });
    await untilState(await enqueue({ runAt: now }), 'DONE');
    expect(await read(id)).toMatchObject({ state: 'WAITING', attempts: 1 });
    clock = new Date(now.getTime() + 501);
    expect(await untilState(id, 'DONE')).toMatchObject({ attempts: 2, endedAt: clock });
  });

  it('that ran out in the last attempt leaves a dead delivery, without another attempt', async () => {
    const id = await enqueue();
    await deliveries.test.admin('UPDATE jobs SET attempts = 16');
    start({ post: postKind() });
    expect(await untilState(id, 'DEAD')).toMatchObject({ attempts: 16, error: expect.stringContaining('the effect may have happened') });
    expect(deliveries.receiver.keys).toEqual([]);
  });
});

describe('tenants', () => {
  it('take turns: one that has a thousand deliveries holds up nobody who has one', async () => {
    await deliveries.test.admin(
      `INSERT INTO deliveries (tenant_id, id, kind, subject_id, idempotency_key, payload, created_at, updated_at)
       SELECT 'one', 'many' || n, 'post', '', 'many ' || n, jsonb_build_object('url', $1::text), now(), now() FROM generate_series(1, 1000) n`,
      [deliveries.receiver.url('slow')],
    );
    await deliveries.test.admin(
      `INSERT INTO jobs (tenant_id, id, lane, kind, subject_id, run_at, due_since, created_at, updated_at)
       SELECT 'one', 'many' || n, 'OUTSIDE', 'post', 'many' || n, now() - interval '1 hour', now(), now(), now() FROM generate_series(1, 1000) n`,
    );
    start({ post: postKind() }, { effectConcurrency: 4 });
    await until(() => expect(deliveries.receiver.keys.length).toBeGreaterThan(10));
    const id = await enqueue({ tenantId: 'two', idempotencyKey: 'the one' });
    const before = deliveries.receiver.keys.length;
    await untilState(id, 'DONE');
    expect(deliveries.receiver.keys.indexOf('the one') - before).toBeLessThan(40);
  });

  it('are served once in a round, however many have more, and longer', async () => {
    await deliveries.test.admin(
      `INSERT INTO deliveries (tenant_id, id, kind, subject_id, idempotency_key, payload, created_at, updated_at)
       SELECT 'tenant ' || lpad((n % 40)::text, 2, '0'), 'many' || n, 'post', '', 'many ' || n, jsonb_build_object('url', $1::text), now(), now()
       FROM generate_series(1, 800) n`,
      [deliveries.receiver.url('slow')],
    );
    await deliveries.test.admin(
      `INSERT INTO jobs (tenant_id, id, lane, kind, subject_id, run_at, due_since, created_at, updated_at)
       SELECT tenant_id, id, 'OUTSIDE', kind, id, now() - interval '1 hour', now(), now(), now() FROM deliveries`,
    );
    start({ post: postKind() }, { effectConcurrency: 4 });
    await until(() => expect(deliveries.receiver.keys.length).toBeGreaterThan(10));
    const before = deliveries.receiver.keys.length;
    await untilState(await enqueue({ tenantId: 'tenant 20 and a half', idempotencyKey: 'the one' }), 'DONE');
    expect(deliveries.receiver.keys.indexOf('the one') - before).toBeLessThan(60);
  });

  it('whose receivers hang leave room for others', async () => {
    for (let number = 0; number < 12; number++) {
      await enqueue({ answer: 'hang' });
    }
    start({ post: postKind() }, { effectConcurrency: 4 });
    await until(() => expect(deliveries.receiver.keys.length).toBe(3));
    await untilState(await enqueue({ tenantId: 'two' }), 'DONE');
    expect(deliveries.receiver.keys.length).toBe(4);
  });
});

describe('a runner', () => {
  it('works on so many of a kind at once, and on others meanwhile', async () => {
    const most = { slow: 0, post: 0 };
    const now = { slow: 0, post: 0 };
    const counted = (name: 'slow' | 'post', concurrency?: number) => {
      const kind = postKind(concurrency === undefined ? {} : { concurrency });
      return {
        ...kind,
        async deliver(...args: Parameters<typeof kind.deliver>) {
          most[name] = Math.max(most[name], ++now[name]);
          return kind.deliver(...args).finally(() => now[name]--);
        },
      };
    };
    for (let number = 0; number < 10; number++) {
      await enqueue({ kind: 'slow', answer: 'slow' });
      await enqueue({ answer: 'slow' });
    }
    start({ slow: counted('slow', 2), post: counted('post') }, { effectConcurrency: 6 });
    await untilNoneWaits();
    expect(most.slow).toBe(2);
    expect(most.post).toBeGreaterThan(1);
  });

  it('lets what runs end when it drains, and takes nothing more', async () => {
    const running = await enqueue({ answer: 'hang' });
    const runner = start({ post: postKind() }, { effectConcurrency: 1 });
    await until(() => expect(deliveries.receiver.keys.length).toBe(1));
    const waiting = await enqueue();
    const draining = runner.drain(60_000);
    await delay(200);
    deliveries.receiver.release();
    expect(await draining).toBe(true);
    expect(await read(running)).toMatchObject({ state: 'DONE', attempts: 1 });
    expect(await read(waiting)).toMatchObject({ state: 'WAITING', attempts: 0 });
  });

  it('cuts off what does not end, and gives it back without counting the attempt', async () => {
    const id = await enqueue({ answer: 'hang', idempotencyKey: 'twice' });
    const runner = start({ post: postKind() });
    await until(() => expect(deliveries.receiver.keys.length).toBe(1));
    expect(await runner.drain(3000)).toBe(true);
    const given = await read(id);
    expect(given).toMatchObject({ state: 'WAITING', attempts: 0, leaseToken: '', error: '' });
    expect(given.runAt?.getTime()).toBeLessThanOrEqual(Date.now());
    start({ post: postKind() });
    await until(() => expect(deliveries.receiver.keys).toEqual(['twice', 'twice']));
    deliveries.receiver.release();
    expect(await untilState(id, 'DONE')).toMatchObject({ attempts: 1 });
  });

  it('outlives the end of its connections, and writes down what it did', async () => {
    const ids = [await enqueue({ answer: 'hang' }), await enqueue({ answer: 'hang' })];
    start({ post: postKind() });
    await until(() => expect(deliveries.receiver.keys.length).toBe(2));
    await deliveries.test.admin(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'countersign%'",
    );
    deliveries.receiver.release();
    for (const id of ids) {
      expect(await untilState(id, 'DONE')).toMatchObject({ attempts: 1 });
    }
    expect(deliveries.receiver.keys.length).toBe(2);
  });

  it('removes what ended 30 days ago, and nothing that waits', async () => {
    const [done, dead, waiting] = [
      await enqueue(),
      await enqueue({ answer: '410' }),
      await enqueue({ runAt: new Date(Date.now() + 3_600_000) }),
    ];
    let now = new Date();
    const runner = start({ post: postKind() }, { clock: () => now });
    await untilState(done, 'DONE');
    await untilState(dead, 'DEAD');
    const ids = async () => (await deliveries.test.admin('SELECT id FROM deliveries ORDER BY id')).map((row) => row['id']);
    const queued = async () => (await deliveries.test.admin('SELECT id FROM jobs ORDER BY 1')).map((row) => row['id']);
    await runner.drain();
    now = new Date(now.getTime() + 29 * 86_400_000);
    await runner.clean();
    expect(await ids()).toEqual([done, dead, waiting]);
    now = new Date(now.getTime() + 2 * 86_400_000);
    await runner.clean();
    expect([await ids(), await queued()]).toEqual([[waiting], [waiting]]);
    expect(await findDelivery(deliveries.context(), waiting)).toBeDefined();
  });
});
