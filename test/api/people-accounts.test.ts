/** Accounts of people whose records change: by addresses they had before, by second records, and by what only looks like theirs. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Loose, request } from '../support/api.ts';
import { checkInventory } from '../support/check-inventory.ts';
import { environmentFor, runInProcess } from '../support/command-line.ts';
import { connectScim, patch, type ScimClient, urn } from '../support/scim.ts';
import { type TestServer, useTestServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { sendFile } from '../support/world.ts';

let server: TestServer;
let scim: ScimClient;
const admin = (method: string, path: string, body?: unknown): Promise<Answer> => request(server, server.admin, method, path, body);
const ok = async (method: string, path: string, body?: unknown): Promise<Loose> => {
  const answer = await admin(method, path, body);
  expect([path, answer.status, answer.status === 200 ? undefined : answer.body]).toEqual([path, 200, undefined]);
  return answer.body;
};
const byAddress = async (email: string): Promise<Loose> => (await ok('POST', '/api/v1/search/users', { email })).list[0]?.user;
const importPeople = async (source: string, file: string): Promise<Loose> => {
  const { status, body } = await sendFile(server, server.admin, `/api/v1/imports/people?source=${source}&allow_removals=true`, file);
  expect([status, body.message]).toEqual([200, undefined]);
  return body.import;
};
const importGrants = async (app: string, file: string): Promise<Loose> => {
  const { status, body } = await sendFile(server, server.admin, `/api/v1/imports/grants?app=${app}&allow_removals=true`, file);
  expect([status, body.message]).toEqual([200, undefined]);
  return body.import;
};
/** The accounts of an app by name: the id of the owner, and whether it was found by a former address. */
const accounts = async (appId: string): Promise<Record<string, readonly [string, boolean]>> => {
  const { list } = await ok('GET', `/api/v1/apps/${appId}/app_users?page_size=100`);
  return Object.fromEntries(
    list.map(({ appUser }: Loose) => [appUser.displayName, [appUser.identityUserId, appUser.ownerByFormerAddress]]),
  );
};
const eventOf = async (kind: string): Promise<Loose> => {
  const [event] = await server.test.admin('SELECT data FROM events WHERE tenant_id = $1 AND kind = $2 ORDER BY id DESC LIMIT 1', [
    server.id,
    kind,
  ]);
  return event?.data;
};
const user = (userName: string, said: { displayName: string; email: string; employeeNumber?: string; externalId?: string }): object => ({
  schemas: [urn.user],
  userName,
  active: true,
  displayName: said.displayName,
  emails: [{ value: said.email, primary: true }],
  ...(said.externalId === undefined ? {} : { externalId: said.externalId }),
  ...(said.employeeNumber === undefined ? {} : { [urn.enterprise]: { employeeNumber: said.employeeNumber } }),
});

beforeAll(async () => {
  server = await useTestServer();
  scim = await connectScim(server, 'Directory');
});
afterAll(async () => {
  await checkInventory(server.test.admin, server.id);
  await server.stop();
});

const header = 'email,display_name,employee_id';

