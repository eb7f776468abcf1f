/** Imports that have to wait for another of the same app: as long as it takes, and without holding what others need. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { makeTenant } from '../../../test/support/inventory.ts';
import { inTransaction } from '../../context.ts';
import { ensureApp } from '../catalog/index.ts';

const statementTimeoutMs = 400;
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

  it('wait longer than a statement may take, with the same file as before or another', async () => {
    const tenant = makeTenant(test);
    await tenant.grants(file('read'));
    let waiting: Promise<unknown[]> = Promise.resolve([]);
    await whileLocked(tenant, async () => {
      waiting = Promise.all([tenant.grants(file('read')), tenant.grants(file('write'), { allowRemovals: true })]);
      waiting.catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, 2.5 * statementTimeoutMs));
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
      await new Promise((resolve) => setTimeout(resolve, 100));
      const begun = performance.now();
      await tenant.context().db.rows('SELECT 1');
      expect(performance.now() - begun).toBeLessThan(statementTimeoutMs);
    });
    expect(await waiting).toHaveLength(3 * poolSize);
  });
});
