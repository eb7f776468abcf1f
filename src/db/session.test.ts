/** Statements, transactions, streams and COPY over real connections. */
import { pipeline } from 'node:stream/promises';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../test/support/database.ts';

describe('a session', () => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await openTestDatabase();
    await test.database.system().run('CREATE TABLE things (id int PRIMARY KEY, text text)');
  });
  afterAll(() => test.close());

  it('works as a role that row-level security binds', async () => {
    const role = await test.database.system().one('SELECT rolsuper, rolbypassrls FROM pg_roles WHERE rolname = current_user', []);
    expect(role).toEqual({ rolsuper: false, rolbypassrls: false });
  });

  it('copies in and streams out', async () => {
    const db = test.database.system();
    await db.transaction(async (tx) => {
      const sink = await tx.copyFrom('COPY things (id, text) FROM STDIN');
      await pipeline(Readable.from(['1\ta\n', '2\tb\n', '3\tc\n']), sink);
    });
    const batches: unknown[] = [];
    await db.transaction(async (tx) => {
      for await (const batch of tx.stream<{ id: number }>('SELECT id FROM things WHERE id >= $1 ORDER BY id', [1], 2)) {
        batches.push(batch.map((row) => row.id));
      }
    });
    expect(batches).toEqual([[1, 2], [3]]);
  });
});
