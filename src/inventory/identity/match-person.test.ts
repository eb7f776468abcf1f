/** Matching the accounts of one person: what it comes to is what matching all of them comes to, at the cost of the few. */
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runs } from '../../../test/support/runs.ts';
import { untilWaiting } from '../../../test/support/until.ts';
import {
  addAccount,
  addPerson,
  addSourcedApp,
  changesOf,
  moveAddress,
  ownersOf,
  putRecord,
  type RecordContent,
  type SourcedApp,
} from '../../../test/support/identity.ts';
import { textPlanOf } from '../../../test/support/plans.ts';
import { makeTestTenant, useTwoTenants, type TwoTenants } from '../../../test/support/tenants.ts';
import { inTransaction, type Context } from '../../context.ts';
import { findRevision, takeRevision } from '../ledger/index.ts';
import { matchAccounts } from './match-accounts.ts';
import { matchPerson } from './match-person.ts';
import { getDifferingSql, listPersonKeys } from './store-match-person.ts';
import { listAppsToMatch } from './store-rematch.ts';

let test: TwoTenants;
let context: Context;
let apps: readonly [SourcedApp, SourcedApp];
let count = 0;
beforeAll(async () => {
  test = await useTwoTenants();
});
afterAll(() => test.close());

async function freshTenant(): Promise<void> {
  context = (await makeTestTenant(test, `person${++count}.example`)).admin;
  apps = [await addSourcedApp(context, 'Wiki'), await addSourcedApp(context, 'Shop')];
}
beforeEach(freshTenant);

interface Keys {
  readonly email: string;
  readonly employeeId: string;
  readonly username: string;
  readonly status: string;
}

const setKeys = (id: string, keys: Partial<Keys>): Promise<number> =>
  context.db.run(
    `UPDATE users SET email = coalesce($3, email), email_key = lower(coalesce($3, email)), employee_id = coalesce($4, employee_id),
       username = coalesce($5, username), status = coalesce($6, status) WHERE tenant_id = $1 AND id = $2`,
    [context.tenantId, id, keys.email ?? null, keys.employeeId ?? null, keys.username ?? null, keys.status ?? null],
  );

/** Changes a person and matches their accounts, as whoever changes a person does. */
const change = (id: string, keys: Partial<Keys>) =>
  inTransaction(context, async (inside) => {
    const before = await listPersonKeys(inside, [id]);
    await setKeys(id, keys);
    return matchPerson(inside, [id], before, 'SCIM');
  });
const rematch = () => inTransaction(context, (inside) => matchAccounts(inside, undefined, 'MANUAL'));
const owners = async () => ({ ...(await ownersOf(context, apps[0].id)), ...(await ownersOf(context, apps[1].id)) });

