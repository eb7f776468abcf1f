/** A database of the release before leaving suspended anything: what those hold who had left is suspended, but for the last who could restore it. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TestDatabase } from '../../test/support/database.ts';
import { openDatabaseBefore } from '../../test/support/upgrade.ts';
import { silentLogger } from '../context.ts';
import { migrate } from './migrate.ts';

let test: TestDatabase;
beforeAll(async () => {
  test = await openDatabaseBefore('_suspensions.sql');
});
afterAll(() => test.close());

const at = (day: number): Date => new Date(Date.UTC(2026, 5, day));
const superAdmin = '000000000SuperAdministrator';
const campaign = '000000CampaignAdministrator';

async function addPerson(tenant: string, id: string, status: string, ...roles: readonly string[]): Promise<void> {
  await test.admin(
    `INSERT INTO users (tenant_id, id, email, email_key, status, created_at, updated_at) VALUES ($1, $2, $2 || '@x.example', $2 || '@x.example', $3, $4, $4)`,
    [tenant, id, status, at(1)],
  );
  for (const role of roles) {
    await test.admin('INSERT INTO user_roles (tenant_id, user_id, role_id, created_at) VALUES ($1, $2, $3, $4)', [tenant, id, role, at(1)]);
  }
  for (const [name, expires] of [
    ['lives', null],
    ['over', at(2)],
  ] as const) {
    await test.admin(
      `INSERT INTO personal_clients (tenant_id, id, kind, client_id, user_id, display_name, public_key, expires_at, created_at, updated_at)
       VALUES ($1, $2 || $3, 'PERSONAL', $2 || $3, $2, '', '', $4, $5, $5)`,
      [tenant, id, name, expires, at(1)],
    );
  }
}

it('suspends what people hold who had left', async () => {
  await addPerson('one', 'chief', 'ENABLED', superAdmin);
  await addPerson('one', 'gone', 'DISABLED', superAdmin, campaign);
  await addPerson('one', 'deleted', 'DELETED');
  await addPerson('one', 'stays', 'ENABLED', campaign);
  // Nobody could restore this one.
  await addPerson('two', 'alone', 'DISABLED', superAdmin, campaign);
  for (const [from, to] of [
    ['gone', 'chief'],
    ['stays', 'gone'],
    ['chief', 'stays'],
  ]) {
    await test.admin(
      `INSERT INTO delegations (tenant_id, user_id, delegated_user_id, created_at, updated_at) VALUES ('one', $1, $2, $3, $3)`,
      [from, to, at(1)],
    );
  }
  await migrate(test.database, silentLogger);
  expect(await test.admin('SELECT user_id AS who, role_id AS role FROM user_roles ORDER BY 1, 2')).toEqual([
    { who: 'alone', role: superAdmin },
    { who: 'chief', role: superAdmin },
    { who: 'stays', role: campaign },
  ]);
  expect(await test.admin('SELECT user_id AS from, delegated_user_id AS to FROM delegations')).toEqual([{ from: 'chief', to: 'stays' }]);
  expect(
    await test.admin(`SELECT user_id || ' ' || kind || ' ' || object_id AS what, cause, is_told FROM suspensions ORDER BY tenant_id, 1`),
  ).toEqual(
    [
      'deleted CREDENTIAL deletedlives',
      'gone CREDENTIAL gonelives',
      'gone DELEGATION gone',
      'gone DELEGATION stays',
      `gone ROLE ${superAdmin}`,
      `gone ROLE ${campaign}`,
      'alone CREDENTIAL alonelives',
      `alone ROLE ${campaign}`,
    ].map((what) => ({ what, cause: 'UPGRADED', is_told: true })),
  );
  // From then on, too: the last Super Administrator of a tenant is not disabled, whoever writes.
  await expect(test.admin(`UPDATE users SET status = 'DISABLED' WHERE tenant_id = 'one' AND id = 'chief'`)).rejects.toMatchObject({
    code: 'CS001',
  });
});