describe('an address that somebody had before', () => {
  const grants = 'account,email,entitlement\nanna,Anna.Alt@d.test,Read\ntom,tom@d.test,Read\n';

  it('example 3: keeps the account theirs, marked, whichever file comes next', async () => {
    await importPeople('hr', `${header}\nanna.alt@d.test,Anna Alt,42\ntom@d.test,Tom,43\n`);
    const [anna, tom] = [await byAddress('anna.alt@d.test'), await byAddress('tom@d.test')];
    const { appId } = await importGrants('Wiki', grants);
    expect(await accounts(appId)).toEqual({ anna: [anna.id, false], tom: [tom.id, false] });
    const sync = await importPeople('hr', `${header}\nanna.neu@d.test,Anna Neu,42\ntom@d.test,Tom,43\n`);
    expect([sync.added, sync.changed, sync.removed, sync.counts.accounts.changed]).toEqual(['0', '1', '0', '0']);
    expect(sync.warnings.map(({ reason }: Loose) => reason)).toEqual([
      'accounts that match a former address of their owner from now on: 1; check that they are still theirs',
    ]);
    const marked = { anna: [anna.id, true], tom: [tom.id, false] };
    expect(await accounts(appId)).toEqual(marked);
    // The same file again, one that differs elsewhere, and a new app.
    for (const [app, file] of [
      ['Wiki', grants],
      ['Wiki', `${grants}anna,Anna.Alt@d.test,Write\n`],
      ['Shop', grants],
    ] as const) {
      const done = await importGrants(app, file);
      expect([done.findings.formerAddressAccounts, await accounts(done.appId)]).toEqual(['1', marked]);
    }
    // Both files as they were: she has the address again.
    await importPeople('hr', `${header}\nanna.alt@d.test,Anna Alt,42\ntom@d.test,Tom,43\n`);
    expect(await accounts(appId)).toEqual({ anna: [anna.id, false], tom: [tom.id, false] });
    await importPeople('hr', `${header}\nanna.neu@d.test,Anna Neu,42\ntom@d.test,Tom,43\n`);
    expect(await accounts(appId)).toEqual(marked);
  });

  it('is shown on the command line, and confirmed by setting the owner', async () => {
    const anna = await byAddress('anna.neu@d.test');
    const { appId } = await importGrants('Wiki', grants);
    const run = (...args: string[]) => runInProcess(args, { env: environmentFor(server.url, server.admin.credential) });
    const listed = await run('account', 'list', '--app', 'Wiki');
    expect(listed.stdout).toMatch(/anna +anna\.alt@d\.test +anna\.neu@d\.test +former address/);
    const { list } = await ok('GET', `/api/v1/apps/${appId}/app_users?page_size=100`);
    const account = list.find(({ appUser }: Loose) => appUser.username === 'anna').appUser;
    const path = `/api/v1/apps/${appId}/app_users/${account.id}/owner`;
    expect((await ok('PUT', path, { userId: anna.id })).appUser).toMatchObject({ ownerByFormerAddress: false });
    await importGrants('Wiki', `${grants}anna,Anna.Alt@d.test,Own\n`);
    expect((await accounts(appId)).anna).toEqual([anna.id, false]);
    expect((await run('account', 'release', '--app', 'Wiki', '--account', 'anna')).stdout).toContain(
      'anna is owned by anna.neu@d.test, matched by an address that they had before.',
    );
    expect((await accounts(appId)).anna).toEqual([anna.id, true]);
    expect(await eventOf('account.owner_changed')).toMatchObject({ from: anna.id, to: anna.id, byHand: false, byFormerAddress: true });
  });

  it('is of whoever has it now: a change of the owner like any other', async () => {
    const anna = await byAddress('anna.neu@d.test');
    const { appId } = await importGrants('Wiki', grants);
    const sync = await importPeople('hr', `${header}\nanna.neu@d.test,Anna Neu,42\ntom@d.test,Tom,43\nanna.alt@d.test,Anna Another,44\n`);
    const joiner = await byAddress('anna.alt@d.test');
    expect(joiner.id).not.toBe(anna.id);
    expect((await accounts(appId)).anna).toEqual([joiner.id, false]);
    expect(sync.counts.accounts.changed).toBe('2');
    const [change] = await server.test.admin(
      `SELECT c.before ->> 'userId' AS was, r.cause, r.sync_id FROM account_changes c JOIN inventory_revisions r ON r.tenant_id = $1 AND r.revision = c.revision
       WHERE c.tenant_id = $1 AND c.app_id = $2 ORDER BY c.revision DESC LIMIT 1`,
      [server.id, appId],
    );
    expect(change).toEqual({ was: anna.id, cause: 'IMPORT', sync_id: sync.id });
  });

  it('of several people is no one’s, and the next rule is asked', async () => {
    await importPeople('several', `${header}\nshared@s.test,One,s1\ntwo@s.test,Two,s2\n`);
    // Both had it: one gives it to the other, and both go on.
    await importPeople('several', `${header}\none@s.test,One,s1\nshared@s.test,Two,s2\n`);
    await importPeople('several', `${header}\none@s.test,One,s1\ntwo@s.test,Two,s2\n`);
    const two = await byAddress('two@s.test');
    const { appId, warnings } = await importGrants(
      'Several',
      'account,email,employee_id,entitlement\nby-mail,shared@s.test,,Read\nby-id,shared@s.test,s2,Read\n',
    );
    expect(await accounts(appId)).toEqual({ 'by-mail': ['', false], 'by-id': [two.id, false] });
    expect(warnings.map(({ reason }: Loose) => reason)).toEqual(['nobody has the address "shared@s.test": account "by-mail" has no owner']);
  });

  it('of two people is the other’s as soon as one of them is erased, and the event says so', async () => {
    await importPeople('erased', `${header}\nlent@e.test,One,e1\ntwo@e.test,Two,e2\n`);
    await importPeople('erased', `${header}\none@e.test,One,e1\nlent@e.test,Two,e2\n`);
    const one = await byAddress('one@e.test');
    const two = await byAddress('lent@e.test');
    await importPeople('erased', `${header}\none@e.test,One,e1\ntwo@e.test,Two,e2\n`);
    const { appId } = await importGrants('Erased', 'account,email,entitlement\nby-mail,lent@e.test,Read\n');
    expect(await accounts(appId)).toEqual({ 'by-mail': ['', false] });
    const second = await server.makePerson('second@admins.test', ['SUPER_ADMINISTRATOR']);
    const { request: asked } = await ok('POST', `/api/v1/users/${one.id}/erase`, { reason: 'They asked for it' });
    expect((await request(server, second, 'POST', `/api/v1/second_person_requests/${asked.id}/confirm`, {})).status).toBe(200);
    await until(async () =>
      expect(await eventOf('user.erased')).toEqual({ accounts: 0, matchedAccounts: 1, revisions: [expect.any(Number)] }),
    );
    expect(await accounts(appId)).toEqual({ 'by-mail': [two.id, true] });
  });

  it('is kept of people whose addresses move in one file', async () => {
    await importPeople('movers', `${header}\na@m.test,Ann,m1\nb@m.test,Ben,m2\n`);
    const [ann, ben] = [await byAddress('a@m.test'), await byAddress('b@m.test')];
    const { appId } = await importGrants('Movers', 'account,email,entitlement\nx,a@m.test,Read\ny,b@m.test,Read\n');
    // Ben gets Ann's address, and Ann another one: hers is his, and his is nobody's.
    await importPeople('movers', `${header}\nc@m.test,Ann,m1\na@m.test,Ben,m2\n`);
    expect(await accounts(appId)).toEqual({ x: [ben.id, false], y: [ben.id, true] });
    const former = await server.test.admin(`SELECT email_key FROM former_words WHERE tenant_id = $1 AND user_id = ANY ($2) ORDER BY 1`, [
      server.id,
      [ann.id, ben.id],
    ]);
    expect(former.map((one) => one.email_key)).toEqual(['a@m.test', 'b@m.test']);
  });
});

