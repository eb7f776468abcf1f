/** A database of the release before identities of providers kept the address that proved them: it is the one that the person had at the time. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TestDatabase } from '../../test/support/database.ts';
import { openDatabaseBefore } from '../../test/support/upgrade.ts';
import { silentLogger } from '../context.ts';
import { migrate } from './migrate.ts';

let test: TestDatabase;
beforeAll(async () => {
  test = await openDatabaseBefore('_addresses_of_identities.sql');
});
afterAll(() => test.close());

const at = (day: number): Date => new Date(Date.UTC(2026, 5, day));

it('gives each identity the address of its person at the time', async () => {
  for (const id of ['stayed', 'moved', 'movedbefore']) {
    await test.admin(
      `INSERT INTO users (tenant_id, id, email, email_key, created_at, updated_at) VALUES ('one', $1, $1 || '@new.example', $1 || '@new.example', $2, $2)`,
      [id, at(1)],
    );
    await test.admin(
      `INSERT INTO external_identities (tenant_id, issuer, subject, user_id, created_at) VALUES ('one', 'https://idp.example', $1, $1, $2)`,
      [id, at(5)],
    );
  }
  const changes = [
    ['moved', 7, 'second'],
    ['moved', 6, 'first'],
    ['movedbefore', 4, 'older'],
  ] as const;
  for (const [id, day, name] of changes) {
    await test.admin(
      `INSERT INTO address_changes (tenant_id, user_id, changed_at, old_address, new_address) VALUES ('one', $1, $2, $3, 'x@new.example')`,
      [id, at(day), `${name}@old.example`],
    );
  }
  await migrate(test.database, silentLogger);
  expect(await test.admin('SELECT subject, address FROM external_identities ORDER BY subject')).toEqual([
    { subject: 'moved', address: 'first@old.example' },
    { subject: 'movedbefore', address: 'movedbefore@new.example' },
    { subject: 'stayed', address: 'stayed@new.example' },
  ]);
});
