/** Two people that are one, and one that is two: previewed, done in one transaction, with nobody's rights moved, over HTTP. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Loose, request } from '../support/api.ts';
import { checkInventory } from '../support/check-inventory.ts';
import { connectScim, patch, type ScimClient, urn } from '../support/scim.ts';
import { type TestPerson, type TestServer, useTestServer } from '../support/server.ts';
import { sendFile } from '../support/world.ts';

let server: TestServer;
let scim: ScimClient;
let count = 0;
const superAdministrator = '000000000SuperAdministrator';
const basicUser = '000000000000000000BasicUser';
const as = (person: TestPerson, method: string, path: string, body?: unknown): Promise<Answer> =>
  request(server, person, method, path, body);
const admin = (method: string, path: string, body?: unknown): Promise<Answer> => as(server.admin, method, path, body);
const ok = async (method: string, path: string, body?: unknown): Promise<Loose> => {
  const answer = await admin(method, path, body);
  expect([path, answer.status, answer.status === 200 ? undefined : answer.body]).toEqual([path, 200, undefined]);
  return answer.body;
};
/** A name that no other test has. */
const fresh = (name: string): string => `${name}${++count}`;
const userOf = async (id: string): Promise<Loose> => (await ok('GET', `/api/v1/users/${id}`)).userView.user;
const byAddress = async (email: string): Promise<Loose> => (await ok('POST', '/api/v1/search/users', { email })).list[0]?.user;
const recordsOf = async (userId: string): Promise<Loose[]> => (await ok('GET', `/api/v1/identity/records?user_id=${userId}`)).list;
const importFile = async (path: string, file: string): Promise<Loose> => {
  const { status, body } = await sendFile(server, server.admin, `/api/v1/imports/${path}`, file);
  expect([status, body.message]).toEqual([200, undefined]);
  return body.import;
};
const importPeople = (source: string, file: string): Promise<Loose> => importFile(`people?source=${source}&allow_removals=true`, file);
const importGrants = (app: string, file: string): Promise<Loose> => importFile(`grants?app=${app}&allow_removals=true`, file);
/** Names of live accounts with their owners' ids. */
const owners = async (names: readonly string[]): Promise<Record<string, string | null>> => {
  const rows = await server.test.admin(
    `SELECT external_id AS name, user_id AS owner FROM accounts WHERE tenant_id = $1 AND external_id = ANY ($2) AND status <> 'DELETED'`,
    [server.id, names],
  );
  return Object.fromEntries(rows.map(({ name, owner }) => [name, owner]));
};
const eventsOf = (kind: string, targetId: string): Promise<Loose[]> =>
  server.test.admin('SELECT data FROM events WHERE tenant_id = $1 AND kind = $2 AND target_id = $3', [server.id, kind, targetId]);
const merge = (from: string, into: string, dryRun = false): Promise<Answer> =>
  admin('POST', `/api/v1/users/${from}/action/merge`, { intoUserId: into, dryRun });
const split = (id: string, recordIds: readonly string[], dryRun = false): Promise<Answer> =>
  admin('POST', `/api/v1/users/${id}/action/split`, { recordIds, dryRun });
interface Pushed {
  readonly externalId?: string;
  readonly active?: boolean;
  readonly displayName?: string;
  readonly email?: string;
  readonly employeeNumber?: string;
}
const user = (userName: string, { externalId, active, displayName, email, employeeNumber }: Pushed): object => ({
  schemas: [urn.user],
  userName,
  ...(externalId === undefined ? {} : { externalId }),
  ...(active === undefined ? {} : { active }),
  ...(displayName === undefined ? {} : { displayName }),
  ...(email === undefined ? {} : { emails: [{ value: email, primary: true }] }),
  ...(employeeNumber === undefined ? {} : { [urn.enterprise]: { employeeNumber } }),
});
const push = (userName: string, said: Pushed): Promise<Loose> => scim.ok('POST', '/Users', user(userName, said), 201);
const partOf = (parts: readonly Loose[], kind: string): number => parts.find((one) => one.kind === `PERSON_PART_KIND_${kind}`)?.count ?? 0;

