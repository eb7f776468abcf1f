/** Deliveries made by a runner on a real database, to a real receiver that answers, refuses, hangs and is not there. */
import { describe, expect, it, vi } from 'vitest';
import { useDeliveries } from '../../../test/support/deliveries.ts';
import { postKind } from '../../../test/support/receiver.ts';
import { AppError } from '../../errors.ts';
import { countJobs } from '../../jobs/index.ts';
import type { DeliveryKind } from './index.ts';
import { until } from '../../../test/support/until.ts';

const deliveries = useDeliveries();
const { start, enqueue, read, untilState } = deliveries;
const quick = { firstPauseMs: 20, longestPauseMs: 40 };

describe('a delivery', () => {
  it('is made outside a transaction, as its tenant, under its key', async () => {
    const seen: unknown[] = [];
    const kind = postKind();
    const ids = [await enqueue({ idempotencyKey: 'mine' }), await enqueue({ tenantId: 'two', idempotencyKey: 'mine' })];
    start({
      post: {
        deliver(context, delivery, signal) {
          seen.push([context.tenantId, context.actor.kind, context.db.inTransaction, delivery.attempts]);
          return kind.deliver(context, delivery, signal);
        },
      },
    });
    const [first] = await Promise.all(ids.map((id) => untilState(id, 'DONE')));
    expect(first).toMatchObject({ receipt: { status: 200 }, attempts: 1, error: '', runAt: undefined, endedAt: expect.any(Date) });
    expect(seen.sort()).toEqual([
      ['one', 'system', false, 1],
      ['two', 'system', false, 1],
    ]);
    expect(deliveries.receiver.keys).toEqual(['mine', 'mine']);
    expect(await deliveries.events(first?.id ?? '')).toEqual([]);
  });

  it('is tried again after a failure, under the same key, and done in the end', async () => {
    let answers = 0;
    const kind = postKind(quick);
    const id = await enqueue({ idempotencyKey: 'again' });
    start({
      post: {
        ...kind,
        deliver: (context, delivery, signal) =>
          kind.deliver(context, { ...delivery, payload: { url: deliveries.receiver.url(++answers < 4 ? '500' : '200') } }, signal),
      },
    });
    expect(await untilState(id, 'DONE')).toMatchObject({ attempts: 4, error: '' });
    expect(deliveries.receiver.keys).toEqual(['again', 'again', 'again', 'again']);
  });

  it('waits as chance and the receiver say', async () => {
    const now = new Date('2026-03-01T12:00:00.000Z');
    const due = { runAt: now };
    const [broken, busy] = [await enqueue({ ...due, answer: '500' }), await enqueue({ ...due, answer: '429' })];
    start({ post: postKind() }, { clock: () => now, random: () => 0.5 });
    await until(async () => expect((await read(broken)).error + (await read(busy)).error).toMatch(/500.*429/));
    expect(await read(broken)).toMatchObject({ state: 'WAITING', attempts: 1, runAt: new Date(now.getTime() + 5000), leaseToken: '' });
    expect(await read(busy)).toMatchObject({ state: 'WAITING', attempts: 1, runAt: new Date(now.getTime() + 7000) });
  });

  it('is dead after its last attempt, with an event, in one transaction with what its kind does then', async () => {
    const onDead = vi.fn<NonNullable<DeliveryKind['onDead']>>(async (context) => {
      await context.db.run("INSERT INTO tenant_counters (tenant_id, name, value) VALUES ($1, 'dead', 1)", [context.tenantId]);
    });
    const id = await enqueue({ answer: '500' });
    start({ post: postKind({ ...quick, maxAttempts: 3, onDead }) });
    const dead = await untilState(id, 'DEAD');
    expect(dead).toMatchObject({
      attempts: 3,
      error: 'The receiver answered 500.',
      runAt: null,
      leaseToken: '',
      endedAt: expect.any(Date),
    });
    expect(onDead).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ tenantId: 'one' }),
      expect.objectContaining({ id }),
      expect.objectContaining({ code: 'UNAVAILABLE' }),
    );
    const data = { kind: 'post', subjectId: 'subject', attempts: 3, error: 'The receiver answered 500.' };
    expect(await deliveries.events(id)).toEqual([{ kind: 'delivery.dead', target_type: 'delivery', data }]);
    // Another one, enqueued later, has its turn, and the dead one has none.
    await untilState(await enqueue(), 'DONE');
    expect(deliveries.receiver.keys.length).toBe(4);
  });

  it('is dead at once where another attempt cannot help', async () => {
    const id = await enqueue({ answer: '410' });
    start({ post: postKind() });
    expect(await untilState(id, 'DEAD')).toMatchObject({ attempts: 1, error: 'The receiver answered 410.' });
  });

  it('to nobody, and to somebody who never answers, has failed', async () => {
    const aborted = vi.fn();
    const kind = postKind({ ...quick, maxAttempts: 2 });
    const [nobody, hanging] = [
      await enqueue({ payload: { url: 'http://127.0.0.1:9/' } }),
      await enqueue({ kind: 'impatient', answer: 'hang' }),
    ];
    start({
      post: kind,
      impatient: {
        ...kind,
        timeLimitMs: 150,
        deliver(context, delivery, signal) {
          signal.addEventListener('abort', aborted);
          return kind.deliver(context, delivery, signal);
        },
      },
    });
    expect(await untilState(nobody, 'DEAD')).toMatchObject({ error: 'The receiver cannot be reached.' });
    expect(await untilState(hanging, 'DEAD')).toMatchObject({ attempts: 2, error: 'There was no answer within 0.15 seconds.' });
    expect(aborted).toHaveBeenCalled();
  });

  it('that fails in a way nobody foresaw shows a reference, and its text stays in the log', async () => {
    const error = vi.fn();
    const log = { debug() {}, info() {}, warn() {}, error, child: () => log };
    const id = await enqueue();
    const fault = (): never => {
      throw new TypeError('secret');
    };
    start({ post: { deliver: fault, maxAttempts: 1 } }, { log });
    expect((await untilState(id, 'DEAD')).error).toMatch(/^Something went wrong on our side \(reference [0-9a-f]{12}\)\.$/);
    expect(error).toHaveBeenCalledWith(expect.objectContaining({ err: expect.objectContaining({ message: 'secret' }) }), expect.anything());
  });

  it('keeps what PostgreSQL cannot store out of its receipt and its error', async () => {
    const ids = [await enqueue({ subjectId: 'fine' }), await enqueue({ subjectId: 'bad' }), await enqueue({ subjectId: 'long' })];
    start({
      post: {
        async deliver(_context, { subjectId }) {
          if (subjectId === 'bad') {
            throw new AppError('NOT_FOUND', 'It said \0 and \ud800.');
          }
          return { text: subjectId === 'long' ? 'x'.repeat(5000) : 'a\0b\udfff' };
        },
      },
    });
    expect((await untilState(ids[0] as string, 'DONE')).receipt).toEqual({ text: 'ab\ufffd' });
    expect((await untilState(ids[1] as string, 'DEAD')).error).toBe('It said  and \ufffd.');
    expect((await untilState(ids[2] as string, 'DONE')).receipt).toEqual({});
  });

  it('that is not wanted any more leaves the queue without an attempt', async () => {
    const id = await enqueue();
    await deliveries.test.admin("UPDATE deliveries SET state = 'DISCARDED' WHERE id = $1", [id]);
    start({ post: postKind() });
    await until(async () => expect((await read(id)).leaseToken).toBeUndefined());
    expect([(await read(id)).state, deliveries.receiver.keys]).toEqual(['DISCARDED', []]);
  });

  it('of a kind that this process does not know is left for another', async () => {
    const [unknown, known] = [await enqueue({ kind: 'unknown' }), await enqueue()];
    start({ post: postKind() });
    await untilState(known, 'DONE');
    expect(await read(unknown)).toMatchObject({ state: 'WAITING', attempts: 0, leaseToken: '' });
  });
});

