/**
 * Outcome of pushed users, in the forms that providers send: people and accounts, accounts of other apps that match them, leavers, one event a
 * request.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Loose, request } from '../support/api.ts';
import { checkInventory } from '../support/check-inventory.ts';
import { grantsHeader } from '../support/inventory.ts';
import { untilAtRest } from '../support/until-at-rest.ts';
import { untilWaiting } from '../support/until.ts';
import { connectScim, patch, type ScimClient, urn } from '../support/scim.ts';
import { useTestServer, type TestServer } from '../support/server.ts';
import { sendFile } from '../support/world.ts';

let server: TestServer;
let scim: ScimClient;
let wiki: string;
const admin = (method: string, path: string, body?: unknown): Promise<Answer> => request(server, server.admin, method, path, body);
const person = async (email: string): Promise<Loose> => {
  const { body } = await admin('POST', '/api/v1/search/users', { email });
  return body.list.map((view: Loose) => view.user).find((user: Loose) => user.email === email);
};
/** The accounts of the file's app, each with the address of who owns it. */
const owners = async (): Promise<Record<string, string>> => {
  const rows = await server.test.admin(
    `SELECT a.external_id AS name, coalesce(nullif(u.email, ''), u.username, '') AS owner FROM accounts a LEFT JOIN users u ON u.id = a.user_id
     WHERE a.tenant_id = $1 AND a.app_id = $2 AND a.status <> 'DELETED'`,
    [server.id, wiki],
  );
  return Object.fromEntries(rows.map(({ name, owner }) => [name, owner]));
};
const lastEvent = async (): Promise<{ kind: string; data: Loose }> => {
  const rows = await server.test.admin('SELECT kind, data FROM events WHERE tenant_id = $1 ORDER BY id DESC LIMIT 1', [server.id]);
  return rows[0] as { kind: string; data: Loose };
};
const countEvents = async (): Promise<number> => {
  const rows = await server.test.admin('SELECT count(*)::int AS count FROM events WHERE tenant_id = $1', [server.id]);
  return rows[0]?.count as number;
};

beforeAll(async () => {
  server = await useTestServer();
  scim = await connectScim(server, 'Directory');
  const lines = ['ann', 'bob', 'cat', 'dan'].map((name) => `${name},${name}@x.example,USER,ENABLED,role,Page,read,,`);
  const file = [grantsHeader, ...lines, 'eve.login,,USER,ENABLED,role,Page,read,,', 'shared,,USER,ENABLED,role,Page,read,,'].join('\n');
  wiki = (await sendFile(server, server.admin, '/api/v1/imports/grants?app=Wiki', file)).body.import.appId;
});
afterAll(async () => {
  await checkInventory(server.test.admin, server.id);
  await server.stop();
});

describe('as Microsoft Entra sends them', () => {
  it('a user is looked for, made, changed, disabled, and deleted', async () => {
    const none = await scim.ok('GET', `/Users?filter=${encodeURIComponent('userName eq "Test_User_ab6490ee@x.example"')}`);
    expect(none).toEqual({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
      totalResults: 0,
      startIndex: 1,
      itemsPerPage: 0,
      Resources: [],
    });
    const made = await scim.ok(
      'POST',
      '/Users',
      {
        schemas: [urn.user, urn.enterprise],
        externalId: '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef',
        userName: 'Test_User_ab6490ee@x.example',
        active: true,
        emails: [{ primary: true, type: 'work', value: 'Test_User_ab6490ee@x.example' }],
        meta: { resourceType: 'User' },
        name: { formatted: 'givenName familyName', familyName: 'familyName', givenName: 'givenName' },
        roles: [],
      },
      201,
    );
    const boss = await scim.addUser('entra.boss@x.example');
    const changed = await scim.ok(
      'PATCH',
      `/Users/${made.id}`,
      patch(
        { op: 'Replace', path: 'emails[type eq "work"].value', value: 'updatedEmail@x.example' },
        { op: 'Replace', path: 'name.familyName', value: 'updatedFamilyName' },
        { op: 'Add', path: `${urn.enterprise}:department`, value: 'Sales' },
        { op: 'Add', path: `${urn.enterprise}:manager`, value: boss },
        { op: 'Add', path: 'phoneNumbers[type eq "mobile"].value', value: '555' },
        { op: 'Add', path: 'title', value: 'Clerk' },
      ),
    );
    expect(changed).toMatchObject({
      active: true,
      name: { familyName: 'updatedFamilyName', givenName: 'givenName' },
      emails: [{ value: 'updatedEmail@x.example', primary: true }],
      phoneNumbers: [{ type: 'mobile', value: '555' }],
      [urn.enterprise]: { department: 'Sales', manager: { value: boss } },
    });
    const { id: managerId } = await person('entra.boss@x.example');
    expect(await person('updatedEmail@x.example')).toMatchObject({ department: 'Sales', jobTitle: 'Clerk', managerIds: [managerId] });

    for (const operation of [
      { op: 'Replace', path: 'active', value: 'False' },
      { op: 'Replace', path: 'active', value: false },
      { op: 'replace', value: { active: 'False' } },
    ]) {
      const { active } = await scim.ok('PATCH', `/Users/${made.id}`, patch(operation));
      expect(active).toBe(false);
      expect(await person('updatedEmail@x.example')).toMatchObject({ status: 'DISABLED' });
      await scim.ok('PATCH', `/Users/${made.id}`, patch({ op: 'Add', path: 'active', value: 'True' }));
      expect(await person('updatedEmail@x.example')).toMatchObject({ status: 'ENABLED' });
    }
    const manager = encodeURIComponent(`id eq "${made.id}" and manager eq "${boss}"`);
    expect((await scim.ok('GET', `/Users?filter=${manager}&attributes=id`)).Resources).toEqual([{ schemas: changed.schemas, id: made.id }]);
    await scim.ok('PATCH', `/Users/${made.id}`, patch({ op: 'Remove', path: `${urn.enterprise}:manager` }));
    expect((await person('updatedEmail@x.example')).managerIds ?? []).toEqual([]);
    await scim.ok('DELETE', `/Users/${made.id}`, undefined, 204);
    expect((await scim.send('GET', `/Users/${made.id}`)).status).toBe(404);
  });
});

