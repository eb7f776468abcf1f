/** A database in which addresses moved from one person to another in one statement, before their former holders kept the key of theirs. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TestDatabase } from '../../test/support/database.ts';
import { untilLater } from '../../test/support/until.ts';
import { openDatabaseBefore } from '../../test/support/upgrade.ts';
import { silentLogger } from '../context.ts';
import { migrate } from './migrate.ts';

let test: TestDatabase;
beforeAll(async () => {
  test = await openDatabaseBefore('_triggers_of_many.sql');
});
afterAll(() => test.close());

it('finds former addresses by their keys, and marks no account', async () => {
  await test.admin(
    `INSERT INTO users (tenant_id, id, email, email_key, created_at, updated_at) VALUES ('one', 'ann', 'Ann@x.example', '', now(), now())`,
  );
  // Words that held for no millisecond are none.
  for (const change of ["email = 'b@x.example', email_key = 'b@x.example'", "email = '', email_key = ''", "display_name = 'Ann'"]) {
    await untilLater();
    await test.admin(`UPDATE users SET ${change}`);
  }
  await test.admin(
    `INSERT INTO accounts (tenant_id, app_id, id, external_id, created_at, updated_at) VALUES ('one', 'app', 'a', 'a', now(), now())`,
  );
  const keys = async (): Promise<unknown[]> =>
    (await test.admin('SELECT email_key FROM former_words ORDER BY valid_until, email_key')).map((one) => one.email_key);
  expect((await keys()).sort()).toEqual(['', '', 'b@x.example']);
  await migrate(test.database, silentLogger);
  expect((await keys()).sort()).toEqual(['', 'ann@x.example', 'b@x.example']);
  expect(await test.admin('SELECT owner_by_former_address FROM accounts')).toEqual([{ owner_by_former_address: false }]);
  // And from now on.
  for (const change of ["email = 'C@x.example', email_key = ''", "email = '', email_key = ''"]) {
    await untilLater();
    await test.admin(`UPDATE users SET ${change}`);
  }
  expect(await keys()).toContain('c@x.example');
});