beforeAll(async () => {
  server = await useTestServer();
  scim = await connectScim(server, 'Directory');
});
afterAll(async () => {
  await checkInventory(server.test.admin, server.id);
  await server.stop();
});

/** Somebody whom HR knows with one address and a provider with another, with accounts under both. */
async function makeTwins(): Promise<{ name: string; hr: Loose; pushed: Loose; scimId: string; accounts: string[]; file: string }> {
  const name = fresh('anna');
  const file = `email,display_name,employee_id\nold.${name}@corp.test,Anna Old,${name}-42\n`;
  await importPeople(`hr-${name}`, file);
  const { id: scimId } = await push(name, {
    externalId: `x-${name}`,
    active: true,
    displayName: 'Anna New',
    email: `new.${name}@corp.test`,
  });
  const accounts = [`ledger-old-${name}`, `ledger-new-${name}`];
  await importGrants(
    `Ledger ${name}`,
    `account,email,entitlement\n${accounts[0]},old.${name}@corp.test,read\n${accounts[1]},new.${name}@corp.test,read\n`,
  );
  const hr = await byAddress(`old.${name}@corp.test`);
  const pushed = await byAddress(`new.${name}@corp.test`);
  expect(hr.id).not.toBe(pushed.id);
  expect(await owners([...accounts, name])).toEqual({ [accounts[0] ?? '']: hr.id, [accounts[1] ?? '']: pushed.id, [name]: pushed.id });
  return { name, hr, pushed, scimId, accounts, file };
}

