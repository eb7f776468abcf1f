/** Notifications, and what happens to those who wait for them when the connection goes. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../test/support/database.ts';
import { until } from '../../test/support/until.ts';

let test: TestDatabase;
beforeAll(async () => {
  test = await openTestDatabase({ empty: true });
});
afterAll(() => test.close());

function notify(channel: string, payload: string): Promise<number> {
  return test.database.system().run('SELECT pg_notify($1, $2)', [channel, payload]);
}

it('delivers by channel, until stopped', async () => {
  const [heardA, heardB] = [vi.fn(), vi.fn()];
  const [stopA] = await Promise.all([
    test.database.listen('a', heardA, () => undefined),
    test.database.listen('b', heardB, () => undefined),
  ]);
  await notify('a', 'one');
  await until(() => expect(heardA).toHaveBeenCalledWith('one'));
  await stopA();
  await notify('a', 'two');
  await notify('b', 'three');
  await until(() => expect(heardB).toHaveBeenCalledWith('three'));
  expect(heardA).toHaveBeenCalledTimes(1);
  expect(heardB).toHaveBeenCalledTimes(1);
});

it('comes back after a loss and says so, and a listener that throws harms nobody', async () => {
  const [heard, back] = [vi.fn(), vi.fn()];
  await test.database.listen(
    'c',
    () => {
      throw new Error('broken listener');
    },
    () => undefined,
  );
  const stop = await test.database.listen('c', heard, back);
  await test.admin(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'countersign listen' AND datname = current_database()",
  );
  await vi.waitFor(() => expect(back).toHaveBeenCalledTimes(1), { timeout: 60_000 });
  await notify('c', 'again');
  await until(() => expect(heard).toHaveBeenCalledWith('again'));
  await stop();
});