describe('as Okta sends them', () => {
  it('a user is tested for, made, replaced, and deactivated', async () => {
    const query = `/Users?filter=${encodeURIComponent('userName eq "test.user@okta.local"')}&startIndex=1&count=100`;
    expect((await scim.ok('GET', query)).totalResults).toBe(0);
    const user = {
      schemas: [urn.user],
      userName: 'test.user@okta.local',
      name: { givenName: 'Test', familyName: 'User' },
      emails: [{ primary: true, value: 'test.user@okta.local', type: 'work' }],
      displayName: 'Test User',
      locale: 'en-US',
      externalId: '00ujl29u0le5T6Aj10h7',
      groups: [],
      password: '1mz050nq',
      active: true,
    };
    const { id } = await scim.ok('POST', '/Users', user, 201);
    expect((await scim.send('POST', '/Users', user)).status).toBe(409);
    const seen = (await scim.ok('GET', query)).Resources[0];
    expect(seen).toMatchObject({ id, displayName: 'Test User' });
    const replaced = await scim.ok('PUT', `/Users/${id}`, {
      ...seen,
      name: { givenName: 'Another', familyName: 'User' },
      displayName: 'Another User',
    });
    expect(replaced).toMatchObject({ id, name: { givenName: 'Another' }, meta: { version: 'W/"2"' } });
    await scim.ok('PATCH', `/Users/${id}`, { schemas: [urn.patch], Operations: [{ op: 'replace', value: { active: false } }] });
    expect(await person('test.user@okta.local')).toMatchObject({ status: 'DISABLED', displayName: 'Another User' });
    const rows = await server.test.admin(
      `SELECT document::text || keys::text AS text FROM scim_resources UNION ALL SELECT data::text FROM events`,
    );
    expect(rows.filter(({ text }) => String(text).includes('1mz050nq'))).toEqual([]);
  });
});