describe('rules of a kind', () => {
  it('run with the record of a success, or undo it', async () => {
    let fails = true;
    const onDelivered = vi.fn<NonNullable<DeliveryKind['onDelivered']>>(async (context, _delivery, receipt) => {
      await context.db.run('INSERT INTO tenant_counters (tenant_id, name, value) VALUES ($1, $2, 1)', [
        context.tenantId,
        JSON.stringify(receipt),
      ]);
      if (fails) {
        fails = false;
        throw new Error('for the log alone');
      }
    });
    const id = await enqueue();
    let now = new Date();
    start({ post: postKind({ onDelivered }) }, { clock: () => now });
    await until(async () => expect((await read(id)).error).toMatch(/reference/));
    const between = await read(id);
    expect(between).toMatchObject({ state: 'WAITING', attempts: 1, receipt: {} });
    expect((between.runAt as Date).getTime()).toBe(now.getTime() + 60_000);
    now = new Date(now.getTime() + 61_000);
    expect(await untilState(id, 'DONE')).toMatchObject({ attempts: 2, error: '' });
    expect(onDelivered).toHaveBeenCalledTimes(2);
    expect(await deliveries.test.admin("SELECT value FROM tenant_counters WHERE name LIKE '%200%'")).toHaveLength(1);
  });

  it('about the end are tried until they succeed, without another attempt', async () => {
    let failures = 0;
    const onDead = vi.fn(async () => {
      if (failures++ < 2) {
        throw new Error('for the log alone');
      }
    });
    const id = await enqueue({ answer: '500' });
    let now = new Date();
    start({ post: postKind({ maxAttempts: 1, onDead }) }, { clock: () => now });
    for (let round = 1; round < 3; round++) {
      await until(() => expect(onDead).toHaveBeenCalledTimes(round));
      await until(async () => expect((await read(id)).runAt?.getTime()).toBe(now.getTime() + 60_000));
      now = new Date(now.getTime() + 61_000);
    }
    expect(await untilState(id, 'DEAD')).toMatchObject({ attempts: 1, error: expect.stringMatching(/reference/) });
    expect(deliveries.receiver.keys.length).toBe(1);
  });
});

describe('the metrics', () => {
  it('count what waits, what nobody takes and what is dead, and how old the oldest is', async () => {
    const now = new Date();
    const ago = (seconds: number): Date => new Date(now.getTime() - seconds * 1000);
    const count = () => countJobs(deliveries.test.database.system(), 'OUTSIDE', ago(60), now);
    expect(await count()).toEqual({ waiting: 0, late: 0, failed: 0, oldestSeconds: 0 });
    await enqueue({ runAt: new Date(now.getTime() + 60_000) });
    expect(await count()).toEqual({ waiting: 1, late: 0, failed: 0, oldestSeconds: 0 });
    await enqueue({ runAt: ago(300), tenantId: 'two' });
    const dead = await enqueue({ runAt: ago(900), answer: '410', kind: 'dead' });
    start({ dead: postKind() });
    await untilState(dead, 'DEAD');
    expect(await count()).toEqual({ waiting: 2, late: 1, failed: 1, oldestSeconds: 300 });
  });
});