describe('matching one person again', () => {
  it('gives them what they have the key of now, in every app, and takes away what they had the key of', async () => {
    const ann = await addPerson(context, { email: 'ann@x.example', username: 'ann' });
    const kept = await addAccount(context, apps[0].id, { email: 'ANN@x.example' });
    const lost = await addAccount(context, apps[0].id, { username: 'ann' });
    const named = await addAccount(context, apps[1].id, { externalId: 'Annie' });
    const nobodys = await addAccount(context, apps[1].id, { email: 'bob@x.example' });
    await rematch();
    expect(await owners()).toEqual({ [kept]: ann, [lost]: ann, [named]: null, [nobodys]: null });
    const revision = await findRevision(context);

    const done = await change(ann, { username: 'ANNIE' });
    expect(done).toMatchObject({ changed: 2, apps: 2, revisions: [revision + 1, revision + 2] });
    expect(done.first).toEqual(
      expect.arrayContaining([
        { appId: apps[0].id, accountId: lost, from: ann, to: null },
        { appId: apps[1].id, accountId: named, from: null, to: ann },
      ]),
    );
    expect(await owners()).toEqual({ [kept]: ann, [lost]: null, [named]: ann, [nobodys]: null });
    const changes = (await changesOf(context)).filter((one) => one.revision > revision);
    expect(changes.map((one) => [one.accountId, one.before.userId]).sort()).toEqual(
      [
        [lost, ann],
        [named, null],
      ].sort(),
    );
    expect(
      await test.admin(`SELECT DISTINCT cause FROM inventory_revisions WHERE tenant_id = $1 AND revision > $2`, [
        context.tenantId,
        revision,
      ]),
    ).toEqual([{ cause: 'SCIM' }]);
  });

  it('frees what was ambiguous when one of two goes another way, and the reverse', async () => {
    const [ann, twin] = [await addPerson(context, { employeeId: 'E-1' }), await addPerson(context, { employeeId: 'E-1' })];
    const account = await addAccount(context, apps[0].id, { employeeId: 'E-1' });
    await rematch();
    expect(await owners()).toEqual({ [account]: null });
    expect((await change(twin, { employeeId: 'E-2' })).changed).toBe(1);
    expect(await owners()).toEqual({ [account]: ann });
    expect((await change(twin, { employeeId: 'E-1' })).changed).toBe(1);
    expect(await owners()).toEqual({ [account]: null });
    // A third is no news for who owns it, but for how many could.
    const third = await addPerson(context, {});
    const revision = await findRevision(context);
    expect(await change(third, { employeeId: 'E-1' })).toEqual({ changed: 0, marked: 0, apps: 0, first: [], revisions: [] });
    expect(await findRevision(context)).toBe(revision);
    expect(await test.admin('SELECT match_count FROM accounts WHERE id = $1', [account])).toEqual([{ match_count: 3 }]);
  });

  it('leaves owners set manually, manual accounts, deleted ones, and those an identity provider pushed', async () => {
    const ann = await addPerson(context, { email: 'ann@x.example' });
    const bob = await addPerson(context, { email: 'bob@x.example' });
    await context.db.run(`UPDATE sources SET kind = 'SCIM' WHERE tenant_id = $1 AND id = $2`, [context.tenantId, apps[0].connectorIds[1]]);
    const email = 'ann@x.example';
    const kept = {
      [await addAccount(context, apps[0].id, { email, userId: bob, isOwnedByHand: true, matchCount: 1 })]: bob,
      [await addAccount(context, apps[0].id, { email, userId: bob, sourceNo: 0 })]: bob,
      [await addAccount(context, apps[0].id, { email, userId: bob, status: 'DELETED' })]: bob,
      [await addAccount(context, apps[0].id, { email, userId: bob, sourceNo: 2 })]: bob,
    };
    expect((await change(ann, { username: 'ann' })).changed).toBe(0);
    expect((await rematch()).changed).toBe(0);
    expect(await owners()).toEqual(kept);
  });

  it('comes to what matching all of them comes to, whoever changes and however', async () => {
    const word = fc.constantFrom('', 'a', 'B', 'b', 'c');
    const keys = fc.record({ employeeId: word, username: word, status: fc.constantFrom('ENABLED', 'DISABLED', 'DELETED') });
    const account = fc.record({
      app: fc.constantFrom(0 as const, 1 as const),
      email: fc.constantFrom('', 'P0@x.example', 'p1@x.example', 'p2@x.example'),
      employeeId: word,
      username: word,
      externalId: fc.constantFrom('a', 'b', 'q'),
      sourceNo: fc.constantFrom(0, 1, 2),
      isOwnedByHand: fc.boolean(),
    });
    const changes = fc.array(fc.record({ person: fc.nat(2), keys, hasMail: fc.boolean() }), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(fc.array(account, { maxLength: 8 }), changes, async (accounts, steps) => {
        await freshTenant();
        const people = [
          await addPerson(context, { email: 'p0@x.example' }),
          await addPerson(context, {}),
          await addPerson(context, { username: 'b' }),
        ];
        for (const [index, { app, externalId, ...content }] of accounts.entries()) {
          await addAccount(context, apps[app].id, { ...content, externalId: `${externalId}${index > 2 ? index : ''}${app}${index}` });
        }
        await context.db.run(`UPDATE sources SET match_order = '{USERNAME,EMAIL}' WHERE id = $1`, [apps[1].connectorIds[1]]);
        await rematch();
        for (const { person, keys: wanted, hasMail } of steps) {
          await change(people[person] ?? '', { ...wanted, email: hasMail ? `p${person}@x.example` : '' });
          const found = await owners();
          const rest = await rematch();
          expect(rest.changed).toBe(0);
          expect(await owners()).toEqual(found);
        }
      }),
      { numRuns: runs(8, 25) },
    );
  }, 300_000);

  it('comes to it, too, where addresses move on and second records come and go', async () => {
    const address = fc.constantFrom('', 'p0@x.example', 'p1@x.example', 'p2@x.example');
    const word = fc.constantFrom('', 'a', 'b', 'c');
    const said = fc.record({ email: address, employeeId: word, username: word, state: fc.constantFrom('LIVE' as const, 'GONE' as const) });
    const account = fc.record({ email: address, employeeId: word, username: word });
    const step = fc.record({ person: fc.nat(2), email: address, says: fc.option(said, { nil: undefined }) });
    const steps = fc.array(step, { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(fc.array(account, { minLength: 1, maxLength: 6 }), steps, async (accounts, done) => {
        await freshTenant();
        const people = [
          await addPerson(context, {}),
          await addPerson(context, { employeeId: 'a' }),
          await addPerson(context, { username: 'b' }),
        ];
        const records = await Promise.all(people.map((id) => putRecord(context, id, { state: 'GONE' })));
        for (const one of accounts) {
          await addAccount(context, apps[0].id, one);
        }
        await rematch();
        const has = ['', '', ''];
        for (const { person, email, says } of done) {
          const holder = email === '' ? -1 : has.indexOf(email);
          const moved = [person, ...(holder < 0 || holder === person ? [] : [holder])].map((index) => people[index] ?? '');
          await inTransaction(context, async (inside) => {
            const before = await listPersonKeys(inside, moved);
            if (holder >= 0 && holder !== person) {
              await moveAddress(inside, people[holder] ?? '', '');
              has[holder] = '';
            }
            await moveAddress(inside, people[person] ?? '', email);
            has[person] = email;
            if (says !== undefined) {
              await putRecord(inside, people[person] ?? '', says satisfies RecordContent, records[person]);
            }
            await matchPerson(inside, moved, before, 'SCIM');
          });
          expect(await listAppsToMatch(context, undefined)).toEqual([]);
        }
      }),
      { numRuns: runs(15, 60) },
    );
  }, 300_000);

  it('locks the apps where an owner changes, and no other', async () => {
    const ann = await addPerson(context, { email: 'ann@x.example' });
    await addAccount(context, apps[0].id, { email: 'ann@x.example' });
    await addAccount(context, apps[1].id, { email: 'bob@x.example' });
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const other = context.db.transaction(async (db) => {
      await db.rows('SELECT id FROM apps WHERE tenant_id = $1 AND id = $2 FOR UPDATE', [context.tenantId, apps[1].id]);
      await held;
    });
    expect((await change(ann, { username: 'ann' })).changed).toBe(1);
    release();
    await other;
    await inTransaction(context, async (inside) => {
      expect(await takeRevision(inside, apps[1].id, 'MANUAL')).toBe(2);
    });
  });

  it('waits for accounts that are matched and not committed, which saw the person as they were', async () => {
    const ann = await addPerson(context, { email: 'ann@x.example' });
    const [matched, release] = [Promise.withResolvers<string>(), Promise.withResolvers<void>()];
    const sync = inTransaction(context, async (inside) => {
      const account = await addAccount(inside, apps[0].id, { username: 'anna' });
      await matchAccounts(inside, apps[0].id, 'IMPORT');
      matched.resolve(account);
      await release.promise;
    });
    const account = await matched.promise;
    const pushed = change(ann, { username: 'anna' });
    // Whoever does not wait is done then, and has found nothing.
    await Promise.race([pushed, untilWaiting(test)]);
    release.resolve();
    await sync;
    expect((await pushed).changed).toBe(1);
    expect(await owners()).toEqual({ [account]: ann });
  });

  it('finds the accounts and the people by indexes, among many', async () => {
    await context.db.run(
      `INSERT INTO accounts (tenant_id, app_id, id, external_id, email, employee_id, username, source_no, created_at, updated_at)
       SELECT $1, $2, 'x' || n, 'e' || n, 'm' || n || '@x.example', 'n' || n, 'u' || n, 1, $3, $3 FROM generate_series(1, 8000) AS n`,
      [context.tenantId, apps[0].id, context.now],
    );
    await context.db.run(
      `INSERT INTO users (tenant_id, id, email, email_key, employee_id, username, created_at, updated_at)
       SELECT $1, 'p' || n, 'm' || n || '@x.example', 'm' || n || '@x.example', 'n' || n, 'u' || n, $2, $2 FROM generate_series(1, 8000) AS n`,
      [context.tenantId, context.now],
    );
    await context.db.run(
      `INSERT INTO person_records (tenant_id, id, source_id, anchor_kind, anchor, user_id, email, email_key, username, employee_id, first_seen_at, changed_at)
       SELECT $1, 'r' || n, 'source', 'SCIM_ID', n, 'p' || n, 'r' || n, 'r' || n, 'r' || n, 'r' || n, $2, $2 FROM generate_series(1, 8000) AS n`,
      [context.tenantId, context.now],
    );
    await context.db.run(
      `INSERT INTO former_words (tenant_id, user_id, valid_until, display_name, email, email_key, employee_id)
       SELECT $1, 'p' || n, $2, '', 'f' || n, 'f' || n, '' FROM generate_series(1, 8000) AS n`,
      [context.tenantId, context.now],
    );
    await test.admin('ANALYZE accounts, users, person_records, former_words');
    const keys = [
      { emailKey: 'm1@x.example', employeeId: 'n1', usernameKey: 'u1' },
      { emailKey: 'm2@x.example', employeeId: '', usernameKey: 'u2' },
    ];
    const text = await textPlanOf(context, 'COSTS', getDifferingSql(context.tenantId, { userIds: ['p1'], keys, appIds: undefined }));
    for (const index of ['accounts_by_email', 'accounts_by_employee_id', 'accounts_by_username', 'accounts_by_user', 'users_by_username']) {
      expect(text).toContain(` ${index} `);
    }
    expect(text).not.toMatch(/Seq Scan on (?:accounts|users|person_records|former_words)/);
    expect(await change('p1', { username: 'u501' })).toMatchObject({ apps: 1 });
  });
});