describe('a second record of a person', () => {
  it('matches accounts by its address, its employee id and its user name, until it goes', async () => {
    const email = 'yva@y.test';
    const { id: first } = await scim.ok('POST', '/Users', user(email, { displayName: 'Yva', email, employeeNumber: 'y1' }), 201);
    const yva = await byAddress(email);
    const { appId } = await importGrants(
      'Root',
      `account,email,employee_id,username,entitlement
by-mail,yva.adm@y.test,,,Read
by-id,,y9,,Read
by-name,,,ADM-Yva@y.test,Read
zeros,,0Y1,,Read
`,
    );
    const none = ['', false];
    expect(await accounts(appId)).toMatchObject({ 'by-mail': none, 'by-id': none, 'by-name': none });
    const { id: second } = await scim.ok('POST', '/Users', user(`adm-${email}`, { displayName: 'Yva (admin)', email }), 201);
    const theirs = [yva.id, false];
    expect(await accounts(appId)).toMatchObject({ 'by-mail': none, 'by-id': none, 'by-name': theirs });
    expect(await eventOf('scim.user_created')).toMatchObject({ matchedAccounts: 1, accounts: [{ from: null, to: yva.id }] });
    await scim.ok(
      'PUT',
      `/Users/${second}`,
      user(`adm-${email}`, { displayName: 'Yva (admin)', email: 'yva.adm@y.test', employeeNumber: 'y9' }),
    );
    expect(await byAddress(email)).toMatchObject({ id: yva.id, displayName: 'Yva' });
    expect(await accounts(appId)).toMatchObject({ 'by-mail': theirs, 'by-id': theirs, 'by-name': theirs });
    // A file comes to the same, and so does a new app.
    for (const app of ['Root', 'Other root']) {
      const done = await importGrants(
        app,
        'account,email,employee_id,username,entitlement\nby-mail,yva.adm@y.test,,,Write\nby-id,,y9,,Read\nby-name,,,ADM-Yva@y.test,Read\nzeros,,00y9,,Read\n',
      );
      expect(await accounts(done.appId)).toEqual({ 'by-mail': theirs, 'by-id': theirs, 'by-name': theirs, zeros: none });
      expect(done.warnings.map(({ line, column, reason }: Loose) => [line, column, reason])).toEqual([
        ['5', 'employee_id', 'account "zeros" has no owner: its employee id "00y9" is that of a person but for zeros in front, "y9"'],
      ]);
    }
    await scim.ok('DELETE', `/Users/${second}`, undefined, 204);
    expect(await accounts(appId)).toMatchObject({ 'by-mail': none, 'by-id': none, 'by-name': none });
    const { matchedAccounts, revisions } = await eventOf('scim.user_deleted');
    expect([matchedAccounts, revisions.length]).toEqual([6, 2]);
    expect((await byAddress(email)).id).toBe(yva.id);
    await scim.ok('PATCH', `/Users/${first}`, patch({ op: 'replace', path: 'displayName', value: 'Yva Y' }));
  });

  it('matches nothing while it is disputed whose it is', async () => {
    const email = 'dan@y.test';
    await scim.ok('POST', '/Users', user('dan', { displayName: 'Dan', email, externalId: 'x-dan-1' }), 201);
    const dan = await byAddress(email);
    const { appId } = await importGrants('Disputed', 'account,entitlement\nadm-dan,Read\ndan,Read\n');
    await scim.ok('POST', '/Users', user('adm-dan', { displayName: 'Dan (admin)', email, externalId: 'x-dan-2' }), 201);
    expect(await accounts(appId)).toEqual({ 'adm-dan': ['', false], dan: [dan.id, false] });
    const [record] = (await ok('GET', '/api/v1/identity/disputed')).list;
    await ok('POST', `/api/v1/identity/records/${record.id}/action/answer`, {
      verdict: 'PERSON_RECORD_VERDICT_SAME_PERSON',
      userId: dan.id,
    });
    expect((await accounts(appId))['adm-dan']).toEqual([dan.id, false]);
  });

  it('of a file matches accounts once somebody says whose it is', async () => {
    await importPeople('hr-a', 'email,display_name,employee_id,username\nfay@f.test,Fay,f1,fay\n');
    const fay = await byAddress('fay@f.test');
    await importPeople('hr-b', 'email,display_name,employee_id,username\nfay@f.test,Fay,f2,fay-ext\n');
    const { appId } = await importGrants('Files', 'account,employee_id,entitlement\nby-id,f2,Read\nfay-ext,,Read\n');
    expect(await accounts(appId)).toEqual({ 'by-id': ['', false], 'fay-ext': ['', false] });
    const [record] = (await ok('GET', '/api/v1/identity/disputed')).list;
    await ok('POST', `/api/v1/identity/records/${record.id}/action/answer`, {
      verdict: 'PERSON_RECORD_VERDICT_SAME_PERSON',
      userId: fay.id,
    });
    expect(await accounts(appId)).toEqual({ 'by-id': [fay.id, false], 'fay-ext': [fay.id, false] });
    expect(await eventOf('person_record.answered')).toMatchObject({ matchedAccounts: 2 });
  });

  it('that is somebody new takes the accounts under the address with it', async () => {
    const others = 'o1@n.test,One\no2@n.test,Two\n';
    await importPeople('hr-n', `email,display_name\ngus@n.test,Gus\n${others}`);
    const gus = await byAddress('gus@n.test');
    const { appId } = await importGrants('New', 'account,email,entitlement\ngus,gus@n.test,Read\n');
    await importPeople('hr-n', `email,display_name\n${others}`);
    await importPeople('hr-n', `email,display_name\ngus@n.test,Gina\n${others}`);
    expect(await accounts(appId)).toEqual({ gus: [gus.id, false] });
    const [record] = (await ok('GET', '/api/v1/identity/disputed')).list;
    const answered = await ok('POST', `/api/v1/identity/records/${record.id}/action/answer`, {
      verdict: 'PERSON_RECORD_VERDICT_NEW_PERSON',
    });
    expect(answered.record.userId).not.toBe(gus.id);
    expect(await accounts(appId)).toEqual({ gus: [answered.record.userId, false] });
    expect(await eventOf('person_record.answered')).toMatchObject({ accounts: [{ from: gus.id, to: answered.record.userId }] });
  });
});
