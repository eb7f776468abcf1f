/** Owners set manually and taken back. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addAccount, addPerson, addSourcedApp, changesOf, type SourcedApp } from '../../../test/support/identity.ts';
import { useTwoTenants, type TwoTenants } from '../../../test/support/tenants.ts';
import { inTransaction, type Context } from '../../context.ts';
import { findRevision } from '../ledger/index.ts';
import { matchAccounts } from './match-accounts.ts';
import { releaseOwner, setOwner } from './set-owner.ts';

let test: TwoTenants;
let context: Context;
let app: SourcedApp;
let ann: string;
let bob: string;
let count = 0;
beforeAll(async () => {
  test = await useTwoTenants();
  context = test.ours.admin;
  ann = await addPerson(context, { email: 'ann@x.example', employeeId: 'E-1' });
  bob = await addPerson(context, { email: 'bob@x.example' });
});
afterAll(() => test.close());
beforeEach(async () => {
  app = await addSourcedApp(context, `App ${++count}`);
});

const events = (id: string) =>
  test.admin(`SELECT data FROM events WHERE tenant_id = $1 AND kind = 'account.owner_changed' AND target_id = $2 ORDER BY id`, [
    context.tenantId,
    id,
  ]);

describe('an owner set manually', () => {
  it('survives matching, is one revision, one event, and what was before is kept', async () => {
    const id = await addAccount(context, app.id, { email: 'ann@x.example', userId: ann, matchCount: 1 });
    const before = await findRevision(context);
    expect(await setOwner(context, app.id, id, bob)).toMatchObject({ userId: bob, isOwnedByHand: true });
    await setOwner(context, app.id, id, bob);
    expect(await findRevision(context)).toBe(before + 1);
    expect((await changesOf(context)).filter((one) => one.accountId === id)).toMatchObject([
      { revision: before + 1, before: { userId: ann } },
    ]);
    expect(await events(id)).toEqual([{ data: { appId: app.id, revision: before + 1, from: ann, to: bob, byHand: true } }]);
    expect((await inTransaction(context, (inside) => matchAccounts(inside, app.id, 'IMPORT'))).changed).toBe(0);
  });

  it('may be nobody, and may be whom it matches anyway', async () => {
    const id = await addAccount(context, app.id, { email: 'ann@x.example', userId: ann, matchCount: 1 });
    const before = await findRevision(context);
    expect(await setOwner(context, app.id, id, ann)).toMatchObject({ userId: ann, isOwnedByHand: true });
    // Whose it is has not changed, only why.
    expect(await findRevision(context)).toBe(before);
    expect(await events(id)).toMatchObject([{ data: { revision: null } }]);
    expect(await setOwner(context, app.id, id, '')).toMatchObject({ userId: null, isOwnedByHand: true });
    expect((await inTransaction(context, (inside) => matchAccounts(inside, app.id, 'IMPORT'))).changed).toBe(0);
    expect(await findRevision(context)).toBe(before + 1);
  });

  it('is taken back: the account is whose it matches, at once', async () => {
    const id = await addAccount(context, app.id, { email: 'ann@x.example', userId: bob, isOwnedByHand: true });
    expect(await releaseOwner(context, app.id, id)).toMatchObject({ account: { userId: ann, isOwnedByHand: false }, matchCount: 1 });
    expect(await releaseOwner(context, app.id, id)).toMatchObject({ account: { userId: ann, isOwnedByHand: false }, matchCount: 1 });
    const revision = await findRevision(context);
    expect(await events(id)).toEqual([{ data: { appId: app.id, revision, from: bob, to: ann, byHand: false } }]);
  });

  it('is taken back in the order of its source, and is nobody where several match', async () => {
    const twin = await addPerson(context, { employeeId: `T-${count}` });
    await addPerson(context, { employeeId: `T-${count}` });
    const content = { email: 'ann@x.example', employeeId: `T-${count}`, userId: twin, isOwnedByHand: true };
    const [byMail, byNumber, byHand] = [
      await addAccount(context, app.id, content),
      await addAccount(context, app.id, { ...content, sourceNo: 2 }),
      await addAccount(context, app.id, { ...content, sourceNo: 0 }),
    ];
    await context.db.run(`UPDATE sources SET match_order = '{EMPLOYEE_ID}' WHERE tenant_id = $1 AND id = $2`, [
      context.tenantId,
      app.connectorIds[1],
    ]);
    expect(await releaseOwner(context, app.id, byMail)).toMatchObject({ account: { userId: ann }, matchCount: 1 });
    expect(await releaseOwner(context, app.id, byNumber)).toMatchObject({ account: { userId: null }, matchCount: 2 });
    expect(await releaseOwner(context, app.id, byHand)).toMatchObject({ account: { userId: ann }, matchCount: 1 });
    expect(await test.admin('SELECT match_count FROM accounts WHERE id = $1', [byNumber])).toEqual([{ match_count: 2 }]);
  });

  it('is a person who is there, of an account that is', async () => {
    const id = await addAccount(context, app.id, {});
    const gone = await addPerson(context, { status: 'DELETED' });
    const service = await addPerson(context, { type: 'SERVICE' });
    for (const nobody of [gone, service, test.theirs.adminId, 'nobody']) {
      await expect(setOwner(context, app.id, id, nobody)).rejects.toMatchObject({
        code: 'INVALID_ARGUMENT',
        violations: [{ field: 'userId' }],
      });
    }
    const other = await addSourcedApp(context, `Other ${count}`);
    const deleted = await addAccount(context, app.id, { status: 'DELETED' });
    const theirs = await addSourcedApp(test.theirs.admin, `Theirs ${count}`);
    const theirAccount = await addAccount(test.theirs.admin, theirs.id, {});
    for (const [appId, account] of [
      [other.id, id],
      [app.id, deleted],
      [app.id, theirAccount],
      [theirs.id, theirAccount],
      [app.id, 'nothing'],
    ] as const) {
      await expect(setOwner(context, appId, account, bob)).rejects.toMatchObject({ code: 'NOT_FOUND' });
      await expect(releaseOwner(context, appId, account)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
    expect(await events(id)).toEqual([]);
  });

  it('may be somebody who left: that is how the account is found', async () => {
    const left = await addPerson(context, { status: 'DISABLED' });
    const id = await addAccount(context, app.id, {});
    expect(await setOwner(context, app.id, id, left)).toMatchObject({ userId: left });
  });
});
