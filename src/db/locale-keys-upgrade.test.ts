/** Databases of the release before in several locales: keys of names that the locale made are made anew, the others stay as they are. */
import { expect, inject, it } from 'vitest';
import { migrateUpTo, openDatabaseBefore } from '../../test/support/upgrade.ts';

const tenantId = 'one';

// Another server that the suite runs on may know neither ICU nor the builtin provider.
it.runIf(inject('testServer').isEmbedded).each([
  ['tr-TR', "ENCODING 'UTF8' LOCALE_PROVIDER icu ICU_LOCALE 'tr-TR' LOCALE 'C'", 'özıl'],
  ['C', "ENCODING 'UTF8' LOCALE_PROVIDER libc LOCALE 'C'", 'özil'],
  ['C.UTF-8', "ENCODING 'UTF8' LOCALE_PROVIDER builtin BUILTIN_LOCALE 'C.UTF-8' LOCALE 'C'", 'özil'],
])('%s', async (_name, locale, before) => {
  const test = await openDatabaseBefore('_keys_in_every_locale.sql', locale);
  try {
    const insert = (table: string, row: Record<string, unknown>): Promise<unknown> => {
      const columns = Object.keys(row);
      return test.admin(
        `INSERT INTO ${table} (tenant_id, ${columns.join(', ')}, created_at, updated_at) VALUES ($1, ${columns.map((_, at) => `$${at + 2}`).join(', ')}, now(), now())`,
        [tenantId, ...Object.values(row)],
      );
    };
    const names = ['ÖZIL', 'ozil', 'ŊILA'];
    await insert('apps', { id: 'app', display_name: 'App', name_key: 'app' });
    await insert('resource_types', { app_id: 'app', id: 't', external_id: 'ROLİI', display_name: 'role' });
    await insert('resources', { app_id: 'app', id: 'r', resource_type_id: 't', external_id: 'İI', display_name: 'r' });
    for (const [at, name] of names.entries()) {
      await insert('accounts', { app_id: 'app', id: `a${at}`, external_id: name, status: 'ENABLED' });
    }
    const keys = (): Promise<Record<string, unknown>[]> =>
      test.admin(`SELECT username_key AS key, look_alike_key AS look, xmin::text AS written FROM accounts ORDER BY id`);
    const found = await keys();
    expect(found[0]?.['key']).toBe(before);
    await migrateUpTo(test, '_keys_in_every_locale.sql');
    const after = await keys();
    expect(after.map(({ key, look }) => [key, look])).toEqual([
      ['özil', 'özil'],
      ['ozil', 'ozil'],
      ['ŋila', 'ŋila'],
    ]);
    // Nothing is written that stays the same.
    expect(after.map(({ written }, at) => written === found[at]?.['written'])).toEqual(
      after.map(({ key, look }, at) => key === found[at]?.['key'] && look === found[at]?.['look']),
    );
    expect(await test.admin('SELECT look_alike_key AS key FROM resources UNION ALL SELECT look_alike_key FROM resource_types')).toEqual([
      { key: 'i\u0307i' },
      { key: 'roli\u0307i' },
    ]);
  } finally {
    await test.close();
  }
});
