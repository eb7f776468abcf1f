/** The rules of grants imports, each with its example. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Sql } from '../../lib/sql.ts';
import type { TestDatabase } from '../../../test/support/database.ts';
import { importGrants } from './import-grants.ts';
import { bodyOf, grantsHeader, makeTenant, openFixture, refusalOf, type TestTenant } from '../../../test/support/inventory.ts';

let test: TestDatabase;
let tenant: TestTenant;
beforeAll(async () => {
  test = await openFixture();
});
afterAll(() => test.close());
beforeEach(() => {
  tenant = makeTenant(test);
});

/** One row of a file; the rest of it is always the same. */
const line = (
  account: string,
  entitlement: string,
  more: { email?: string; type?: string; status?: string; granted?: string; used?: string; resource?: string } = {},
) =>
  [
    account,
    more.email ?? '',
    more.type ?? 'USER',
    more.status ?? 'ENABLED',
    'role',
    more.resource ?? 'wiki',
    entitlement,
    more.granted ?? '',
    more.used ?? '',
  ].join(',');
const accounts = (where = '') =>
  test.admin(`SELECT a.external_id AS name, a.status, a.account_type AS type, u.email, a.profile FROM accounts a
    LEFT JOIN users u ON u.tenant_id = a.tenant_id AND u.id = a.user_id WHERE a.tenant_id = '${tenant.tenantId}' ${where} ORDER BY 1`);
const grants = (tenantId = tenant.tenantId) =>
  test
    .admin(`SELECT a.external_id || ' ' || CASE WHEN e.is_app_access THEN 'ACCESS' ELSE e.external_id END || ' ' || g.added_revision || '-' || coalesce(g.removed_revision::text, '') AS text
    FROM grants g JOIN accounts a ON a.tenant_id = g.tenant_id AND a.id = g.account_id JOIN entitlements e ON e.tenant_id = g.tenant_id AND e.id = g.entitlement_id
    WHERE g.tenant_id = '${tenantId}' ORDER BY 1`)
    .then((rows) => rows.map((row) => String(row.text)).sort());
const crowd = (count: number) => Array.from({ length: count }, (_, index) => line(`a${index % 5}`, `e${index}`));

