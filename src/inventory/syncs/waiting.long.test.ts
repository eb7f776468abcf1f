/** Imports that have to wait for another of the same app: as long as it takes, and without holding what others need. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { bodyOf, grantsHeader, makeTenant, type TestTenant } from '../../../test/support/inventory.ts';
import { inTransaction } from '../../context.ts';
import type { Db } from '../../db/types.ts';
import { ensureApp } from '../catalog/index.ts';
import { importGrants } from './import-grants.ts';

/** Many times what a statement of an import takes: a busy machine does not reach it. */
const statementTimeoutMs = 2000;
const poolSize = 5;

describe('imports of an app that is being changed', () => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await openTestDatabase({ poolSize, statementTimeoutMs });
  });
  afterAll(() => test.close());

  const file = (entitlement: string) => [`a,,USER,ENABLED,role,wiki,${entitlement},,`];

  /** Runs `work` while somebody else changes the app, which takes longer than a statement may. */
  async function whileLocked(tenant: ReturnType<typeof makeTenant>, work: () => Promise<void>): Promise<void> {
    const locked = Promise.withResolvers<void>();
    const isOver = Promise.withResolvers<void>();
    const holding = inTransaction(tenant.context(), async (inside) => {
      await ensureApp(inside, 'Wiki');
      locked.resolve();
      await isOver.promise;
    });
    await locked.promise;
    try {
      await work();
    } finally {
      isOver.resolve();
      await holding;
    }
  }

  const waitingForLocks = () =>
    test.admin(`SELECT 1 AS waits FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`);
  /** Waits until an import has been seen waiting for a lock. */
  const untilWaiting = () => expect.poll(waitingForLocks, { interval: 10 }).toEqual([{ waits: 1 }]);

  const send = (tenant: TestTenant, lines: readonly string[], left: AbortSignal, context = tenant.context()) => {
    const done = importGrants(
      context,
      { app: 'Wiki', allowRemovals: true },
      { body: bodyOf(`${[grantsHeader, ...lines].join('\n')}\n`), encoding: '', left },
    );
    done.catch(() => undefined);
    return done;
  };

  it('wait longer than a statement may take, with the same file as before or another', async () => {
    const tenant = makeTenant(test);
    await tenant.grants(file('read'));
    let waiting: Promise<unknown[]> = Promise.resolve([]);
    await whileLocked(tenant, async () => {
      const options = { allowRemovals: true };
      waiting = Promise.all([tenant.grants(file('read'), options), tenant.grants(file('write'), options)]);
      waiting.catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, 1.3 * statementTimeoutMs));
    });
    const done = await waiting;
    expect(done).toMatchObject([{ state: 'DONE' }, { state: 'DONE' }]);
  });

  it('leave connections to everybody else, however many they are', async () => {
    const tenant = makeTenant(test);
    await tenant.grants(file('read'));
    let waiting: Promise<unknown[]> = Promise.resolve([]);
    await whileLocked(tenant, async () => {
      waiting = Promise.all(Array.from({ length: 3 * poolSize }, () => tenant.grants(file('read'))));
      waiting.catch(() => undefined);
      await untilWaiting();
      for (let round = 0; round < 20; round++) {
        expect(await tenant.context().db.rows('SELECT 1 AS one')).toEqual([{ one: 1 }]);
        // Nobody else waits with a connection in hand.
        expect((await waitingForLocks()).length).toBeLessThanOrEqual(1);
      }
    });
    expect(await waiting).toHaveLength(3 * poolSize);
  });

  it('leave turns to other tenants, however many they are', async () => {
    const [tenant, other] = [makeTenant(test), makeTenant(test)];
    await tenant.grants(file('read'));
    let waiting: Promise<unknown[]> = Promise.resolve([]);
    await whileLocked(tenant, async () => {
      waiting = Promise.all(Array.from({ length: 7 }, (_, at) => tenant.grants(file(`level ${at}`), { allowRemovals: true })));
      waiting.catch(() => undefined);
      await untilWaiting();
      // The lock is held until this is done.
      expect(await other.grants(file('read'))).toMatchObject({ state: 'DONE', added: 1 });
      expect(await tenant.grants(file('read'), { app: 'Another' })).toMatchObject({ state: 'DONE', added: 1 });
    });
    expect(await waiting).toHaveLength(7);
  });

  it('are dropped when their client goes away, and nothing is recorded of them', async () => {
    const tenant = makeTenant(test);
    await tenant.grants(file('read'));
    const countSyncs = () => test.admin('SELECT count(*)::int AS count FROM syncs WHERE tenant_id = $1', [tenant.tenantId]);
    let staying: Promise<unknown> = Promise.resolve();
    await whileLocked(tenant, async () => {
      const leaving = [new AbortController(), new AbortController()];
      const [first, second] = leaving.map(({ signal }) => send(tenant, file('write'), signal));
      staying = tenant.grants(file('admin'), { allowRemovals: true });
      staying.catch(() => undefined);
      await untilWaiting();
      for (const one of leaving) {
        one.abort(new Error('gone'));
      }
      await expect(first).rejects.toThrow('gone');
      await expect(second).rejects.toThrow('gone');
      expect(await countSyncs()).toEqual([{ count: 1 }]);
    });
    expect(await staying).toMatchObject({ added: 1, removed: 1 });
    expect(await countSyncs()).toEqual([{ count: 2 }]);
  });

  it('are done to their end where the client goes away in the middle', async () => {
    const tenant = makeTenant(test);
    const leaving = new AbortController();
    const context = tenant.context();
    const transaction: Db['transaction'] = (work) =>
      context.db.transaction((tx) =>
        work({
          ...tx,
          copyFrom(sql) {
            leaving.abort(new Error('gone'));
            return tx.copyFrom(sql);
          },
        }),
      );
    const done = await send(tenant, file('read'), leaving.signal, { ...context, db: { ...context.db, transaction } });
    expect(done).toMatchObject({ state: 'DONE', added: 1 });
  });
});
