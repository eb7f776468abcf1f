/** Acts of administrators on deliveries, in every state one can be in. */
import { describe, expect, it, vi } from 'vitest';
import { useDeliveries } from '../../../test/support/deliveries.ts';
import { postKind } from '../../../test/support/receiver.ts';
import { discardDelivery, maxRepeatedAtOnce, repeatDeadDeliveries, repeatDelivery, requireDelivery } from './manage-deliveries.ts';
import { stateAfter } from './states.ts';
import type { DeliveryState } from './types.ts';

const deliveries = useDeliveries();
const { start, enqueue, read, untilState } = deliveries;

/** A delivery in this state, come there as production would bring it there. */
async function make(state: DeliveryState): Promise<string> {
  const id = await enqueue({ answer: state === 'DONE' ? '200' : '410' });
  if (state !== 'WAITING') {
    const runner = start({ post: postKind() });
    await untilState(id, state === 'DONE' ? 'DONE' : 'DEAD');
    await runner.drain();
  }
  if (state === 'DISCARDED') {
    await discardDelivery(deliveries.context(), id, 'Not needed.');
  }
  return id;
}

const allStates: readonly DeliveryState[] = ['WAITING', 'DONE', 'DEAD', 'DISCARDED'];
const acts = {
  repeat: (id: string) => repeatDelivery(deliveries.context(), id),
  discard: (id: string) => discardDelivery(deliveries.context(), id, 'Not needed.'),
} as const;

describe('an action', () => {
  it.each(allStates)('on one that is %s is possible or refused, as the table of states says', async (state) => {
    for (const action of ['repeat', 'discard'] as const) {
      const id = await make(state);
      const before = await read(id);
      const events = await deliveries.events(id);
      const after = stateAfter(state, action);
      if (after === undefined) {
        await expect(acts[action](id)).rejects.toMatchObject({ code: 'FAILED_PRECONDITION' });
        expect([await read(id), await deliveries.events(id)]).toEqual([before, events]);
      } else {
        expect(await acts[action](id)).toMatchObject({ id, state: after });
        expect((await deliveries.events(id)).length).toBe(events.length + 1);
      }
    }
  });

  it('is in the table for these states alone', () => {
    const actions = ['repeat', 'discard'] as const;
    const table = allStates.map((state) => actions.map((action) => stateAfter(state, action) ?? '-').join(' '));
    expect(table).toEqual(['- -', '- -', 'WAITING DISCARDED', '- -']);
  });

  it('on one that is not there, or is another tenant’s, finds nothing', async () => {
    const id = await make('DEAD');
    const theirs = deliveries.context('two');
    for (const refused of [
      () => repeatDelivery(theirs, id),
      () => discardDelivery(theirs, id, 'Not needed.'),
      () => requireDelivery(theirs, id),
      () => requireDelivery(deliveries.context(), 'x'.repeat(27)),
    ]) {
      await expect(refused()).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
    expect(await repeatDeadDeliveries(theirs, 'post')).toBe(0);
    expect((await read(id)).state).toBe('DEAD');
  });
});

describe('repeating', () => {
  it('gives all attempts back, keeps key and last error, and tells what was before', async () => {
    const id = await make('DEAD');
    const dead = await read(id);
    const now = new Date();
    expect(await repeatDelivery(deliveries.context('one', now), id)).toMatchObject({ state: 'WAITING', isRunning: false });
    expect(await read(id)).toMatchObject({
      attempts: 0,
      repeats: 1,
      error: dead.error,
      idempotencyKey: dead.idempotencyKey,
      endedAt: null,
      runAt: now,
      leaseToken: '',
    });
    const data = { kind: 'post', subjectId: 'subject', attempts: 1, error: 'The receiver answered 410.' };
    expect((await deliveries.events(id)).at(-1)).toEqual({ kind: 'delivery.repeated', target_type: 'delivery', data });
    start({ post: postKind() });
    expect(await untilState(id, 'DEAD')).toMatchObject({ attempts: 1, repeats: 1 });
    expect(deliveries.receiver.keys).toEqual([dead.idempotencyKey, dead.idempotencyKey]);
  });

  it('is done once when two ask at once', async () => {
    const id = await make('DEAD');
    const both = await Promise.allSettled([repeatDelivery(deliveries.context(), id), repeatDelivery(deliveries.context(), id)]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect((await read(id)).repeats).toBe(1);
  });

  it('takes all dead ones of a kind and no other, a thousand at once, the oldest first, in one event', async () => {
    await deliveries.test.admin(
      `INSERT INTO deliveries (tenant_id, id, kind, subject_id, idempotency_key, state, attempts, created_at, updated_at, ended_at)
       SELECT 'one', 'id' || lpad(n::text, 5, '0'), k.kind, '', 'many ' || n, s.state, 9, now(), now(), now()
       FROM generate_series(1, 1003) n, (VALUES ('bulk', 'DEAD'), ('other', 'DEAD')) AS s (kind, state), LATERAL (SELECT s.kind) k
       WHERE s.kind = 'bulk' OR n = 0`,
    );
    await deliveries.test.admin(
      `INSERT INTO jobs (tenant_id, id, lane, kind, subject_id, state, run_at, due_since, created_at, updated_at)
       SELECT tenant_id, id, 'OUTSIDE', kind, id, 'FAILED', now(), now(), now(), now() FROM deliveries`,
    );
    const other = await make('DEAD');
    expect(await repeatDeadDeliveries(deliveries.context(), 'bulk')).toBe(maxRepeatedAtOnce);
    const left = async () =>
      (await deliveries.test.admin("SELECT id FROM deliveries WHERE kind = 'bulk' AND state = 'DEAD' ORDER BY id")).map(({ id }) => id);
    expect(await left()).toEqual(['id01001', 'id01002', 'id01003']);
    expect(await deliveries.events('bulk')).toEqual([
      {
        kind: 'delivery.repeated',
        target_type: 'delivery_kind',
        data: { kind: 'bulk', count: 1000, firstId: 'id00001', lastId: 'id01000' },
      },
    ]);
    expect(await repeatDeadDeliveries(deliveries.context(), 'bulk')).toBe(3);
    expect(await repeatDeadDeliveries(deliveries.context(), 'bulk')).toBe(0);
    expect((await deliveries.events('bulk')).length).toBe(2);
    expect((await deliveries.test.admin("SELECT FROM jobs WHERE kind = 'bulk' AND state = 'WAITING'")).length).toBe(1003);
    expect((await read(other)).state).toBe('DEAD');
    await expect(repeatDeadDeliveries(deliveries.context(), '')).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });
});

describe('discarding', () => {
  it('needs a reason, which is kept, and is for good', async () => {
    const id = await make('DEAD');
    for (const reason of ['', '  ', 'x'.repeat(1001)]) {
      await expect(discardDelivery(deliveries.context(), id, reason)).rejects.toMatchObject({ violations: [{ field: 'reason' }] });
    }
    await discardDelivery(deliveries.context(), id, ' The webhook is gone. ');
    expect(await read(id)).toMatchObject({ state: 'DISCARDED', discardReason: 'The webhook is gone.', runAt: undefined });
    expect((await deliveries.events(id)).at(-1)).toMatchObject({ kind: 'delivery.discarded', data: { reason: 'The webhook is gone.' } });
    const kind = postKind();
    const deliver = vi.fn(kind.deliver);
    start({ post: { ...kind, deliver } });
    await untilState(await enqueue(), 'DONE');
    expect(deliver).toHaveBeenCalledTimes(1);
  });
});
