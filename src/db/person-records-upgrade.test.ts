/** A database of the release before sources had records of people: those who were reported keep whose they are. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TestDatabase } from '../../test/support/database.ts';
import { openDatabaseBefore } from '../../test/support/upgrade.ts';
import { silentLogger } from '../context.ts';
import { migrate } from './migrate.ts';

let test: TestDatabase;
beforeAll(async () => {
  test = await openDatabaseBefore('_person_records.sql');
});
afterAll(() => test.close());

it('has a record of each person whom a source reported, by its anchor', async () => {
  const now = new Date(Date.UTC(2026, 5, 1));
  const later = new Date(Date.UTC(2026, 5, 2));
  for (const [id, kind] of [
    ['hr', 'FILE'],
    ['idp', 'SCIM'],
  ]) {
    await test.admin(
      `INSERT INTO sources (tenant_id, id, app_id, source_no, kind, display_name, name_key, created_at, updated_at) VALUES ('one', $1, '', CASE WHEN $2 = 'SCIM' THEN 1 ELSE 0 END, $2, $1, $1, $3, $3)`,
      [id, kind, now],
    );
  }
  const people = [
    ['ann', 'hr', 'E1', 'ENABLED'],
    // Two people with one employee id: who is there has it.
    ['ben', 'hr', 'E2', 'DISABLED'],
    ['bea', 'hr', 'E2', 'ENABLED'],
    ['cat', 'hr', '', 'ENABLED'],
    ['dan', 'idp', '', 'ENABLED'],
    ['eve', 'idp', '', 'DISABLED'],
    ['own', '', '', 'ENABLED'],
  ];
  for (const [id, source, employeeId, status] of people) {
    await test.admin(
      `INSERT INTO users (tenant_id, id, email, email_key, display_name, source, employee_id, status, created_at, updated_at)
       VALUES ('one', $1, $1 || '@x.example', $1 || '@x.example', $1, $2, $3, $4, $5, $5)`,
      [id, source, employeeId, status, now],
    );
  }
  const pushes = [
    ['s1', 'dan', 'x-dan', null, true],
    ['s2', 'eve', 'x-eve', later, true],
    // Pushed twice: the one that is there.
    ['s3', 'eve', 'x-eve', now, true],
    ['s4', 'cat', '', null, false],
  ];
  for (const [id, userId, externalId, deletedAt, isActive] of pushes) {
    await test.admin(
      `INSERT INTO scim_resources (tenant_id, source_id, id, kind, name_key, external_id, is_active, document, user_id, created_at, updated_at, deleted_at)
       VALUES ('one', 'idp', $1, 'USER', $1, $3, $5, jsonb_build_object('userName', $1::text), $2, $6, $6, $4)`,
      [id, userId, externalId, deletedAt, isActive, now],
    );
  }
  await test.admin(`INSERT INTO person_sources (tenant_id, user_id, source_id, how, created_at) VALUES ('one', 'dan', 'idp', 'MADE', $1)`, [
    now,
  ]);
  await migrate(test.database, silentLogger);
  const records = await test.admin(
    `SELECT user_id AS "user", source_id AS source, anchor_kind AS kind, anchor, state, scim_id AS "scimId", is_heard AS "isHeard", is_enabled AS "isEnabled"
     FROM person_records ORDER BY user_id, source_id`,
    [],
  );
  const of = (user: string, source: string, kind: string, anchor: string, more: object = {}): object => ({
    user,
    source,
    kind,
    anchor,
    state: 'LIVE',
    scimId: '',
    isHeard: true,
    isEnabled: true,
    ...more,
  });
  expect(records).toEqual([
    of('ann', 'hr', 'EMPLOYEE_ID', 'E1'),
    of('bea', 'hr', 'EMPLOYEE_ID', 'E2'),
    of('cat', 'hr', 'ADDRESS', 'cat@x.example'),
    of('cat', 'idp', 'SCIM_ID', 's4', { scimId: 's4', isHeard: false, isEnabled: false }),
    of('dan', 'idp', 'EXTERNAL_ID', 'x-dan', { scimId: 's1' }),
    of('eve', 'idp', 'EXTERNAL_ID', 'x-eve', { state: 'GONE', isHeard: false }),
  ]);
});
