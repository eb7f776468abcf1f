/** The lists of what does not fit: who is in them, in which order, and through which index. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sql } from '../../lib/sql.ts';
import { textPlanOf } from '../../../test/support/plans.ts';
import { addAccount, addPerson, addSourcedApp, type SourcedApp } from '../../../test/support/identity.ts';
import { makeTestTenant, useTwoTenants, type TwoTenants } from '../../../test/support/tenants.ts';
import type { Context } from '../../context.ts';
import { deleteApp } from '../grants/deletion/delete-app.ts';
import { listFirstCandidates } from './list-candidates.ts';
import { listLeavers, listUnowned, listWithoutManager } from './store-lists.ts';

let test: TwoTenants;
let context: Context;
let wiki: SourcedApp;
let mail: SourcedApp;
let gone: SourcedApp;
beforeAll(async () => {
  test = await useTwoTenants();
  context = test.ours.system;
  wiki = await addSourcedApp(context, 'Wiki');
  mail = await addSourcedApp(context, 'Mail');
  gone = await addSourcedApp(context, 'Gone');
});
afterAll(() => test.close());

const start = { appId: '', id: '' };

describe('leavers with accounts', () => {
  it('are those who are not enabled or terminated and own an enabled account of an app that is there', async () => {
    const disabled = await addPerson(context, { status: 'DISABLED' });
    const terminated = await addPerson(context, { employmentStatus: 'TERMINATED' });
    const deleted = await addPerson(context, { status: 'DELETED' });
    const active = await addPerson(context, { employmentStatus: 'ACTIVE' });
    const without = await addPerson(context, { status: 'DISABLED' });
    const service = await addPerson(context, { status: 'DISABLED', type: 'SERVICE' });
    for (const userId of [disabled, terminated, deleted, active, service]) {
      await addAccount(context, wiki.id, { userId });
    }
    await addAccount(context, wiki.id, { userId: disabled });
    await addAccount(context, mail.id, { userId: disabled });
    // None of these is an account somebody could sign in with.
    await addAccount(context, mail.id, { userId: without, status: 'DISABLED' });
    await addAccount(context, mail.id, { userId: without, status: 'DELETED' });
    await addAccount(context, gone.id, { userId: without });
    await deleteApp(context, gone.id);
    const theirs = await addSourcedApp(test.theirs.system, 'Wiki');
    await addAccount(test.theirs.system, theirs.id, { userId: await addPerson(test.theirs.system, { status: 'DISABLED' }) });

    const counts = async (appId?: string, after = '', limit = 10) =>
      (await listLeavers(context, appId, after, limit)).map((row) => [row.userId, row.accountCount]);
    const all = [
      [disabled, 3],
      [terminated, 1],
      [deleted, 1],
    ].sort();
    expect(await counts()).toEqual(all);
    expect(await counts(mail.id)).toEqual([[disabled, 1]]);
    expect(await counts(undefined, String(all[0]?.[0]), 1)).toEqual([all[1]]);
    expect(await counts(theirs.id)).toEqual([]);
  });
});

describe('accounts without an owner', () => {
  it('are listed by app and id, the ambiguous ones in a list of their own', async () => {
    const { system } = await makeTestTenant(test, 'unowned.example');
    const apps = [await addSourcedApp(system, 'One'), await addSourcedApp(system, 'Two')];
    const none: [string, string][] = [];
    const several: [string, string][] = [];
    const owner = await addPerson(system, {});
    for (const app of apps) {
      for (const matchCount of [0, 2, 0, 3]) {
        const id = await addAccount(system, app.id, { matchCount });
        none.push([app.id, id]);
        if (matchCount > 1) {
          several.push([app.id, id]);
        }
      }
      // Marked as unowned: not owned, and nothing is left to be decided.
      none.push([app.id, await addAccount(system, app.id, { matchCount: 2, isOwnedByHand: true })]);
      await addAccount(system, app.id, { matchCount: 2, userId: owner, isOwnedByHand: true });
      await addAccount(system, app.id, { matchCount: 2, status: 'DELETED' });
    }
    const deleted = await addSourcedApp(system, 'Deleted');
    await addAccount(system, deleted.id, { matchCount: 2 });
    await system.db.run('UPDATE apps SET deleted_at = $3 WHERE tenant_id = $1 AND id = $2', [system.tenantId, deleted.id, system.now]);
    none.sort();
    several.sort();
    const list = async (...args: [kind: 'unowned' | 'ambiguous', appId?: string, after?: typeof start, limit?: number]) => {
      const [kind, appId, after = start, limit = 50] = args;
      return (await listUnowned(system, kind, appId, after, limit)).map((row) => [row.appId, row.id]);
    };
    expect(await list('unowned')).toEqual(none);
    expect(await list('ambiguous')).toEqual(several);
    for (const app of apps) {
      expect(await list('unowned', app.id)).toEqual(none.filter(([appId]) => appId === app.id));
      expect(await list('ambiguous', app.id)).toEqual(several.filter(([appId]) => appId === app.id));
    }
    for (const [appId, id] of none) {
      const rest = none.filter((one) => one[0] > appId || (one[0] === appId && one[1] > id));
      expect(await list('unowned', undefined, { appId, id }, 3)).toEqual(rest.slice(0, 3));
      expect(await list('unowned', appId, { appId, id }, 3)).toEqual(rest.filter((one) => one[0] === appId).slice(0, 3));
    }
  });
});

describe('the candidates of an ambiguous account', () => {
  it('are the first five of the rule that decides in the order of its source', async () => {
    const { system } = await makeTestTenant(test, 'candidates.example');
    const app = await addSourcedApp(system, 'App');
    const numbered: string[] = [];
    const named: string[] = [];
    for (let n = 0; n < 7; n++) {
      numbered.push(await addPerson(system, { employeeId: 'E-1' }));
    }
    for (let n = 0; n < 2; n++) {
      named.push(await addPerson(system, { username: 'JÖRG' }));
    }
    await addPerson(system, { employeeId: 'E-1', status: 'DELETED' });
    await addPerson(system, { username: 'jörg', type: 'SERVICE' });
    await addPerson(test.theirs.system, { username: 'jörg', employeeId: 'E-1' });
    numbered.sort();
    named.sort();
    const both = { employeeId: 'E-1', username: 'Jörg' };
    const byNumber = await addAccount(system, app.id, both);
    const byName = await addAccount(system, app.id, { ...both, sourceNo: 2 });
    const byExternalId = await addAccount(system, app.id, { externalId: 'jÖrg' });
    const nobody = await addAccount(system, app.id, { employeeId: 'E-9' });
    await system.db.run(`UPDATE sources SET match_order = '{EMAIL,USERNAME,EMPLOYEE_ID}' WHERE tenant_id = $1 AND id = $2`, [
      system.tenantId,
      app.connectorIds[1],
    ]);
    const found = await listFirstCandidates(system, [byNumber, byName, byExternalId, nobody]);
    expect(Object.fromEntries(found)).toEqual({ [byNumber]: numbered.slice(0, 5), [byName]: named, [byExternalId]: named });
  });
});

describe('people without a manager', () => {
  it('are enabled people, whoever they manage themselves', async () => {
    const { system, adminId, basicId } = await makeTestTenant(test, 'managers.example');
    const top = await addPerson(system, {});
    await addPerson(system, { managerId: top });
    await addPerson(system, { status: 'DISABLED' });
    await addPerson(system, { type: 'SERVICE' });
    const all = [adminId, basicId, top].sort();
    expect(await listWithoutManager(system, '', 10)).toEqual(all);
    expect(await listWithoutManager(system, all[0] ?? '', 1)).toEqual([all[1]]);
  });

  it('are those, too, whose manager is there no more, in their place among the others', async () => {
    const { system, adminId, basicId } = await makeTestTenant(test, 'left-managers.example');
    const gone = await addPerson(system, { status: 'DISABLED' });
    const deleted = await addPerson(system, { status: 'DELETED' });
    const first = await addPerson(system, { managerId: gone });
    const top = await addPerson(system, {});
    const second = await addPerson(system, { managerId: deleted });
    await addPerson(system, { managerId: gone, status: 'DISABLED' });
    await addPerson(system, { managerId: top });
    await addPerson(system, { managerId: first });
    const all = [adminId, basicId, first, top, second].sort();
    const pages: string[] = [];
    for (let after = ''; ; after = pages.at(-1) ?? '') {
      const page = await listWithoutManager(system, after, 2);
      pages.push(...page);
      if (page.length < 2) {
        break;
      }
    }
    expect(pages).toEqual(all);
    await system.db.run(`UPDATE users SET status = 'ENABLED' WHERE tenant_id = $1 AND id = $2`, [system.tenantId, gone]);
    expect(await listWithoutManager(system, '', 10)).toEqual([adminId, basicId, gone, top, second].sort());
  });
});

it('each walks its own index, among many people and accounts that fit', async () => {
  const { system } = await makeTestTenant(test, 'plans.example');
  const app = await addSourcedApp(system, 'App');
  const apps: string[] = [];
  for (let n = 0; n < 9; n++) {
    apps.push((await addSourcedApp(system, `App ${n}`)).id);
  }
  await system.db.run(
    `INSERT INTO users (tenant_id, id, email, email_key, status, manager_id, created_at, updated_at)
     SELECT $1, 'u' || n, n || '@z.example', n || '@z.example', CASE WHEN n % 100 = 0 THEN 'DISABLED' ELSE 'ENABLED' END,
       CASE WHEN n % 100 <> 1 THEN 'u1' END, $2, $2 FROM generate_series(1, 5000) AS n`,
    [system.tenantId, system.now],
  );
  for (const appId of [app.id, ...apps]) {
    await system.db.run(
      `INSERT INTO accounts (tenant_id, app_id, id, external_id, user_id, match_count, source_no, created_at, updated_at)
       SELECT $1, $2, $2 || n, 'c' || n, CASE WHEN n % 10 <> 0 THEN 'u' || n END, CASE WHEN n % 20 = 0 THEN 2 ELSE 1 END, 1, $3, $3
       FROM generate_series(1, 1000) AS n`,
      [system.tenantId, appId, system.now],
    );
  }
  await test.admin('ANALYZE users, accounts, apps');
  const plans: string[] = [];
  // The statements as they are run, with the values they are run with.
  const explaining: Context = {
    ...system,
    db: {
      ...system.db,
      async rows<T>(sql: Sql | string, values?: readonly unknown[]): Promise<T[]> {
        plans.push(await textPlanOf(system, 'COSTS', sql, values));
        return [];
      },
    },
  };
  const planOf = async (list: () => Promise<unknown>): Promise<string> => {
    await list();
    return plans.pop() ?? '';
  };
  const expectWalk = (plan: string, index: string): void => {
    expect(plan).toContain(index);
    expect(plan).not.toMatch(/Seq Scan on (?:users|accounts)/);
  };
  expectWalk(await planOf(() => listLeavers(explaining, undefined, '', 26)), 'users_left');
  expectWalk(await planOf(() => listLeavers(explaining, undefined, '', 26)), 'accounts_by_user');
  for (const appId of [undefined, app.id]) {
    expectWalk(await planOf(() => listUnowned(explaining, 'unowned', appId, start, 26)), 'accounts_unowned_by_app');
    expectWalk(await planOf(() => listUnowned(explaining, 'ambiguous', appId, start, 26)), 'accounts_ambiguous');
  }
  const withoutManager = await planOf(() => listWithoutManager(explaining, '', 26));
  expectWalk(withoutManager, 'users_without_manager');
  expectWalk(withoutManager, 'users_not_enabled');
  expectWalk(withoutManager, 'users_by_manager');
  const candidates = await planOf(() => listFirstCandidates(explaining, [`${app.id}20`, `${app.id}40`]));
  expectWalk(candidates, 'users_by_employee_id');
  expectWalk(candidates, 'users_by_username');
});