describe('grants', () => {
  it('are of a new app where the one of that name is deleted between two looks at it', async () => {
    await tenant.grants([line('ann', 'read')]);
    const context = tenant.context();
    let looks = 0;
    const deleting: typeof context = {
      ...context,
      db: {
        ...context.db,
        async maybe<T>(sql: Sql | string, values?: readonly unknown[]): Promise<T | undefined> {
          const found = await context.db.maybe<T>(sql, values);
          if ((typeof sql === 'string' ? sql : sql.text).includes('FROM sources') && looks++ === 0) {
            await test.admin(`UPDATE apps SET deleted_at = now() WHERE tenant_id = '${tenant.tenantId}'`);
          }
          return found;
        },
      },
    };
    const body = bodyOf([grantsHeader, line('ann', 'write'), ''].join('\n'));
    expect(await importGrants(deleting, { app: 'Wiki', allowRemovals: false }, { body, encoding: '' })).toMatchObject({
      added: 1,
      removed: 0,
    });
    expect(looks).toBeGreaterThan(0);
    expect(await test.admin(`SELECT deleted_at IS NULL AS live FROM apps WHERE tenant_id = '${tenant.tenantId}' ORDER BY id`)).toEqual([
      { live: false },
      { live: true },
    ]);
  });

  it('make their app, with app access for each account', async () => {
    await tenant.people(['ann@x.example,Ann,,,,ACTIVE']);
    const done = await tenant.grants(
      [
        line('ann', 'read', { email: 'ANN@x.example', granted: '2024-01-02T03:04:05Z', used: '2025-01-01T00:00:00+01:00' }),
        line('ann', 'write', { email: 'ann@x.example' }),
        line('robot', 'read', { type: 'service_account', status: 'Disabled' }),
      ],
      { app: ' Wiki ' },
    );
    expect(done).toMatchObject({
      kind: 'GRANTS',
      source: 'Wiki',
      rows: 3,
      added: 3,
      changed: 0,
      removed: 0,
      unchanged: 0,
      revision: 1,
      warningCount: 0,
    });
    expect(await accounts()).toEqual([
      { name: 'ann', status: 'ENABLED', type: 'USER', email: 'ann@x.example', profile: {} },
      { name: 'robot', status: 'DISABLED', type: 'SERVICE_ACCOUNT', email: null, profile: {} },
    ]);
    expect(await grants()).toEqual(['ann ACCESS 1-', 'ann read 1-', 'ann write 1-', 'robot ACCESS 1-', 'robot read 1-']);
    const times = await test.admin(`SELECT DISTINCT granted_at, last_used_at FROM grants WHERE tenant_id = $1 AND granted_at IS NOT NULL`, [
      tenant.tenantId,
    ]);
    expect(times).toEqual([{ granted_at: new Date('2024-01-02T03:04:05Z'), last_used_at: new Date('2024-12-31T23:00:00Z') }]);
    expect(await test.admin(`SELECT display_name, user_count FROM apps WHERE tenant_id = $1`, [tenant.tenantId])).toEqual([
      { display_name: 'Wiki', user_count: '2' },
    ]);
    expect((await tenant.grants([line('ann', 'read'), line('ann', 'write'), line('robot', 'read')], { app: ' Wiki\u00a0' })).source).toBe(
      'Wiki',
    );
  });

  it('come once, however often they are reported: since the earliest, used last at the latest', async () => {
    const done = await tenant.grants([
      line('a', 'e', { granted: '2024-02-01T00:00:00Z', used: '2024-03-01T00:00:00Z' }),
      line('a', 'e', { granted: '2024-01-01T00:00:00Z' }),
      line('a', 'e'),
    ]);
    expect(done).toMatchObject({ rows: 3, added: 1 });
    const rows = await test.admin(`SELECT granted_at, last_used_at FROM grants WHERE tenant_id = $1`, [tenant.tenantId]);
    expect(rows).toEqual(Array(2).fill({ granted_at: new Date('2024-01-01T00:00:00Z'), last_used_at: new Date('2024-03-01T00:00:00Z') }));
  });

  it('that are missing end and stay in history; those that come back begin a second life', async () => {
    await tenant.grants([...crowd(10), line('z', 'only')]);
    expect(await tenant.grants(crowd(10))).toMatchObject({ removed: 1, added: 0, unchanged: 10, revision: 2 });
    expect(await accounts(`AND a.external_id = 'z'`)).toMatchObject([{ status: 'DELETED' }]);
    expect((await grants()).filter((text) => String(text).startsWith('z'))).toEqual(['z ACCESS 1-2', 'z only 1-2']);
    expect(await tenant.grants([...crowd(10), line('z', 'only')])).toMatchObject({ added: 1, unchanged: 10, revision: 3 });
    expect(await accounts(`AND a.external_id = 'z'`)).toMatchObject([{ status: 'ENABLED' }]);
    expect((await grants()).filter((text) => String(text).startsWith('z'))).toEqual([
      'z ACCESS 1-2',
      'z ACCESS 3-',
      'z only 1-2',
      'z only 3-',
    ]);
  });

  it('change nothing when they come again', async () => {
    await tenant.people(['ann@x.example,Ann,,,,ACTIVE']);
    const file = [...crowd(9), line('ann', 'e', { email: 'ann@x.example', granted: '2024-01-01T00:00:00.123456Z' })];
    const first = await tenant.grants(file);
    const versions = () =>
      test.admin(`SELECT 'a', id, xmin FROM accounts UNION ALL SELECT 'g', entitlement_id || account_id, xmin FROM grants
      UNION ALL SELECT 'e', id, xmin FROM entitlements UNION ALL SELECT 'p', id, xmin FROM apps ORDER BY 1, 2`);
    const before = await versions();
    const again = await tenant.grants(file);
    expect(again).toMatchObject({ added: 0, changed: 0, removed: 0, unchanged: 10, revision: 1, fileSha256: first.fileSha256 });
    expect(await versions()).toEqual(before);
  });

  it('are changed by other times, and by an account that changed', async () => {
    await tenant.people(['ann@x.example,Ann,,,,ACTIVE']);
    await tenant.grants([line('a', 'one'), line('a', 'two'), line('b', 'one')]);
    expect(await tenant.grants([line('a', 'one', { used: '2025-01-01T00:00:00Z' }), line('a', 'two'), line('b', 'one')])).toMatchObject({
      changed: 1,
      unchanged: 2,
      revision: 2,
    });
    const file = [
      line('a', 'one', { used: '2025-01-01T00:00:00Z', email: 'ann@x.example' }),
      line('a', 'two', { email: 'ann@x.example' }),
      line('b', 'one'),
    ];
    expect(await tenant.grants(file)).toMatchObject({ changed: 2, unchanged: 1, revision: 3 });
    expect((await grants()).filter((text) => !String(text).endsWith('-'))).toEqual([]);
  });

  it('do not end in numbers unless that is allowed', async () => {
    await tenant.grants(crowd(10));
    const told = await refusalOf(tenant.grants(crowd(7)));
    expect(told.code).toBe('FAILED_PRECONDITION');
    expect(told.message).toContain('end 3 of the 10 grants of the app "Wiki" (30 %)');
    expect(told.message).toContain('allow_removals=true');
    expect(await tenant.grants(crowd(8))).toMatchObject({ removed: 2 });
    expect(await tenant.grants(crowd(1), { allowRemovals: true })).toMatchObject({ removed: 7, unchanged: 1 });
  });

  it('of an owner nobody knows leave the account without one, with a warning for each account', async () => {
    const done = await tenant.grants([
      line('a', 'one', { email: 'Who@x.example' }),
      line('a', 'two', { email: 'who@x.example' }),
      line('b', 'one', { email: 'who@x.example' }),
    ]);
    expect(done.warnings).toEqual([
      { line: 2, column: 'email', reason: 'nobody has the address "who@x.example": account "a" has no owner' },
      { line: 4, column: 'email', reason: 'nobody has the address "who@x.example": account "b" has no owner' },
    ]);
    await tenant.people(['who@x.example,Who,,,,TERMINATED']);
    expect(await accounts()).toMatchObject([{ email: 'who@x.example' }, { email: 'who@x.example' }]);
    expect(
      await tenant.grants([line('a', 'one', { email: 'who@x.example' }), line('a', 'two', { email: 'who@x.example' }), line('b', 'one')]),
    ).toMatchObject({ changed: 1, unchanged: 2, warningCount: 0 });
    expect(await accounts()).toMatchObject([
      { name: 'a', email: 'who@x.example' },
      { name: 'b', email: null },
    ]);
  });

  describe('in rows that differ only in a column without a use', () => {
    const send = (text: string, map: readonly string[] = [], app = 'Databases') =>
      importGrants(tenant.context(), { app, allowRemovals: false, map }, { body: bodyOf(text), encoding: '' });
    const map = ['account=login', 'entitlement=role'];
    const file = 'where,role,login\nSales,db_owner,CORP\\ann\nHR,db_owner,CORP\\ann\nHR,db_owner,CORP\\bob\n';

    it('are refused, naming the column and two ways out', async () => {
      const { code, violations } = await refusalOf(send(file, map));
      expect(code).toBe('INVALID_ARGUMENT');
      expect(violations).toEqual([
        'line 3, where: "HR" here and "Sales" on line 2, else the same grant: account "CORP\\\\ann" has "db_owner" of "Databases". If "where" is part of what is granted, use it: map=resource=where, or map=entitlement with several columns joined by +. If it does not matter, leave it out: map=ignore=where',
      ]);
      expect(await accounts()).toEqual([]);
    });

    it('are grants of different resources, or one where the column is left out', async () => {
      expect(await send(file, [...map, 'resource=where'])).toMatchObject({ added: 3 });
      const row = await send(file, [...map, 'ignore=where'], 'Others');
      expect([row.added, row.findings?.repeated]).toEqual([2, 1]);
      expect((await accounts()).map(({ profile }) => profile)).toEqual([{}, {}, {}, {}]);
    });

    it('are compared with those that have nothing in it', async () => {
      const { violations } = await refusalOf(send('where,role,login\n,admin,ann\nHR,admin,ann\n', map));
      expect(violations).toEqual([expect.stringContaining('"HR" here and "" on line 2')]);
    });

    it('are one grant where the column only tells how it came about', async () => {
      const text = 'role,login,Ticket,Changed on,Seen\nr,ann,T-1,2024-01-01,2024-01-01\nr,ann,T-2,2025-01-01,2025-02-01\n';
      expect(await send(text, map)).toMatchObject({ added: 1, findings: { repeated: 1 } });
    });

    it('are refused in the part of a file that is looked at, too', async () => {
      const many = Array.from({ length: 60 }, (_, index) => `Sales,db_owner,user${index}`);
      await send(['where,role,login', ...many].join('\n'), map);
      const { violations } = await refusalOf(send(['where,role,login', ...many, 'HR,db_owner,user7'].join('\n'), map));
      expect(violations).toEqual([expect.stringContaining('line 62, where')]);
    });
  });

  it('keep what other columns say as the profile of the account', async () => {
    const file = (cell: string) => ({
      body: bodyOf(`${grantsHeader},team\n${line('a', 'one')},\n${line('a', 'two')},${cell}\n${line('b', 'one')},\n`),
      encoding: '',
    });
    await importGrants(tenant.context(), { app: 'Wiki', allowRemovals: false }, file('"x\\y\t"'));
    expect(await accounts()).toMatchObject([
      { name: 'a', profile: { team: 'x\\y\t' } },
      { name: 'b', profile: {} },
    ]);
    expect(await importGrants(tenant.context(), { app: 'Wiki', allowRemovals: false }, file('"x\\y\t"'))).toMatchObject({ unchanged: 3 });
    expect(await importGrants(tenant.context(), { app: 'Wiki', allowRemovals: false }, file('z'))).toMatchObject({
      changed: 2,
      unchanged: 1,
    });
  });

  it('say which column has several values for one account, of which an attribute keeps the last', async () => {
    const file = {
      body: bodyOf(`${grantsHeader},Database,Comment\n${line('a', 'one')},Sales,x\n${line('b', 'one')},HR,x\n${line('a', 'two')},HR,y\n`),
      encoding: '',
    };
    const done = await importGrants(tenant.context(), { app: 'Wiki', allowRemovals: false }, file);
    expect(done.warnings).toEqual([
      {
        line: 4,
        column: 'Database',
        reason:
          '"HR" here and "Sales" on line 2, both of account "a": as an attribute the account keeps its last value alone. If "Database" is part of what ' +
          'is granted, use it: map=resource=Database. If it does not matter, leave it out: map=ignore=Database',
      },
    ]);
  });

  it('are refused whole for a single bad row; each is reported with line, column and reason', async () => {
    const told = await refusalOf(
      tenant.grants([
        line('a', 'one', { email: 'ann@x.example' }),
        line('', 'one'),
        line('b', ''),
        line('c', 'one', { email: 'c' }),
        line('d', 'one', { type: 'GOLEM' }),
        line('e', 'one', { status: 'GONE' }),
        line('f', 'one', { granted: '2024-02-30T00:00:00Z', used: 'yesterday' }),
        'g,h',
        line('a', 'two', { type: 'SERVICE_ACCOUNT' }),
        line('a', 'three', { email: 'ann@x.example', status: 'DISABLED' }),
        line('k'.repeat(1025), 'one'),
      ]),
    );
    expect(told.code).toBe('INVALID_ARGUMENT');
    expect(told.violations).toEqual([
      'line 3, account: must not be empty',
      'line 4, entitlement: must not be empty',
      'line 5, email: "c" is not a mail address',
      'line 6, account_type: "GOLEM" is none of USER, SERVICE_ACCOUNT, SYSTEM_ACCOUNT, and its meaning is not known; give it, such as "account_type:GOLEM=USER"',
      'line 7, account_status: "GONE" is none of ENABLED, DISABLED, and its meaning is not known; give it, such as "account_status:GONE=ENABLED"',
      'line 8, granted_at: "2024-02-30T00:00:00Z" is not a time like 2026-01-31T09:00:00Z',
      'line 8, last_used_at: "yesterday" is not a time like 2026-01-31T09:00:00Z, nor written in another known way',
      'line 9: has 2 fields where the header has 9',
      'line 10, account_type: account "a" has the type "SERVICE_ACCOUNT" here and "USER" on line 2',
      'line 10, email: account "a" has the owner "" here and "ann@x.example" on line 2',
      'line 11, account_status: account "a" has the status "DISABLED" here and "ENABLED" on line 2',
      'line 12, account: is longer than 1024 bytes',
    ]);
    expect(told.message).toContain('12 row errors');
    expect(await test.admin(`SELECT 1 FROM apps WHERE tenant_id = $1`, [tenant.tenantId])).toEqual([]);
  });

  it('need the name of an app', async () => {
    expect((await refusalOf(tenant.grants([line('a', 'e')], { app: '  ' }))).violations[0]).toContain('app: ');
  });

  it.each([
    '2024-02-29T23:59:60Z',
    '2024-01-01t00:00:00z',
    '2024-01-01 00:00:00+15:59',
    '0001-01-01T00:00:00.123456789-05:00',
    '9999-12-31T23:59:59Z',
  ])('take the time %s', async (granted) => {
    expect(await tenant.grants([line('a', 'e', { granted })])).toMatchObject({ added: 1 });
  });

  it('of one app imported at once come one after the other', async () => {
    const files = [crowd(10), crowd(11), crowd(12), [...crowd(12), line('n', 'e')]];
    const done = await Promise.all(files.map((file) => tenant.grants(file, { allowRemovals: true })));
    const revisions = done.map((one) => one.revision).sort();
    expect(revisions).toEqual([1, 2, 3, 4]);
    const last = done.find((one) => one.revision === 4);
    const open = (await grants()).filter((text) => String(text).endsWith('-') && !String(text).includes('ACCESS'));
    expect(open).toHaveLength(last?.rows ?? -1);
    expect(await test.admin(`SELECT 1 FROM apps WHERE tenant_id = $1`, [tenant.tenantId])).toHaveLength(1);
  });

  it('of two apps do not touch each other; nor do those of two tenants', async () => {
    const other = makeTenant(test);
    await tenant.grants(crowd(5), { app: 'One' });
    await tenant.grants(crowd(5), { app: 'Two' });
    await other.grants(crowd(5), { app: 'One' });
    const before = await grants(other.tenantId);
    expect(await tenant.grants([line('x', 'y')], { app: 'One', allowRemovals: true })).toMatchObject({ removed: 5, added: 1, revision: 3 });
    expect(await grants(other.tenantId)).toEqual(before);
    expect(await tenant.grants(crowd(5), { app: 'Two' })).toMatchObject({ unchanged: 5, revision: 3 });
  });

  it('leave one event, with the counts and the hash of the file', async () => {
    const done = await tenant.grants(crowd(3));
    const events = await test.admin(`SELECT kind, target_id, data FROM events WHERE tenant_id = $1 ORDER BY id`, [tenant.tenantId]);
    expect(events.map((event) => event.kind)).toEqual(['app.created', 'grants.imported']);
    expect(events[1]).toMatchObject({
      target_id: done.id,
      data: {
        fileSha256: done.fileSha256,
        rows: 3,
        added: 3,
        counts: {
          accounts: { added: 3, changed: 0, removed: 0, total: 3 },
          entitlements: { added: 3, changed: 0, removed: 0, total: 3 },
          grants: { added: 3, changed: 0, removed: 0, total: 3 },
        },
      },
    });
  });
});
