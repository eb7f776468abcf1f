/** A database of the release before people were listed by their names: everybody has a place, and keeps it right when the name becomes another. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TestDatabase } from '../../test/support/database.ts';
import { openDatabaseBefore } from '../../test/support/upgrade.ts';
import { silentLogger } from '../context.ts';
import { migrate } from './migrate.ts';

let test: TestDatabase;
beforeAll(async () => {
  test = await openDatabaseBefore('_people_by_name.sql');
});
afterAll(() => test.close());

it('gives the people of every tenant their place', async () => {
  const people = [
    ['1', 'Östberg 12'],
    ['2', ''],
    ['3', '  “Ößt” '],
    ['4', '\u200B'],
    ['5', '0012345678901'],
    ['6', 'x'.repeat(5000)],
    ['7', 'O\u0308stberg 9'],
  ];
  for (const tenant of ['one', 'two']) {
    for (const [id, name] of people) {
      await test.admin(
        `INSERT INTO users (tenant_id, id, email, email_key, display_name, created_at, updated_at)
         VALUES ($1, $2, $2 || '@x.example', $2 || '@x.example', $3, now(), now())`,
        [tenant, id, name],
      );
    }
  }
  await migrate(test.database, silentLogger);
  await test.admin(`UPDATE users SET display_name = 'Anna' WHERE tenant_id = 'two' AND id = '1'`);
  const keys = async (tenant: string) =>
    (await test.admin('SELECT id, list_key FROM users WHERE tenant_id = $1 ORDER BY list_key, id', [tenant])).map(({ id, list_key }) => [
      id,
      list_key,
    ]);
  const one = [
    ['4', ''],
    ['2', '000000002@x.example'],
    ['5', '12345678901'],
    ['7', 'ostberg 000000009'],
    ['1', 'ostberg 000000012'],
    ['6', 'x'.repeat(200)],
    ['3', '“osst” '],
  ];
  expect(await keys('one')).toEqual(one);
  expect(await keys('two')).toEqual([...one.slice(0, 3), ['1', 'anna'], ...one.slice(3, 4), ...one.slice(5)]);
});