describe('accounts of other apps', () => {
  it('are those of who comes, at once, and stay theirs when the address changes', async () => {
    expect((await owners())['ann']).toBe('');
    await untilAtRest(server.test, [server.id]);
    const before = await countEvents();
    const id = await scim.addUser('ann', { emails: [{ value: 'ANN@x.example' }] });
    expect((await owners())['ann']).toBe('ANN@x.example');
    expect(await countEvents()).toBe(before + 1);
    const { kind, data } = await lastEvent();
    expect([kind, data.matchedAccounts, data.accounts.map((one: Loose) => one.appId), data.revisions.length]).toEqual([
      'scim.user_created',
      1,
      [wiki],
      1,
    ]);

    await scim.ok('PATCH', `/Users/${id}`, patch({ op: 'replace', path: 'emails', value: [{ value: 'other@x.example' }] }));
    // By the former address, which is asked before the user name.
    expect((await owners())['ann']).toBe('other@x.example');
    await scim.ok('PATCH', `/Users/${id}`, patch({ op: 'replace', path: 'userName', value: 'annabel' }));
    expect((await owners())['ann']).toBe('other@x.example');
    await untilAtRest(server.test, [server.id]);
    const events = await countEvents();
    await scim.ok('PATCH', `/Users/${id}`, patch({ op: 'replace', path: 'title', value: 'Clerk' }));
    expect(await countEvents()).toBe(events + 1);
    expect((await lastEvent()).data).not.toHaveProperty('matchedAccounts');
  });

  it('are found by employee id and user name, and left alone where two could be meant', async () => {
    const eve = await scim.addUser('eve.login', { emails: [{ value: 'eve@x.example' }] });
    expect((await owners())['eve.login']).toBe('eve@x.example');
    const more = await connectScim(server, 'Second directory');
    const twin = await more.addUser('EVE.login', { emails: [{ value: 'twin@x.example' }] });
    expect((await owners())['eve.login']).toBe('');
    await more.ok('PUT', `/Users/${twin}`, { userName: 'not eve', emails: [{ value: 'twin@x.example' }] });
    expect((await owners())['eve.login']).toBe('eve@x.example');
    await scim.ok('DELETE', `/Users/${eve}`, undefined, 204);
    expect((await owners())['eve.login']).toBe('eve@x.example');
  });

  it('of leavers stay theirs, and are listed', async () => {
    const id = await scim.addUser('bob', { emails: [{ value: 'bob@x.example' }] });
    const leavers = async (): Promise<string[]> =>
      (await admin('GET', '/api/v1/identity/leavers_with_accounts?page_size=100')).body.list.map((one: Loose) => one.user.email);
    expect(await leavers()).not.toContain('bob@x.example');
    await scim.ok('PATCH', `/Users/${id}`, patch({ op: 'replace', path: 'active', value: false }));
    expect((await owners())['bob']).toBe('bob@x.example');
    expect(await leavers()).toContain('bob@x.example');
    await scim.ok('PATCH', `/Users/${id}`, patch({ op: 'replace', path: 'active', value: true }));
    expect(await leavers()).not.toContain('bob@x.example');
    await scim.ok('DELETE', `/Users/${id}`, undefined, 204);
    expect((await owners())['bob']).toBe('bob@x.example');
    expect(await leavers()).toContain('bob@x.example');
  });

  it('stay with who is known, whoever has the address that comes later', async () => {
    const known = await server.makePerson('cat@x.example');
    const id = await scim.addUser('shared');
    expect((await owners())['shared']).toBe('shared');
    const answer = await scim.send('PATCH', `/Users/${id}`, patch({ op: 'add', path: 'emails', value: [{ value: 'cat@x.example' }] }));
    expect([answer.status, answer.body.scimType]).toEqual([409, 'uniqueness']);
    expect((await owners())['shared']).toBe('shared');
    expect((await person('cat@x.example')).id).toBe(known.id);
  });

  it('wait for nobody who imports into an app where nothing changes', async () => {
    const held = Promise.withResolvers<void>();
    const lock = server.system().db.transaction(async (db) => {
      await db.rows('SELECT id FROM apps WHERE tenant_id = $1 AND id = $2 FOR UPDATE', [server.id, wiki]);
      await held.promise;
    });
    const id = await scim.addUser('free', { emails: [{ value: 'free@x.example' }] });
    await scim.ok('DELETE', `/Users/${id}`, undefined, 204);
    const waiting = scim.addUser('dan', { emails: [{ value: 'dan@x.example' }] });
    await expect(Promise.race([waiting.then(() => 'did not wait'), untilWaiting(server.test)])).resolves.toBeUndefined();
    held.resolve();
    await Promise.all([lock, waiting]);
    expect((await owners())['dan']).toBe('dan@x.example');
  });
});

