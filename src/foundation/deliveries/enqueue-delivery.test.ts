/** Adding deliveries on a real database: with the transaction, once for each key, for one tenant. */
import { describe, expect, it } from 'vitest';
import { useDeliveries } from '../../../test/support/deliveries.ts';
import { inTransaction } from '../../context.ts';
import type { Tenant } from '../tenants/index.ts';
import { enqueueDelivery, stopDeliveries } from './index.ts';
import { findDelivery, listDeliveries } from './store.ts';

const deliveries = useDeliveries();
const { enqueue, read } = deliveries;
const count = async (): Promise<number[]> => {
  const [row] = await deliveries.test.admin('SELECT (SELECT count(*) FROM deliveries) AS d, (SELECT count(*) FROM jobs) AS q');
  return [Number(row?.['d']), Number(row?.['q'])];
};

describe('enqueueDelivery', () => {
  it('adds nothing where the transaction does not commit, and refuses to do without one', async () => {
    const request = { kind: 'post', subjectId: 's', idempotencyKey: 'key' };
    const failed = inTransaction(deliveries.context(), async (inside) => {
      await enqueueDelivery(inside, request);
      throw new Error('no');
    });
    await expect(failed).rejects.toThrow('no');
    await expect(enqueueDelivery(deliveries.context(), request)).rejects.toMatchObject({ code: 'INTERNAL' });
    expect(await count()).toEqual([0, 0]);
  });

  it('adds one for a key, per tenant and kind, however often it is asked', async () => {
    const first = await enqueue({ idempotencyKey: 'same', payload: { is: 'first' } });
    expect(await enqueue({ idempotencyKey: 'same', payload: { is: 'second' } })).toBe(first);
    expect((await read(first)).payload).toEqual({ is: 'first' });
    const others = [
      await enqueue({ idempotencyKey: 'same', kind: 'other' }),
      await enqueue({ idempotencyKey: 'same', tenantId: 'two' }),
      await enqueue({ idempotencyKey: 'another' }),
    ];
    expect(new Set([first, ...others]).size).toBe(4);
    const many = await Promise.all(Array.from({ length: 8 }, () => enqueue({ idempotencyKey: 'at once' })));
    expect(new Set(many).size).toBe(1);
    expect(await count()).toEqual([5, 5]);
  });

  it('refuses a key and a payload that are too long', async () => {
    await expect(enqueue({ idempotencyKey: '' })).rejects.toMatchObject({ code: 'INTERNAL' });
    await expect(enqueue({ idempotencyKey: 'x'.repeat(201) })).rejects.toMatchObject({ code: 'INTERNAL' });
    await expect(enqueue({ payload: { text: 'x'.repeat(17_000) } })).rejects.toMatchObject({ code: 'INTERNAL' });
    expect(await count()).toEqual([0, 0]);
  });

  it('adds what only its tenant finds', async () => {
    const id = await enqueue();
    const [one, two] = [deliveries.context(), deliveries.context('two')];
    expect(await findDelivery(one, id)).toMatchObject({ id, state: 'WAITING', attempts: 0, error: '', receipt: {}, endedAt: null });
    expect(await findDelivery(two, id)).toBeUndefined();
    expect((await listDeliveries(one, {}, '', 10)).map((row) => row.id)).toEqual([id]);
    expect(await listDeliveries(two, {}, '', 10)).toEqual([]);
    // The second lock: a statement that names no tenant sees its own rows alone.
    expect(await two.db.rows('SELECT FROM deliveries', [])).toEqual([]);
    await expect(deliveries.test.database.system().rows('SELECT FROM deliveries', [])).rejects.toMatchObject({ code: 'INTERNAL' });
  });

  it('adds nothing to the queue of a deleted tenant, whose waiting ones are given up with the deletion; others go on', async () => {
    const [mine, other] = [await enqueue(), await enqueue({ tenantId: 'two' })];
    await inTransaction(deliveries.context(), (inside) => stopDeliveries(inside, {} as Tenant));
    expect(await read(mine)).toMatchObject({ state: 'DISCARDED', discardReason: 'The tenant was deleted.' });
    await deliveries.test.admin(
      "INSERT INTO tenants (tenant_id, display_name, secret, created_at, deleted_at) VALUES ('one', 'One', '', now(), now())",
    );
    await enqueue({ idempotencyKey: 'late' });
    expect(await deliveries.test.admin('SELECT tenant_id, id FROM jobs')).toEqual([{ tenant_id: 'two', id: other }]);
    await deliveries.test.admin("DELETE FROM tenants WHERE tenant_id = 'one'");
  });
});
