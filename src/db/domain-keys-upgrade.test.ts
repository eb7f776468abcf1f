/** Databases of the release before, in several locales: keys of addresses whose domains were two in two spellings, and keys that a locale made. */
import { afterEach, expect, inject, it } from 'vitest';
import type { TestDatabase } from '../../test/support/database.ts';
import { migrateUpTo, openDatabaseBefore } from '../../test/support/upgrade.ts';
import { silentLogger } from '../context.ts';
import { migrate } from './migrate.ts';

let test: TestDatabase;
afterEach(() => test.close());

const tenantId = 'one';
const [early, late] = [new Date(Date.UTC(2026, 1, 1)), new Date(Date.UTC(2026, 5, 1))];

/** A row as the release before wrote it. */
async function insert(table: string, row: Record<string, unknown>): Promise<void> {
  const columns = Object.keys(row);
  await test.admin(
    `INSERT INTO ${table} (tenant_id, ${columns.join(', ')}) VALUES ($1, ${columns.map((_, at) => `$${at + 2}`).join(', ')})`,
    [tenantId, ...Object.values(row)],
  );
}
const times = (at = early) => ({ created_at: at, updated_at: at });
const insertUser = (id: string, email: string, more: Record<string, unknown> = {}): Promise<void> =>
  insert('users', { id, email, email_key: email.toLowerCase(), ...times(), ...more });
const insertRecord = (id: string, email: string, more: Record<string, unknown> = {}): Promise<void> =>
  insert('person_records', {
    id,
    source_id: 'hr',
    anchor_kind: 'ADDRESS',
    anchor: email.toLowerCase(),
    user_id: id,
    email,
    email_key: email.toLowerCase(),
    first_seen_at: early,
    changed_at: early,
    ...more,
  });
const read = (sql: string): Promise<Record<string, unknown>[]> => test.admin(sql);
/** The keys of people by their ids. */
const keys = async (): Promise<unknown> =>
  Object.fromEntries((await read('SELECT id, email_key FROM users')).map(({ id, email_key }) => [id, email_key]));

it('makes keys anew, and leaves addresses as they were written', async () => {
  test = await openDatabaseBefore('_keys_of_domains.sql');
  const ascii = 'Anna@XN--Bcher-KVA.example';
  await insertUser('p1', ascii, { username: ascii });
  await insertUser('p2', 'ben@plain.example');
  await insertRecord('p1', ascii, { username: ascii });
  await insert('former_words', {
    user_id: 'p1',
    valid_until: late,
    display_name: 'Anna',
    email: ascii,
    email_key: ascii.toLowerCase(),
    employee_id: '',
  });
  await insert('accounts', { app_id: 'app', id: 'a1', external_id: 'a1', email: ascii, username: ascii, ...times() });
  await insert('accounts', { app_id: 'app', id: 'a2', external_id: 'a2', email: 'ben@plain.example', ...times() });
  await insert('scim_resources', { source_id: 'idp', id: 's1', kind: 'USER', name_key: ascii.toLowerCase(), document: {}, ...times() });
  const untouched = await read(`SELECT xmin::text AS written FROM users WHERE id = 'p2'`);
  await migrateUpTo(test, '_keys_of_domains.sql');
  expect(await read(`SELECT xmin::text AS written FROM users WHERE id = 'p2'`)).toEqual(untouched);
  await migrate(test.database, silentLogger);
  const key = 'anna@bücher.example';
  expect(await read(`SELECT email, email_key, email_domain, username, username_key, updated_at FROM users WHERE id = 'p1'`)).toEqual([
    { email: ascii, email_key: key, email_domain: 'bücher.example', username: ascii, username_key: key, updated_at: early },
  ]);
  expect(await read('SELECT email, email_key, username_key, anchor FROM person_records')).toEqual([
    { email: ascii, email_key: key, username_key: key, anchor: key },
  ]);
  expect(await read('SELECT email, email_key FROM former_words')).toEqual([{ email: ascii, email_key: key }]);
  expect(await read('SELECT email, email_key, username_key, email_domain FROM accounts_public ORDER BY id')).toEqual([
    { email: ascii, email_key: key, username_key: key, email_domain: 'bücher.example' },
    { email: 'ben@plain.example', email_key: 'ben@plain.example', username_key: 'a2', email_domain: 'plain.example' },
  ]);
  expect(await read('SELECT name_key FROM scim_resources')).toEqual([{ name_key: key }]);
  expect(
    await read(
      `SELECT relname FROM pg_class WHERE relnamespace = 'countersign'::regnamespace AND relrowsecurity AND NOT relforcerowsecurity`,
    ),
  ).toEqual([]);
});