describe('several pushes at once', () => {
  it('make one user of a name, and the others are reported', async () => {
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, index) => scim.send('POST', '/Users', { userName: index % 2 ? 'Once' : 'once' })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409]);
    expect(answers.filter(({ status }) => status === 409).every(({ body }) => body.scimType === 'uniqueness')).toBe(true);
  });

  it('into two apps are the same person', async () => {
    const apps = await Promise.all(['Left', 'Right'].map((name) => connectScim(server, name)));
    await Promise.all(apps.map((app) => app.addUser('pair', { emails: [{ value: 'pair@x.example' }] })));
    const { id } = await person('pair@x.example');
    // One of both made the person; an administrator gives the person to the other one, too.
    const { body: claims } = await admin('GET', `/api/v1/person_claims?user_id=${id}`);
    expect((await admin('POST', `/api/v1/person_claims/${claims.list[0].id}/action/accept`, {})).status).toBe(200);
    for (const app of apps) {
      const { body } = await admin('GET', `/api/v1/apps/${app.appId}/users/${id}/app_users`);
      expect(body.list).toHaveLength(1);
    }
    const [left, right] = await Promise.all(apps.map(async (app) => (await app.ok('GET', '/Users')).Resources[0].id));
    await apps[0]?.ok('DELETE', `/Users/${left}`, undefined, 204);
    expect(await person('pair@x.example')).toMatchObject({ status: 'ENABLED' });
    await apps[1]?.ok('PATCH', `/Users/${right}`, patch({ op: 'replace', path: 'active', value: false }));
    expect(await person('pair@x.example')).toMatchObject({ status: 'DISABLED' });
  });

  it('change different things, and both hold', async () => {
    const id = await scim.addUser('parallel');
    await Promise.all([
      scim.ok('PATCH', `/Users/${id}`, patch({ op: 'replace', path: 'title', value: 'Clerk' })),
      scim.ok('PATCH', `/Users/${id}`, patch({ op: 'replace', path: 'nickName', value: 'Pa' })),
      scim.ok('PATCH', `/Users/${id}`, patch({ op: 'replace', path: 'name.familyName', value: 'Allel' })),
    ]);
    expect(await scim.ok('GET', `/Users/${id}`)).toMatchObject({
      title: 'Clerk',
      nickName: 'Pa',
      name: { familyName: 'Allel' },
      meta: { version: 'W/"4"' },
    });
  });

  it('of users and groups, beside an import of people, all come through', async () => {
    const people = [
      'email,display_name,manager_email,department,job_title,employment_status',
      ...Array.from({ length: 40 }, (_, index) => `mix${index}@x.example,Mix ${index},,,,ACTIVE`),
    ].join('\n');
    const [imported] = await Promise.all([
      sendFile(server, server.admin, '/api/v1/imports/people?source=hr', people),
      ...Array.from({ length: 12 }, (_, index) => scim.addUser(`mix${index}`, { emails: [{ value: `mix${index}@x.example` }] })),
      ...Array.from({ length: 4 }, (_, index) => scim.addGroup(`Mix ${index}`)),
    ]);
    expect(imported.status).toBe(200);
    const { body } = await admin('POST', '/api/v1/search/users', { query: 'mix', pageSize: 100 });
    expect(body.list).toHaveLength(40);
  });
});

