/** Matching stored accounts again: who changes, what is kept, what stays. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addAccount, addPerson, addSourcedApp, changesOf, ownersOf, type SourcedApp } from '../../../test/support/identity.ts';
import { makeTestTenant, useTwoTenants, type TestTenant, type TwoTenants } from '../../../test/support/tenants.ts';
import { inTransaction, type Context } from '../../context.ts';
import { findRevision } from '../ledger/index.ts';
import { matchAccounts } from './match-accounts.ts';
import { setMatchOrder } from './set-match-order.ts';

let test: TwoTenants;
let tenant: TestTenant;
let context: Context;
let app: SourcedApp;
let count = 0;
beforeAll(async () => {
  test = await useTwoTenants();
});
afterAll(() => test.close());
beforeEach(async () => {
  tenant = await makeTestTenant(test, `match${++count}.example`);
  context = tenant.admin;
  app = await addSourcedApp(context, 'Wiki');
});

const rematch = (appId?: string) => inTransaction(context, (inside) => matchAccounts(inside, appId, 'IMPORT', 'import'));

describe('matching again', () => {
  it('gives accounts to people who came, takes them from those who are ambiguous now, and leaves the rest', async () => {
    const ann = await addPerson(context, { email: 'ann@x.example', employeeId: 'E-1' });
    const byMail = await addAccount(context, app.id, { email: 'ann@x.example' });
    const byNumber = await addAccount(context, app.id, { employeeId: 'E-1', userId: ann, matchCount: 1 });
    const right = await addAccount(context, app.id, { email: 'ANN@x.example', userId: ann, matchCount: 1 });
    const nobodys = await addAccount(context, app.id, { email: 'nobody@x.example' });
    await addPerson(context, { email: 'twin@x.example', employeeId: 'E-1' });

    const done = await rematch();
    expect(done).toMatchObject({ changed: 2, apps: 1 });
    expect(done.first).toEqual(
      expect.arrayContaining([
        { appId: app.id, accountId: byMail, from: null, to: ann },
        { appId: app.id, accountId: byNumber, from: ann, to: null },
      ]),
    );
    expect(await ownersOf(context, app.id)).toEqual({ [byMail]: ann, [byNumber]: null, [right]: ann, [nobodys]: null });
    const revision = await findRevision(context);
    const kept = await changesOf(context);
    expect(kept.map((one) => [one.accountId, one.revision, one.before.userId])).toEqual(
      [
        [byMail, revision, null],
        [byNumber, revision, ann],
      ].sort(),
    );
    expect(kept[0]?.before).toMatchObject({ accountType: 'USER', status: 'ENABLED', username: '', profile: {} });
    expect(await test.admin('SELECT app_id, cause, sync_id FROM inventory_revisions WHERE tenant_id = $1', [context.tenantId])).toEqual([
      { app_id: app.id, cause: 'IMPORT', sync_id: 'import' },
    ]);
    const again = await rematch();
    expect(again).toEqual({ changed: 0, marked: 0, apps: 0, first: [], revisions: [] });
    expect(await findRevision(context)).toBe(revision);
  });

  it('leaves owners set manually, manual accounts, deleted accounts, and the apps of others', async () => {
    const ann = await addPerson(context, { email: 'ann@x.example' });
    const bob = await addPerson(context, { email: 'bob@x.example' });
    const kept = [
      await addAccount(context, app.id, { email: 'ann@x.example', userId: bob, isOwnedByHand: true, matchCount: 1 }),
      await addAccount(context, app.id, { email: 'ann@x.example', isOwnedByHand: true, matchCount: 1 }),
      await addAccount(context, app.id, { email: 'ann@x.example', userId: bob, sourceNo: 0 }),
      await addAccount(context, app.id, { email: 'ann@x.example', userId: bob, status: 'DELETED' }),
    ];
    const theirs = await addSourcedApp(test.theirs.admin, `Wiki ${count}`);
    const theirAccount = await addAccount(test.theirs.admin, theirs.id, { email: 'ann@x.example' });
    expect((await rematch()).changed).toBe(0);
    expect(Object.values(await ownersOf(context, app.id)).sort()).toEqual([bob, null, bob, bob].sort());
    expect(kept).toHaveLength(4);
    expect(await ownersOf(test.theirs.admin, theirs.id)).toEqual({ [theirAccount]: null });
    expect(await findRevision(context)).toBe(0);
    expect(ann).not.toBe(bob);
  });

  it('keeps count of how many people match, which alone is no revision', async () => {
    await addPerson(context, { employeeId: 'E-2' });
    await addPerson(context, { employeeId: 'E-2' });
    const account = await addAccount(context, app.id, { employeeId: 'E-2' });
    expect(await rematch()).toEqual({ changed: 0, marked: 0, apps: 0, first: [], revisions: [] });
    expect(await findRevision(context)).toBe(0);
    expect(await test.admin('SELECT match_count, updated_at FROM accounts WHERE id = $1', [account])).toEqual([
      { match_count: 2, updated_at: context.now },
    ]);
  });

  it('asks each source for its own order, and one app where one is named', async () => {
    const byMail = await addPerson(context, { email: 'a@x.example' });
    const byName = await addPerson(context, { username: 'Login' });
    const other = await addSourcedApp(context, 'Other');
    const account = { email: 'a@x.example', username: 'login' };
    const first = await addAccount(context, app.id, account);
    const second = await addAccount(context, app.id, { ...account, sourceNo: 2 });
    const elsewhere = await addAccount(context, other.id, account);
    await context.db.run(`UPDATE sources SET match_order = '{USERNAME}' WHERE tenant_id = $1 AND id = $2`, [
      context.tenantId,
      app.connectorIds[1],
    ]);
    expect(await rematch(app.id)).toMatchObject({ changed: 2, apps: 1 });
    expect(await ownersOf(context, app.id)).toEqual({ [first]: byMail, [second]: byName });
    expect(await ownersOf(context, other.id)).toEqual({ [elsewhere]: null });
    expect(await rematch()).toMatchObject({ changed: 1, apps: 1 });
  });

  it('tells a hundred changes one by one and counts the others, and is one revision of each app', async () => {
    const other = await addSourcedApp(context, 'Other');
    await addPerson(context, { email: 'ann@x.example' });
    for (const appId of [app.id, other.id]) {
      await context.db.run(
        `INSERT INTO accounts (tenant_id, app_id, id, external_id, email, source_no, created_at, updated_at)
         SELECT $1, $2, $2 || n, 'a' || n, 'ann@x.example', 1, $3, $3 FROM generate_series(1, 70) AS n`,
        [context.tenantId, appId, context.now],
      );
    }
    const done = await rematch();
    expect(done).toMatchObject({ changed: 140, apps: 2 });
    expect(done.first).toHaveLength(100);
    expect(await changesOf(context)).toHaveLength(140);
    expect(await findRevision(context)).toBe(2);
  });
});

describe('a new order', () => {
  const events = () =>
    test.admin(`SELECT kind, data FROM events WHERE tenant_id = $1 AND kind = 'connector.match_order_changed'`, [context.tenantId]);

  it('is kept, told, and matches at once; the same one changes nothing', async () => {
    const byMail = await addPerson(context, { email: 'a@x.example' });
    const byNumber = await addPerson(context, { employeeId: 'E-1' });
    const account = await addAccount(context, app.id, { email: 'a@x.example', employeeId: 'E-1', userId: byMail, matchCount: 1 });
    expect(await setMatchOrder(context, app.connectorIds[0], ['EMPLOYEE_ID', 'EMAIL'])).toMatchObject({ changed: 1 });
    expect(await ownersOf(context, app.id)).toEqual({ [account]: byNumber });
    expect(await setMatchOrder(context, app.connectorIds[0], ['EMPLOYEE_ID', 'EMAIL'])).toBeUndefined();
    expect(await events()).toEqual([
      {
        kind: 'connector.match_order_changed',
        data: {
          appId: app.id,
          from: ['EMAIL', 'EMPLOYEE_ID', 'USERNAME'],
          to: ['EMPLOYEE_ID', 'EMAIL'],
          revisions: [expect.any(Number)],
          changedAccounts: 1,
          accounts: [{ appId: app.id, accountId: account, from: byMail, to: byNumber }],
        },
      },
    ]);
  });

  it('names each rule once, and one at least', async () => {
    const refuse = (order: Parameters<typeof setMatchOrder>[2]) => expect(setMatchOrder(context, app.connectorIds[0], order)).rejects;
    await refuse([]).toMatchObject({ code: 'INVALID_ARGUMENT', violations: [{ field: 'order' }] });
    await refuse(['EMAIL', '', 'EMAIL']).toMatchObject({ violations: [{ field: 'order[1]' }, { field: 'order[2]' }] });
    expect(await events()).toEqual([]);
  });

  it('is that of a source of accounts which is there', async () => {
    const theirs = await addSourcedApp(test.theirs.admin, `Order ${count}`);
    for (const id of [theirs.connectorIds[0], 'nothing', '']) {
      await expect(setMatchOrder(context, id, ['EMAIL'])).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
    await context.db.run(`UPDATE sources SET deleted_at = $3 WHERE tenant_id = $1 AND id = $2`, [
      context.tenantId,
      app.connectorIds[1],
      context.now,
    ]);
    await expect(setMatchOrder(context, app.connectorIds[1], ['EMAIL'])).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