describe('merging', () => {
  it.each(['into the pushed one', 'into the one of the file'])('makes one of two, %s, and both sources go on', async (which) => {
    const { name, hr, pushed, scimId, accounts, file } = await makeTwins();
    const [from, into] = which === 'into the pushed one' ? [hr, pushed] : [pushed, hr];
    const preview = await merge(from.id, into.id, true);
    expect(preview.status).toBe(200);
    expect(partOf(preview.body.moved, 'RECORDS')).toBe(1);
    expect(partOf(preview.body.moved, 'ACCOUNTS')).toBe(from === hr ? 1 : 2);
    expect((await userOf(from.id)).status).toBe('ENABLED');
    expect(await eventsOf('user.merged', into.id)).toEqual([]);

    const done = await merge(from.id, into.id);
    expect(done).toEqual(preview);
    expect(await userOf(from.id)).toMatchObject({ status: 'DELETED', email: '', displayName: from.displayName });
    expect(await userOf(into.id)).toMatchObject({ status: 'ENABLED', email: into.email, displayName: into.displayName });
    expect((await recordsOf(into.id)).map((one) => one.anchor).sort()).toEqual([`${name}-42`, `x-${name}`].sort());
    expect(await recordsOf(from.id)).toEqual([]);
    // The page of the merged person says who they are now.
    const shown = { mergedIntoId: into.id, mergedIntoDisplayName: into.displayName };
    expect(await ok('GET', `/api/v1/users/${from.id}/former_words`)).toMatchObject(shown);
    expect(await ok('GET', `/api/v1/users/${into.id}/former_words`)).toMatchObject({ mergedIntoId: '', mergedIntoDisplayName: '' });
    const all = { [accounts[0] ?? '']: into.id, [accounts[1] ?? '']: into.id, [name]: into.id };
    expect(await owners([...accounts, name])).toEqual(all);
    expect(await eventsOf('user.merged', into.id)).toHaveLength(1);

    // Both sources go on as ever: nobody new is made, and all stays theirs.
    expect(await scim.ok('GET', `/Users/${scimId}`)).toMatchObject({ userName: name });
    await scim.ok(
      'PUT',
      `/Users/${scimId}`,
      user(name, { externalId: `x-${name}`, active: true, displayName: 'Anna Said', email: `new.${name}@corp.test` }),
    );
    await importPeople(`hr-${name}`, file);
    // By which address accounts are matched then is another matter: those that were moved stay theirs.
    const stays = [name, ...(from === hr ? accounts.slice(0, 1) : accounts.slice(1))];
    expect(await owners(stays)).toEqual(Object.fromEntries(stays.map((one) => [one, into.id])));
    expect((await userOf(from.id)).status).toBe('DELETED');
    expect((await userOf(into.id)).status).toBe('ENABLED');
    expect((await recordsOf(into.id)).map((one) => one.state)).toEqual(['PERSON_RECORD_STATE_LIVE', 'PERSON_RECORD_STATE_LIVE']);
    // What the provider says of them counts: it was given the person.
    await scim.ok('PATCH', `/Users/${scimId}`, patch({ op: 'replace', path: 'title', value: 'Clerk' }));
    expect((await userOf(into.id)).jobTitle).toBe('Clerk');
  });

  it('gives nobody a right: roles, credentials and delegations end, and are not restored', async () => {
    const from = await server.makePerson(`${fresh('boss')}@corp.test`, ['SUPER_ADMINISTRATOR']);
    const into = await server.makePerson(`${fresh('clerk')}@corp.test`);
    expect((await as(from, 'GET', '/api/v1/auth/introspect')).status).toBe(200);
    const { status, body } = await merge(from.id, into.id);
    expect([status, partOf(body.ended, 'ROLES'), partOf(body.ended, 'CREDENTIALS')]).toEqual([200, 1, 1]);
    expect((await userOf(into.id)).roleIds).toEqual([basicUser]);
    expect((await userOf(from.id)).roleIds).not.toContain(superAdministrator);
    expect((await as(from, 'GET', '/api/v1/auth/introspect')).status).toBe(401);
    expect(await admin('POST', `/api/v1/users/${from.id}/suspensions/action/restore`, {})).toMatchObject({ status: 400 });
    expect((await ok('GET', `/api/v1/users/${into.id}/suspensions`)).list).toEqual([]);
  });

  it('moves what the person owns, and who reports to them, without a circle', async () => {
    const name = fresh('lead');
    await importPeople(
      `hr-${name}`,
      [
        'email,display_name,manager_email',
        `from.${name}@corp.test,From,`,
        `middle.${name}@corp.test,Middle,from.${name}@corp.test`,
        `into.${name}@corp.test,Into,middle.${name}@corp.test`,
        `low.${name}@corp.test,Low,from.${name}@corp.test`,
      ].join('\n'),
    );
    const [from, middle, into, low] = await Promise.all(
      ['from', 'middle', 'into', 'low'].map((one) => byAddress(`${one}.${name}@corp.test`)),
    );
    const { app } = await ok('POST', '/api/v1/apps', { displayName: `Owned ${name}` });
    await ok('PUT', `/api/v1/apps/${app.id}/owners`, { userIds: [from.id] });
    const { status, body } = await merge(from.id, into.id);
    expect([status, partOf(body.moved, 'OWNERSHIPS'), partOf(body.moved, 'REPORTS')]).toEqual([200, 1, 2]);
    expect(body.moved.find((one: Loose) => /OWNERSHIPS/.test(one.kind)).names).toEqual([`Owned ${name}`]);
    expect((await userOf(low.id)).managerIds).toEqual([into.id]);
    expect((await userOf(middle.id)).managerIds).toEqual([]);
    expect((await userOf(into.id)).managerIds).toEqual([middle.id]);
    const rows = await server.test.admin('SELECT user_id AS id FROM app_owners WHERE tenant_id = $1 AND app_id = $2', [server.id, app.id]);
    expect(rows).toEqual([{ id: into.id }]);
  });

  it('is the way out where a provider says an address that somebody else has', async () => {
    const name = fresh('late');
    const email = `${name}@corp.test`;
    const known = await server.makePerson(email);
    const { id } = await push(name, { externalId: `x-${name}`, active: true, displayName: 'Late' });
    const [{ userId }] = (await ok('GET', `/api/v1/identity/records?source_id=${scim.connectorId}&page_size=100`)).list.filter(
      (one: Loose) => one.anchor === `x-${name}`,
    );
    expect(userId).not.toBe(known.id);
    const said = user(name, { externalId: `x-${name}`, active: true, displayName: 'Late', email });
    const refused = await scim.send('PUT', `/Users/${id}`, said);
    expect([refused.status, refused.body.detail]).toEqual([409, expect.stringContaining('identity merge')]);
    expect((await merge(userId, known.id)).status).toBe(200);
    await scim.ok('PUT', `/Users/${id}`, said);
    expect(await userOf(known.id)).toMatchObject({ displayName: 'Late', email, status: 'ENABLED' });
    expect(await owners([name])).toEqual({ [name]: known.id });
  });

  it('is refused clearly', async () => {
    const one = await server.makePerson(`${fresh('one')}@corp.test`);
    const other = await server.makePerson(`${fresh('other')}@corp.test`);
    const refuse = async (from: string, into: string, status: number, message: RegExp): Promise<void> => {
      for (const dryRun of [true, false]) {
        const answer = await merge(from, into, dryRun);
        expect([answer.status, JSON.stringify(answer.body)]).toEqual([status, expect.stringMatching(message)]);
      }
    };
    await refuse(one.id, one.id, 400, /intoUserId.*another person/);
    await refuse(one.id, 'nobody', 400, /intoUserId/);
    await refuse('nobody', one.id, 404, /no such user/);
    await refuse(server.admin.id, one.id, 400, /themselves/);
    const there = await server.makeTenant(fresh('elsewhere'));
    const theirs = await there.makePerson(`${fresh('theirs')}@corp.test`);
    await refuse(theirs.id, one.id, 404, /no such user/);
    await refuse(one.id, theirs.id, 400, /intoUserId/);
    expect((await merge(one.id, other.id)).status).toBe(200);
    await refuse(one.id, other.id, 400, /was merged into/);
    await refuse(other.id, one.id, 400, /was merged into/);
    expect(await as(other, 'POST', `/api/v1/users/${one.id}/action/merge`, { intoUserId: other.id })).toMatchObject({ status: 403 });
  });

  it('is refused while a disputed record may be one of them, and says which', async () => {
    const name = fresh('dora');
    const email = `${name}@corp.test`;
    await push(name, { externalId: `x1-${name}`, active: true, displayName: 'Dora', email });
    await push(`adm-${name}`, { externalId: `x2-${name}`, active: true, displayName: 'Dora', email });
    const dora = await byAddress(email);
    const other = await server.makePerson(`${fresh('else')}@corp.test`);
    const refused = await merge(other.id, dora.id);
    expect([refused.status, refused.body.message]).toEqual([400, expect.stringContaining('identity disputed')]);
  });

  it('disables nobody by records that are gone, and whoever a source of employment terminated', async () => {
    const name = fresh('gone');
    const { id } = await push(name, { externalId: `x-${name}`, active: true, displayName: 'Gone', email: `${name}@corp.test` });
    const gone = await byAddress(`${name}@corp.test`);
    await scim.ok('DELETE', `/Users/${id}`, undefined, 204);
    const into = await server.makePerson(`${fresh('made')}@corp.test`);
    expect((await merge(gone.id, into.id)).status).toBe(200);
    expect((await userOf(into.id)).status).toBe('ENABLED');
    await importPeople(`hr-${name}`, `email,display_name,employment_status\nleft.${name}@corp.test,Left,TERMINATED\n`);
    const left = await byAddress(`left.${name}@corp.test`);
    const { body } = await merge(left.id, into.id);
    expect(body.changes).toEqual([{ name: 'status', before: 'ENABLED', after: 'DISABLED' }]);
    expect((await userOf(into.id)).status).toBe('DISABLED');
  });

  it('does not disable the last Super Administrator', async () => {
    const there = await server.makeTenant(fresh('lonely'));
    const send = (method: string, path: string, body?: unknown): Promise<Answer> => request(there, there.admin, method, path, body);
    const file = 'email,display_name,employment_status\nleft@there.test,Left,TERMINATED\n';
    expect((await sendFile(there, there.admin, '/api/v1/imports/people', file)).status).toBe(200);
    const { id } = (await send('POST', '/api/v1/search/users', { email: 'left@there.test' })).body.list[0].user;
    const path = `/api/v1/users/${id}/action/merge`;
    const refused = await send('POST', path, { intoUserId: there.admin.id });
    expect([refused.status, refused.body.message]).toEqual([400, expect.stringContaining('last enabled Super Administrator')]);
    await there.makePerson('second@there.test', ['SUPER_ADMINISTRATOR']);
    expect(await send('POST', path, { intoUserId: there.admin.id, dryRun: true })).toMatchObject({ status: 200 });
  });

  it('fills what the other person lacks, unless they hold a role', async () => {
    const name = fresh('blank');
    await importPeople(
      `hr-${name}`,
      `email,display_name,employee_id\n${name}@corp.test,Blank,${name}-7\nother.${name}@corp.test,Blank,${name}-8\n`,
    );
    for (const [number, roles, employeeIds] of [
      [7, ['READ_ONLY_ADMINISTRATOR'], []],
      [8, [], [`${name}-8`]],
    ] as const) {
      const into = await server.makePerson(`${fresh('into')}@corp.test`, roles);
      const from = await byAddress(number === 7 ? `${name}@corp.test` : `other.${name}@corp.test`);
      const { body } = await merge(from.id, into.id);
      expect(body.changes.some((one: Loose) => one.name === 'employeeId')).toBe(employeeIds.length > 0);
      expect(await userOf(into.id)).toMatchObject({ employeeIds, email: into.email });
    }
  });

  it('follows through: whom a person was merged into may be merged again', async () => {
    const [a, b, c] = [
      await server.makePerson(`${fresh('a')}@corp.test`),
      await server.makePerson(`${fresh('b')}@corp.test`),
      await server.makePerson(`${fresh('c')}@corp.test`),
    ];
    expect((await merge(a.id, b.id)).status).toBe(200);
    expect((await merge(b.id, c.id)).status).toBe(200);
    const rows = await server.test.admin('SELECT merged_into_id AS id FROM users WHERE tenant_id = $1 AND id = ANY ($2)', [
      server.id,
      [a.id, b.id],
    ]);
    expect(rows).toEqual([{ id: c.id }, { id: c.id }]);
  });

  it('of the same two at once, both ways round, makes one of them', async () => {
    const a = await server.makePerson(`${fresh('racer')}@corp.test`);
    const b = await server.makePerson(`${fresh('racer')}@corp.test`);
    const answers = await Promise.all([merge(a.id, b.id), merge(b.id, a.id)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect([await userOf(a.id), await userOf(b.id)].map(({ status }) => status).sort()).toEqual(['DELETED', 'ENABLED']);
  });

  it('beside imports of the same people and their accounts leaves nothing with who is gone', async () => {
    const { name, hr, pushed, file } = await makeTwins();
    const grants = `account,email,entitlement\nledger-old-${name},old.${name}@corp.test,read\nledger-more-${name},old.${name}@corp.test,read\n`;
    const upload = (path: string, content: string): Promise<Answer> => sendFile(server, server.admin, `/api/v1/imports/${path}`, content);
    const [merged] = await Promise.all([
      merge(hr.id, pushed.id),
      upload(`people?source=hr-${name}&allow_removals=true`, file.replace('Anna Old', 'Anna Raced')),
      upload(`grants?app=Ledger ${name}&allow_removals=true`, grants),
    ]);
    expect(merged.status).toBe(200);
    await importPeople(`hr-${name}`, file);
    expect((await userOf(hr.id)).status).toBe('DELETED');
    expect(await recordsOf(hr.id)).toEqual([]);
    expect(await recordsOf(pushed.id)).toHaveLength(2);
    const rows = await server.test.admin(`SELECT id FROM accounts WHERE tenant_id = $1 AND user_id = $2 AND status <> 'DELETED'`, [
      server.id,
      hr.id,
    ]);
    expect(rows).toEqual([]);
  });

  it('beside a role that is granted and a push of the same person leaves neither a role nor a record with who is gone', async () => {
    const { name, hr, pushed, scimId } = await makeTwins();
    const [merged] = await Promise.all([
      merge(pushed.id, hr.id),
      admin('PUT', `/api/v1/users/${pushed.id}/roles`, { roleIds: [superAdministrator] }),
      scim.send(
        'PUT',
        `/Users/${scimId}`,
        user(name, { externalId: `x-${name}`, active: true, displayName: 'Raced', email: `new.${name}@corp.test` }),
      ),
    ]);
    expect(merged.status).toBe(200);
    expect((await userOf(pushed.id)).roleIds).not.toContain(superAdministrator);
    expect((await userOf(hr.id)).roleIds).toEqual([basicUser]);
    expect(await recordsOf(pushed.id)).toEqual([]);
    expect(await owners([name])).toEqual({ [name]: hr.id });
  });
});

describe('splitting', () => {
  /** A person whom a provider pushes twice, with two addresses. */
  async function makeTwofold(): Promise<{ name: string; person: Loose; records: Loose[]; scimIds: string[] }> {
    const name = fresh('yva');
    const said = (externalId: string, employeeNumber: string, email: string): Pushed => ({
      externalId,
      active: true,
      displayName: externalId,
      email,
      employeeNumber,
    });
    const first = await push(name, said(`x1-${name}`, `n-${name}`, `${name}@corp.test`));
    const second = await push(`adm-${name}`, said(`x2-${name}`, `n-${name}`, `adm.${name}@corp.test`));
    const person = await byAddress(`${name}@corp.test`);
    const records = await recordsOf(person.id);
    expect(records).toHaveLength(2);
    return { name, person, records, scimIds: [first.id, second.id] };
  }

  it('makes a Basic User of chosen records, with their accounts, and is never asked again', async () => {
    const { name, person, records, scimIds } = await makeTwofold();
    await ok('PUT', `/api/v1/users/${person.id}/roles`, { roleIds: ['000000CampaignAdministrator'] });
    const chosen = records.filter(({ anchor }) => anchor === `x2-${name}`).map(({ id }) => id);
    const preview = await split(person.id, chosen, true);
    expect([preview.status, preview.body.userId, partOf(preview.body.moved, 'ACCOUNTS')]).toEqual([200, '', 1]);
    const done = await split(person.id, chosen);
    expect({ ...done.body, userId: '' }).toEqual(preview.body);
    const other = await userOf(done.body.userId);
    expect(other).toMatchObject({ status: 'ENABLED', roleIds: [basicUser], email: `adm.${name}@corp.test` });
    expect((await userOf(person.id)).roleIds).toContain('000000CampaignAdministrator');
    expect(await owners([name, `adm-${name}`])).toEqual({ [name]: person.id, [`adm-${name}`]: other.id });
    expect(await eventsOf('user.split', person.id)).toHaveLength(1);
    // The same employee id would be evidence; the anchor says more.
    await scim.ok(
      'PUT',
      `/Users/${scimIds[1]}`,
      user(`adm-${name}`, {
        externalId: `x2-${name}`,
        active: true,
        displayName: 'Other',
        email: `adm.${name}@corp.test`,
        employeeNumber: `n-${name}`,
      }),
    );
    expect((await userOf(other.id)).displayName).toBe('Other');
    expect((await ok('GET', '/api/v1/identity/disputed')).list.filter((one: Loose) => one.anchor === `x2-${name}`)).toEqual([]);
  });

  it('is refused clearly', async () => {
    const { person, records } = await makeTwofold();
    const other = await makeTwofold();
    const ids = records.map(({ id }) => id);
    for (const [recordIds, message] of [
      [[], /recordIds.*records of this person/],
      [['nothing'], /recordIds.*records of this person/],
      [other.records.map(({ id }) => id), /recordIds.*records of this person/],
      [ids, /recordIds.*must leave a record/],
    ] as const) {
      const answer = await split(person.id, recordIds);
      expect([answer.status, JSON.stringify(answer.body)]).toEqual([400, expect.stringMatching(message)]);
    }
    expect((await split('nobody', ids)).status).toBe(404);
  });

  it('of a row of a file gives its address back, and the next file of either source goes on', async () => {
    const name = fresh('ann');
    const files = ['a', 'b'].map((one) => `email,display_name,employee_id\n${one}.${name}@corp.test,Ann ${one},${name}\n`);
    const importAll = async (): Promise<void> => {
      for (const [at, file] of files.entries()) {
        await importPeople(`hr${at}-${name}`, file);
      }
    };
    await importAll();
    const ann = await byAddress(`b.${name}@corp.test`);
    await importGrants(`Files ${name}`, `account,email,entitlement\nb-${name},b.${name}@corp.test,read\n`);
    const chosen = (await recordsOf(ann.id)).filter(({ email }) => email === `b.${name}@corp.test`).map(({ id }) => id);
    const { status, body } = await split(ann.id, chosen);
    expect([status, body.changes]).toEqual([
      200,
      [
        { name: 'displayName', before: 'Ann b', after: 'Ann a' },
        { name: 'email', before: `b.${name}@corp.test`, after: `a.${name}@corp.test` },
      ],
    ]);
    expect(await owners([`b-${name}`])).toEqual({ [`b-${name}`]: body.userId });
    await importAll();
    expect(await userOf(ann.id)).toMatchObject({ status: 'ENABLED', email: `a.${name}@corp.test`, displayName: 'Ann a' });
    expect(await userOf(body.userId)).toMatchObject({ status: 'ENABLED', email: `b.${name}@corp.test`, displayName: 'Ann b' });
    expect(await owners([`b-${name}`])).toEqual({ [`b-${name}`]: body.userId });
  });

  it('lets a person leave whom nobody reports any more', async () => {
    const name = fresh('karl');
    const { id } = await push(name, {
      externalId: `x1-${name}`,
      active: true,
      displayName: 'Karl',
      email: `${name}@corp.test`,
      employeeNumber: `k-${name}`,
    });
    const karl = await byAddress(`${name}@corp.test`);
    await push(`kim-${name}`, {
      externalId: `x2-${name}`,
      active: true,
      displayName: 'Kim',
      email: `kim.${name}@corp.test`,
      employeeNumber: `k-${name}`,
    });
    await scim.ok('DELETE', `/Users/${id}`, undefined, 204);
    await ok('PUT', `/api/v1/users/${karl.id}/roles`, { roleIds: [superAdministrator] });
    const chosen = (await recordsOf(karl.id)).filter(({ anchor }) => anchor === `x2-${name}`).map((one) => one.id);
    const { status, body } = await split(karl.id, chosen);
    expect([status, partOf(body.ended, 'ROLES')]).toEqual([200, 1]);
    expect((await userOf(karl.id)).status).toBe('DISABLED');
    expect(await userOf(body.userId)).toMatchObject({ status: 'ENABLED', roleIds: [basicUser], email: `kim.${name}@corp.test` });
  });
});