describe('everybody at once', () => {
  const file = (app: string, round: number): string =>
    [
      grantsHeader,
      ...Array.from({ length: 30 }, (_, index) => `${app}${index},all${index}@x.example,USER,ENABLED,role,Page,r${(index + round) % 3},,`),
    ].join('\n');

  it('comes through: users, groups, files of the apps they have accounts in, files of people, and matching', async () => {
    const left = await connectScim(server, 'All left');
    const right = await connectScim(server, 'All right');
    const names = ['AllX', 'AllY', 'AllZ'];
    const appIds: string[] = [];
    for (const name of names) {
      const { body } = await sendFile(server, server.admin, `/api/v1/imports/grants?app=${name}&source=f`, file(name, 0));
      appIds.push(body.import.appId);
    }
    const pushed: string[] = [];
    const pushes = async (client: ScimClient, from: number): Promise<void> => {
      const group = await client.addGroup('Everybody');
      for (let index = from; index < 30; index += 2) {
        const id = await client.addUser(`all${index}`, { emails: [{ value: `all${index}@x.example` }] });
        pushed.push(id);
        await client.ok('PATCH', `/Groups/${group}`, patch({ op: 'add', path: 'members', value: [{ value: id }] }), 204);
        await client.ok(
          'PATCH',
          `/Users/${id}`,
          patch({ op: 'replace', path: 'userName', value: `${names[index % 3]}${(index + 7) % 30}` }),
        );
      }
    };
    const files = async (name: string): Promise<void> => {
      for (let round = 1; round <= 4; round++) {
        expect(
          (await sendFile(server, server.admin, `/api/v1/imports/grants?app=${name}&source=f&allow_removals=true`, file(name, round)))
            .status,
        ).toBe(200);
      }
    };
    const people = async (): Promise<void> => {
      for (let round = 1; round <= 3; round++) {
        const lines = Array.from({ length: 10 }, (_, index) => `all${index * round}@x.example,Round ${round},,,,ACTIVE`);
        const text = ['email,display_name,manager_email,department,job_title,employment_status', ...new Set(lines)].join('\n');
        expect((await sendFile(server, server.admin, '/api/v1/imports/people?source=hr2&allow_removals=true', text)).status).toBe(200);
      }
    };
    const match = async (): Promise<void> => {
      for (const appId of [...appIds, ...appIds].reverse()) {
        const { body } = await admin('GET', `/api/v1/apps/${appId}/connectors`);
        expect((await admin('POST', `/api/v1/apps/${appId}/connectors/${body.list[0].connector.id}/force_sync`, {})).status).toBe(200);
      }
    };
    await Promise.all([pushes(left, 0), pushes(right, 1), ...names.map(files), people(), match()]);
    expect(pushed).toHaveLength(30);
    // Nothing is left that matching once more would change: each account is whose it should be.
    for (const appId of appIds) {
      const before = await server.test.admin('SELECT id, user_id, match_count FROM accounts WHERE app_id = $1 ORDER BY id', [appId]);
      const { body } = await admin('GET', `/api/v1/apps/${appId}/connectors`);
      await admin('POST', `/api/v1/apps/${appId}/connectors/${body.list[0].connector.id}/force_sync`, {});
      expect(await server.test.admin('SELECT id, user_id, match_count FROM accounts WHERE app_id = $1 ORDER BY id', [appId])).toEqual(
        before,
      );
      expect(before.filter((one) => one.user_id !== null).length).toBeGreaterThan(20);
    }
  }, 240_000);

  it('keeps to their own people: a file named like the source of a provider disables none of the pushed', async () => {
    await scim.addUser('apart', { emails: [{ value: 'apart@x.example' }] });
    const text = 'email,display_name,manager_email,department,job_title,employment_status\nmine@x.example,Mine,,,,ACTIVE';
    expect((await sendFile(server, server.admin, '/api/v1/imports/people?source=SCIM&allow_removals=true', text)).status).toBe(200);
    expect(await person('apart@x.example')).toMatchObject({ status: 'ENABLED' });
    await sendFile(server, server.admin, '/api/v1/imports/people?source=SCIM&allow_removals=true', text.replace('mine@', 'yours@'));
    expect(await person('mine@x.example')).toMatchObject({ status: 'DISABLED' });
    expect(await person('apart@x.example')).toMatchObject({ status: 'ENABLED' });
  });
});

describe('names of accounts', () => {
  it('are never two users, whoever was renamed before', async () => {
    const first = await scim.addUser('name.a');
    const gone = await scim.addUser('name.b');
    await scim.ok('DELETE', `/Users/${gone}`, undefined, 204);
    // The deleted account has the name still, so the account goes on under its own.
    await scim.ok('PATCH', `/Users/${first}`, patch({ op: 'replace', path: 'userName', value: 'name.b' }));
    const { status, body } = await scim.send('POST', '/Users', { userName: 'name.a' });
    expect([status, body.scimType]).toEqual([409, 'uniqueness']);
    const rows = await server.test.admin(
      'SELECT account_id, count(*) FROM scim_resources WHERE tenant_id = $1 AND deleted_at IS NULL AND account_id IS NOT NULL GROUP BY 1 HAVING count(*) > 1',
      [server.id],
    );
    expect(rows).toEqual([]);
  });

  it("that a file brought stay the file's, and what the provider gives them ends with the provider", async () => {
    const app = await connectScim(server, 'Both');
    const line = 'fay,,USER,ENABLED,role,Page,read,,';
    await sendFile(server, server.admin, '/api/v1/imports/grants?app=Both&source=File', [grantsHeader, line].join('\n'));
    const fay = await app.addUser('fay', { displayName: 'Fay of the provider' });
    await app.addGroup('Staff', [fay]);
    const state = () =>
      server.test.admin(
        `SELECT a.status, a.display_name, (SELECT count(*)::int FROM grants g WHERE g.account_id = a.id AND g.removed_revision IS NULL AND NOT g.is_derived) AS held FROM accounts a WHERE a.app_id = $1 AND a.external_id = 'fay'`,
        [app.appId],
      );
    expect(await state()).toMatchObject([{ status: 'ENABLED', held: 2 }]);
    await app.ok('DELETE', `/Users/${fay}`, undefined, 204);
    expect(await state()).toMatchObject([{ status: 'ENABLED', held: 1 }]);
  });
});