it('keeps two people who have one address two: whoever is there and older has the key', async () => {
  test = await openDatabaseBefore('_keys_of_domains.sql');
  // Each pair is an address with a domain in its letters and by its A-labels.
  await insertUser('older-letters', 'a@bücher.example');
  await insertUser('younger-labels', 'a@xn--bcher-kva.example', times(late));
  await insertUser('younger-letters', 'b@bücher.example', times(late));
  await insertUser('older-labels', 'b@xn--bcher-kva.example');
  await insertUser('gone-letters', 'c@bücher.example', { status: 'DELETED', deleted_at: late });
  await insertUser('there-labels', 'c@xn--bcher-kva.example', times(late));
  await insertUser('one', 'd@xn--bcher-kva.example', times(late));
  await insertUser('two', 'd@ｂücher.example', { email_key: 'd@ｂücher.example' });
  // Of two records of one source the one that has the anchor keeps it; of two pushed users likewise.
  await insertRecord('r1', 'a@bücher.example');
  await insertRecord('r2', 'a@xn--bcher-kva.example');
  for (const [id, name_key] of [
    ['s1', 'a@bücher.example'],
    ['s2', 'a@xn--bcher-kva.example'],
  ]) {
    await insert('scim_resources', { source_id: 'idp', id, kind: 'USER', name_key, document: {}, ...times() });
  }
  await migrate(test.database, silentLogger);
  expect(await keys()).toEqual({
    'older-letters': 'a@bücher.example',
    'younger-labels': 'a@xn--bcher-kva.example',
    'younger-letters': 'b@xn--bcher-kva.example',
    'older-labels': 'b@bücher.example',
    'gone-letters': 'c@xn--bcher-kva.example',
    'there-labels': 'c@bücher.example',
    one: 'd@xn--bcher-kva.example',
    two: 'd@bücher.example',
  });
  expect(await read('SELECT id, anchor, email_key FROM person_records ORDER BY id')).toEqual([
    { id: 'r1', anchor: 'a@bücher.example', email_key: 'a@bücher.example' },
    { id: 'r2', anchor: 'a@xn--bcher-kva.example', email_key: 'a@bücher.example' },
  ]);
  expect(await read('SELECT id, name_key FROM scim_resources ORDER BY id')).toEqual([
    { id: 's1', name_key: 'a@bücher.example' },
    { id: 's2', name_key: 'a@xn--bcher-kva.example' },
  ]);
  // Those without the key are found as docs/operations.md says.
  expect(await read(`SELECT id FROM users WHERE email_key NOT IN ('', address_key(email)) ORDER BY 1`)).toEqual(
    ['gone-letters', 'one', 'younger-labels', 'younger-letters'].map((id) => ({ id })),
  );
});

// Another server that the suite runs on may not know ICU.
it.runIf(inject('testServer').isEmbedded).each(['tr-TR', 'lt'])('makes keys anew that the locale %s had made', async (locale) => {
  test = await openDatabaseBefore('_keys_of_domains.sql', `ENCODING 'UTF8' LOCALE_PROVIDER icu ICU_LOCALE '${locale}' LOCALE 'C'`);
  // What 0097_address_keys wrote there of İ and of a letter with an accent.
  const wrong = { email_key: 'ızıl@ö.example' };
  await insertUser('p1', 'IZIL@Ö.example', wrong);
  await insertUser('p2', 'IZIL@xn--nda.example', { email_key: 'izil@xn--nda.example' });
  await insertRecord('p1', 'IZIL@Ö.example', wrong);
  await insert('former_words', { user_id: 'p1', valid_until: late, display_name: '', email: 'IZIL@Ö.example', employee_id: '', ...wrong });
  await migrate(test.database, silentLogger);
  expect(await keys()).toEqual({ p1: 'izil@ö.example', p2: 'izil@xn--nda.example' });
  expect(await read('SELECT email_key FROM person_records UNION ALL SELECT email_key FROM former_words')).toEqual([
    { email_key: 'izil@ö.example' },
    { email_key: 'izil@ö.example' },
  ]);
});
