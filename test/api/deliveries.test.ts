/** Deliveries over HTTP: listed, looked at, repeated and discarded. What each role may do, and other tenants' ids, is tested for all operations. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inTransaction } from '../../src/context.ts';
import { enqueueDelivery } from '../../src/foundation/deliveries/index.ts';
import { type Answer, type Loose, request, violatedFields } from '../support/api.ts';
import { makeDeadDelivery } from '../support/samples/deliveries.ts';
import { useTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await useTestServer();
});
afterAll(() => server.stop());

const call = (method: string, path: string, body?: unknown): Promise<Answer> =>
  request(server, server.admin, method, `/api/v1/deliveries${path}`, body);
const idsOf = ({ body }: Answer): string[] => body.list.map(({ id }: Loose) => id);
const events = async (targetId: string): Promise<Loose[]> =>
  (await request(server, server.admin, 'POST', '/api/v1/systemlog/events', { pageSize: 100 })).body.list.filter(
    ({ unmapped }: Loose) => unmapped.target_id === targetId,
  );

describe('deliveries', () => {
  it('are listed by state and kind, the newest first, with where they stand', async () => {
    const dead = await makeDeadDelivery(server, 'mail');
    const other = await makeDeadDelivery(server, 'webhook');
    const runAt = new Date(Date.now() + 3_600_000);
    const waiting = await inTransaction(server.system(), (inside) =>
      enqueueDelivery(inside, { kind: 'mail', subjectId: 'task', idempotencyKey: 'k', payload: { taskId: 't' }, runAt }),
    );
    expect(idsOf(await call('GET', ''))).toEqual([waiting, other, dead]);
    expect(idsOf(await call('GET', '?state=DELIVERY_STATE_DEAD'))).toEqual([other, dead]);
    expect(idsOf(await call('GET', '?kind=mail'))).toEqual([waiting, dead]);
    expect(idsOf(await call('GET', '?kind=mail&state=DELIVERY_STATE_DEAD'))).toEqual([dead]);
    expect(idsOf(await call('GET', '?kind=none'))).toEqual([]);
    expect((await call('GET', '?state=DELIVERY_STATE_LOST')).status).toBe(400);
    const { delivery } = (await call('GET', `/${waiting}`)).body;
    expect(delivery).toEqual({
      id: waiting,
      kind: 'mail',
      subjectId: 'task',
      idempotencyKey: 'k',
      payload: { taskId: 't' },
      state: 'DELIVERY_STATE_WAITING',
      attempts: 0,
      repeats: 0,
      error: '',
      receipt: {},
      discardReason: '',
      isRunning: false,
      nextAttemptAt: runAt.toISOString(),
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    await server.test.admin("UPDATE jobs SET lease_token = 'token' WHERE id = $1", [waiting]);
    expect((await call('GET', `/${waiting}`)).body.delivery.isRunning).toBe(true);
  });

  it('are repeated when they are dead, once, with an event', async () => {
    const id = await makeDeadDelivery(server);
    const { status, body } = await call('POST', `/${id}/repeat`, {});
    expect(status).toBe(200);
    expect(body.delivery).toMatchObject({ state: 'DELIVERY_STATE_WAITING', attempts: 0, repeats: 1, error: 'World' });
    expect(body.delivery.endedAt).toBeUndefined();
    const again = await call('POST', `/${id}/repeat`, {});
    expect([again.status, again.body.code, again.body.message]).toEqual([
      400,
      9,
      'This delivery waits for its next attempt. You can repeat only a dead delivery.',
    ]);
    expect((await events(id)).map(({ unmapped }) => [unmapped.kind, unmapped.actor_id, unmapped.data])).toEqual([
      ['delivery.repeated', server.admin.id, { kind: 'sample', subjectId: 'World', attempts: 16, error: 'World' }],
    ]);
  });

  it('of a kind are repeated together', async () => {
    const ids = [await makeDeadDelivery(server, 'together'), await makeDeadDelivery(server, 'together')];
    expect((await call('POST', '/repeat_dead', { kind: 'together' })).body).toEqual({ repeatedCount: 2 });
    expect((await call('POST', '/repeat_dead', { kind: 'together' })).body).toEqual({ repeatedCount: 0 });
    expect((await events('together')).map(({ unmapped }) => unmapped.data)).toEqual([
      { kind: 'together', count: 2, firstId: ids[0], lastId: ids[1] },
    ]);
    const refused = await call('POST', '/repeat_dead', {});
    expect([refused.status, violatedFields(refused)]).toEqual([400, ['kind']]);
  });

  it('are discarded when they are dead, for a reason, with an event', async () => {
    const id = await makeDeadDelivery(server);
    for (const reason of ['', ' ', 'x'.repeat(1001)]) {
      const refused = await call('POST', `/${id}/discard`, { reason });
      expect([refused.status, violatedFields(refused)]).toEqual([400, ['reason']]);
    }
    const { body } = await call('POST', `/${id}/discard`, { reason: 'The webhook is gone.' });
    expect(body.delivery).toMatchObject({ state: 'DELIVERY_STATE_DISCARDED', discardReason: 'The webhook is gone.' });
    for (const [action, fields] of [
      ['repeat', {}],
      ['discard', { reason: 'Again.' }],
    ] as const) {
      const refused = await call('POST', `/${id}/${action}`, fields);
      expect([refused.status, refused.body.code]).toEqual([400, 9]);
    }
    expect((await events(id)).map(({ unmapped }) => unmapped.kind)).toEqual(['delivery.discarded']);
  });

  it('that are not there are 404', async () => {
    const nobody = 'x'.repeat(27);
    const answers = [
      await call('GET', `/${nobody}`),
      await call('POST', `/${nobody}/repeat`, {}),
      await call('POST', `/${nobody}/discard`, { reason: 'x' }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
  });

  it('are counted in the metrics', async () => {
    const text = await (await server.fetch('/metrics')).text();
    expect(text).toMatch(/countersign_deliveries\{state="dead"\} [1-9]/);
    expect(text).toMatch(/countersign_deliveries_oldest_seconds \d/);
  });
});
