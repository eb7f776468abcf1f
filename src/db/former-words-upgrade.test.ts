/** A database of the release before people's former words were kept: names and addresses are those that changes of people remember. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TestDatabase } from '../../test/support/database.ts';
import { openDatabaseBefore } from '../../test/support/upgrade.ts';
import { silentLogger } from '../context.ts';
import { migrate } from './migrate.ts';

let test: TestDatabase;
beforeAll(async () => {
  test = await openDatabaseBefore('_former_words.sql');
});
afterAll(() => test.close());

const at = (day: number): Date => new Date(Date.UTC(2026, 5, day));

it('knows the words of before as far as changes were kept', async () => {
  for (const id of ['stayed', 'moved']) {
    await test.admin(
      `INSERT INTO users (tenant_id, id, email, email_key, display_name, employee_id, created_at, updated_at)
       VALUES ('one', $1, $1 || '@new.example', $1 || '@new.example', 'Now', '7', $2, $2)`,
      [id, at(1)],
    );
  }
  const changes = [
    [5, { displayName: ['First', 'Second'], department: ['', 'Sales'] }],
    [6, { email: ['Old@old.example', 'moved@new.example'] }],
    [7, { department: ['Sales', 'Law'] }],
    [8, { displayName: ['Second', 'Now'] }],
  ] as const;
  for (const [day, facts] of changes) {
    await test.admin(`INSERT INTO user_changes (tenant_id, user_id, changed_at, source, facts) VALUES ('one', 'moved', $1, '', $2)`, [
      at(day),
      JSON.stringify(facts),
    ]);
  }
  await migrate(test.database, silentLogger);
  expect(await test.admin('SELECT user_id, valid_until, display_name, email, email_key, employee_id FROM former_words ORDER BY 2')).toEqual(
    [
      {
        user_id: 'moved',
        valid_until: at(5),
        display_name: 'First',
        email: 'Old@old.example',
        email_key: 'old@old.example',
        employee_id: '7',
      },
      {
        user_id: 'moved',
        valid_until: at(6),
        display_name: 'Second',
        email: 'Old@old.example',
        email_key: 'old@old.example',
        employee_id: '7',
      },
      {
        user_id: 'moved',
        valid_until: at(8),
        display_name: 'Second',
        email: 'moved@new.example',
        email_key: 'moved@new.example',
        employee_id: '7',
      },
    ],
  );
});
