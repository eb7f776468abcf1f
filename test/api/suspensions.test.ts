/**
 * Leaving suspends, and coming back restores nothing by itself: by file, over SCIM and by a claim, over HTTP. An old credential is the measure of
 * what is in force.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { printLink } from '../../src/foundation/sessions/index.ts';
import { type Answer, type Loose, request } from '../support/api.ts';
import { connectScim, patch, type ScimClient } from '../support/scim.ts';
import { startTestServer, type TestPerson, type TestServer } from '../support/server.ts';
import { openLink, requestWith, signIn } from '../support/sign-in.ts';
import { sendFile } from '../support/world.ts';

let server: TestServer;
let scim: ScimClient;
/** The Super Administrator. */
let chief: TestPerson;

const admin = (method: string, path: string, body?: unknown): Promise<Answer> => request(server, chief, method, path, body);
const userOf = async (id: string): Promise<Loose> => (await admin('GET', `/api/v1/users/${id}`)).body.userView.user;
const rolesOf = async (id: string): Promise<string[]> => (await admin('GET', `/api/v1/users/${id}/roles`)).body.roleIds;
const setRoles = (id: string, roleIds: readonly string[]): Promise<Answer> => admin('PUT', `/api/v1/users/${id}/roles`, { roleIds });
const delegate = (userId: string, delegatedUserId: string): Promise<Answer> =>
  admin('POST', `/api/v1/users/${userId}/set-delegation-by-admin`, { delegatedUserId });
const importPeople = (...rows: readonly string[]): Promise<Answer> =>
  sendFile(
    server,
    chief,
    '/api/v1/imports/people?allow_removals=true',
    ['email,display_name,employee_id,employment_status', ...rows].join('\n'),
  );
const rowOf = (person: TestPerson, status: string): string => `${person.email},${person.email.split('@')[0]},,${status}`;
/** Status of a request with a token that the credential gets now, or of that question. */
async function tryCredential({ credential }: TestPerson): Promise<number> {
  const answer = await server.fetch('/auth/v1/token', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: credential.clientId,
      client_secret: credential.clientSecret,
    }).toString(),
  });
  return answer.status;
}
const eventsOf = (kind: string, targetId: string): Promise<{ data: Loose; actorId: string }[]> =>
  server
    .system()
    .db.rows(`SELECT data, actor_id AS "actorId" FROM events WHERE tenant_id = $1 AND kind = $2 AND target_id = $3 ORDER BY id`, [
      server.id,
      kind,
      targetId,
    ]);

const suspensionsOf = async (id: string): Promise<Loose[]> => (await admin('GET', `/api/v1/users/${id}/suspensions`)).body.list ?? [];
const restore = (id: string, suspensions: readonly object[] = [], by: TestPerson = chief): Promise<Answer> =>
  request(server, by, 'POST', `/api/v1/users/${id}/suspensions/action/restore`, { suspensions });
const leave = async (...people: readonly TestPerson[]): Promise<void> => {
  expect((await importPeople(...people.map((person) => rowOf(person, 'TERMINATED')))).status).toBe(200);
};
const comeBack = async (...people: readonly TestPerson[]): Promise<void> => {
  expect((await importPeople(...people.map((person) => rowOf(person, 'ACTIVE')))).status).toBe(200);
};

const basic = '000000000000000000BasicUser';
const campaign = '000000CampaignAdministrator';
const superAdmin = '000000000SuperAdministrator';

beforeAll(async () => {
  server = await startTestServer();
  chief = server.admin;
  scim = await connectScim(server, 'Any one app');
});
afterAll(() => server.stop());

/** Somebody with a role, a credential, a delegate, and one who named them as theirs. */
async function makeHolder(name: string): Promise<{ person: TestPerson; other: TestPerson }> {
  const person = await server.makePerson(`${name}@x.example`, ['CAMPAIGN_ADMINISTRATOR']);
  const other = await server.makePerson(`${name}-other@x.example`);
  expect((await delegate(person.id, server.admin.id)).status).toBe(200);
  expect((await delegate(other.id, person.id)).status).toBe(200);
  expect(await tryCredential(person)).toBe(200);
  return { person, other };
}

async function expectSuspended(person: TestPerson, other: TestPerson): Promise<void> {
  expect(await rolesOf(person.id)).toEqual([basic]);
  await expect.poll(() => tryCredential(person), { timeout: 10_000 }).toBe(401);
  expect((await userOf(person.id)).delegatedUserId ?? '').toBe('');
  expect((await userOf(other.id)).delegatedUserId ?? '').toBe('');
}

const suspended = {
  roleIds: [campaign],
  credentials: 1,
  credentialIds: [expect.any(String)],
  delegatedUserId: expect.any(String),
  delegators: 1,
};

describe('whoever leaves and comes back', () => {
  it('by a file is a Basic User, with three things to restore', async () => {
    const { person, other } = await makeHolder('seven');
    expect((await importPeople(rowOf(person, 'TERMINATED'))).status).toBe(200);
    expect((await userOf(person.id)).status).toBe('DISABLED');
    await expectSuspended(person, other);
    expect(await eventsOf('user.suspended', person.id)).toMatchObject([
      { data: { ...suspended, cause: 'DISABLED' }, actorId: server.admin.id },
    ]);
    expect((await importPeople(rowOf(person, 'ACTIVE'))).status).toBe(200);
    expect((await userOf(person.id)).status).toBe('ENABLED');
    await expectSuspended(person, other);
    expect(await eventsOf('user.suspended', person.id)).toHaveLength(1);
  });

  it('over SCIM, by a claim that is accepted, is the same', async () => {
    const { person, other } = await makeHolder('eight');
    const id = await scim.addUser('eight', { emails: [{ value: 'eight@x.example', primary: true }] });
    const acceptAll = async (): Promise<void> => {
      for (const { id: claimId } of (await admin('GET', `/api/v1/person_claims?user_id=${person.id}`)).body.list ?? []) {
        await admin('POST', `/api/v1/person_claims/${claimId}/action/accept`, {});
      }
    };
    await acceptAll();
    const setActive = (value: boolean) => scim.ok('PATCH', `/Users/${id}`, patch({ op: 'replace', path: 'active', value }));
    await setActive(false);
    await acceptAll();
    expect((await userOf(person.id)).status).toBe('DISABLED');
    await expectSuspended(person, other);
    expect(await eventsOf('user.suspended', person.id)).toMatchObject([{ data: { ...suspended, sourceId: scim.connectorId } }]);
    await setActive(true);
    await acceptAll();
    expect((await userOf(person.id)).status).toBe('ENABLED');
    await expectSuspended(person, other);
  });

  it('over SCIM without a role, whose credential alone is suspended', async () => {
    const id = await scim.addUser('nine', { emails: [{ value: 'nine@x.example', primary: true }] });
    const found = (await admin('POST', '/api/v1/search/users', { email: 'nine@x.example' })).body.list[0].user;
    const person = await server.ownClient(found.id);
    expect(await tryCredential(person)).toBe(200);
    await scim.ok('DELETE', `/Users/${id}`, undefined, 204);
    expect((await userOf(person.id)).status).toBe('DISABLED');
    expect(await eventsOf('user.suspended', person.id)).toMatchObject([{ data: { roleIds: [], credentials: 1, delegators: 0 } }]);
    await scim.addUser('nine', { emails: [{ value: 'nine@x.example', primary: true }] });
    expect((await userOf(person.id)).status).toBe('ENABLED');
    await expect.poll(() => tryCredential(person), { timeout: 10_000 }).toBe(401);
  });

  it('has no session of before, and opens no link of before', async () => {
    const person = await server.makePerson('signed@x.example');
    const cookie = await signIn(server, person.id);
    const { token } = await printLink(server.system(), person.id);
    const sessions = async (): Promise<Loose[]> =>
      (await admin('POST', '/api/v1/search/sessions', { users: [{ id: person.id }] })).body.list ?? [];
    expect(await sessions()).toHaveLength(1);
    await leave(person);
    await comeBack(person);
    expect(await sessions()).toEqual([]);
    expect((await requestWith(server, cookie, 'GET', '/api/v1/auth/introspect')).status).toBe(401);
    expect((await openLink(server, token)).status).toBe(401);
    expect((await requestWith(server, await signIn(server, person.id), 'GET', '/api/v1/auth/introspect')).status).toBe(200);
    expect(await sessions()).toHaveLength(1);
  });

  it('is the last Super Administrator, and stays: by a file that says so, and by a claim', async () => {
    const cookie = await signIn(server, server.admin.id);
    expect((await importPeople(rowOf(server.admin, 'TERMINATED'))).status).toBe(200);
    // What they had begun goes on.
    expect((await requestWith(server, cookie, 'GET', '/api/v1/auth/introspect')).status).toBe(200);
    expect(await userOf(server.admin.id)).toMatchObject({ status: 'ENABLED', employmentStatus: 'ACTIVE' });
    expect(await rolesOf(server.admin.id)).toContain(superAdmin);
    expect(await eventsOf('user.suspended', server.admin.id)).toEqual([]);
    expect(await eventsOf('user.kept_enabled', server.admin.id)).toMatchObject([{ data: { why: 'LAST_SUPER_ADMINISTRATOR' } }]);
  });

  it('is not the last who was, where another is named and is disabled already', async () => {
    const second = await server.makePerson('second@x.example', ['SUPER_ADMINISTRATOR']);
    expect((await importPeople(rowOf(second, 'TERMINATED'))).status).toBe(200);
    // Back in the same file in which the first one goes, and a Super Administrator no more: the first stays.
    expect((await importPeople(rowOf(second, 'ACTIVE'), rowOf(server.admin, 'TERMINATED'))).status).toBe(200);
    expect((await userOf(server.admin.id)).status).toBe('ENABLED');
    expect(await rolesOf(second.id)).toEqual([basic]);
  });
});

describe('while somebody is disabled', () => {
  let away: TestPerson;
  beforeAll(async () => {
    away = await server.makePerson('away@x.example');
    await importPeople(rowOf(away, 'TERMINATED'));
  });
  it('they get no role', async () => {
    expect(await setRoles(away.id, [campaign])).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('disabled') },
    });
  });
  it('nobody decides for them, nor they for anybody', async () => {
    const other = await server.makePerson('stays@x.example');
    for (const answer of [await delegate(away.id, other.id), await delegate(other.id, away.id)]) {
      expect(answer).toMatchObject({ status: 400, body: { message: expect.stringContaining('disabled') } });
    }
  });
  it('no credential is made for them', async () => {
    const answer = await admin('POST', `/api/v1/users/${away.id}/personal_clients`, { displayName: 'x' });
    expect(answer.status).toBe(400);
  });
});

describe('what is suspended', () => {
  it('is listed and restored in one act, once the person is back, with one event', async () => {
    const { person, other } = await makeHolder('ten');
    await leave(person);
    expect(await restore(person.id)).toMatchObject({ status: 400, body: { message: expect.stringContaining('not enabled') } });
    await comeBack(person);
    const times = {
      givenAt: expect.any(String),
      suspendedAt: expect.any(String),
      cause: 'SUSPENSION_CAUSE_DISABLED',
      connectorId: expect.any(String),
    };
    expect(await suspensionsOf(person.id)).toEqual(
      expect.arrayContaining([
        {
          ...times,
          kind: 'SUSPENSION_KIND_CREDENTIAL',
          objectId: expect.any(String),
          displayName: expect.any(String),
          delegatedUserId: '',
        },
        {
          ...times,
          kind: 'SUSPENSION_KIND_DELEGATION',
          objectId: person.id,
          displayName: expect.any(String),
          delegatedUserId: server.admin.id,
        },
        { ...times, kind: 'SUSPENSION_KIND_DELEGATION', objectId: other.id, displayName: 'ten-other', delegatedUserId: person.id },
        { ...times, kind: 'SUSPENSION_KIND_ROLE', objectId: campaign, displayName: 'Campaign Administrator', delegatedUserId: '' },
      ]),
    );
    const credentials = async (state: string): Promise<Loose[]> =>
      (await admin('POST', '/api/v1/search/credentials', { users: [{ id: person.id }], state })).body.list ?? [];
    expect(await credentials('CREDENTIAL_STATE_UNSPECIFIED')).toMatchObject([{ suspendedAt: expect.any(String) }]);
    expect(await credentials('LIVE')).toEqual([]);
    expect((await restore(person.id)).body).toEqual({ roles: 1, credentials: 1, delegations: 2, left: 0 });
    const live = await credentials('LIVE');
    expect([live.length, live[0]?.suspendedAt]).toEqual([1, undefined]);
    expect(await rolesOf(person.id)).toEqual([basic, campaign].sort());
    await expect.poll(() => tryCredential(person), { timeout: 10_000 }).toBe(200);
    expect([(await userOf(person.id)).delegatedUserId, (await userOf(other.id)).delegatedUserId]).toEqual([server.admin.id, person.id]);
    expect(await suspensionsOf(person.id)).toEqual([]);
    const { cause: _, ...held } = { ...suspended, cause: '' };
    expect(await eventsOf('user.restored', person.id)).toMatchObject([{ data: { ...held, left: 0 }, actorId: chief.id }]);
    expect((await restore(person.id)).status).toBe(400);
    // And is suspended again when they leave again.
    await leave(person);
    expect(await suspensionsOf(person.id)).toHaveLength(4);
  });

  it('is restored in part, and stays listed otherwise', async () => {
    const { person } = await makeHolder('eleven');
    await leave(person);
    await comeBack(person);
    const role = { kind: 'SUSPENSION_KIND_ROLE', objectId: campaign };
    for (const wrong of [{ ...role, objectId: superAdmin }, { ...role, kind: 'SUSPENSION_KIND_DELEGATION' }, { objectId: campaign }]) {
      expect((await restore(person.id, [wrong])).status).toBe(400);
    }
    expect((await restore(person.id, [role, role])).body).toEqual({ roles: 1, credentials: 0, delegations: 0, left: 0 });
    expect((await suspensionsOf(person.id)).map(({ kind }) => kind).sort()).toEqual([
      'SUSPENSION_KIND_CREDENTIAL',
      'SUSPENSION_KIND_DELEGATION',
      'SUSPENSION_KIND_DELEGATION',
    ]);
    expect(await tryCredential(person)).toBe(401);
  });

  it('is restored by nobody but those who give roles', async () => {
    const { person } = await makeHolder('twelve');
    const campaigner = await server.makePerson('twelve-campaigner@x.example', ['CAMPAIGN_ADMINISTRATOR']);
    await leave(person);
    await comeBack(person);
    expect((await restore(person.id, [], campaigner)).status).toBe(403);
    expect((await request(server, campaigner, 'GET', `/api/v1/users/${person.id}/suspensions`)).status).toBe(200);
    expect((await request(server, person, 'GET', `/api/v1/users/${person.id}/suspensions`).catch(() => ({ status: 401 }))).status).toBe(
      401,
    );
  });

  it('takes a second Super Administrator where the tenant wants that', async () => {
    const { person } = await makeHolder('fifteen');
    await leave(person);
    await comeBack(person);
    // The files leave out the first one, who stays as the last.
    const second = await server.makePerson('fifteen-second@x.example', ['SUPER_ADMINISTRATOR']);
    const setTakes = (restoreTakes: string): Promise<Answer> =>
      admin('POST', '/api/v1/settings/tenant', { settings: { restoreTakes }, updateMask: 'restoreTakes' });
    expect((await setTakes('RESTORE_TAKES_TWO')).body.settings.restoreTakes).toBe('RESTORE_TAKES_TWO');
    const ask = (body: object): Promise<Answer> => admin('POST', `/api/v1/users/${person.id}/suspensions/action/restore`, body);
    expect((await ask({})).status).toBe(400);
    expect((await ask({ reason: 'x', suspensions: [{ kind: 'SUSPENSION_KIND_ROLE', objectId: campaign }] })).status).toBe(400);
    const { request: asked } = (await ask({ reason: 'They are back' })).body;
    expect(asked).toMatchObject({ kind: 'SECOND_PERSON_REQUEST_KIND_RESTORE_PERSON', subjectDisplayName: 'fifteen', canConfirm: false });
    expect(await rolesOf(person.id)).toEqual([basic]);
    const confirm = (by: TestPerson): Promise<Answer> =>
      request(server, by, 'POST', `/api/v1/second_person_requests/${asked.id}/confirm`, {});
    expect((await confirm(chief)).status).toBe(403);
    expect((await confirm(second)).status).toBe(200);
    expect(await rolesOf(person.id)).toEqual([basic, campaign].sort());
    expect(await eventsOf('user.restored', person.id)).toMatchObject([{ actorId: second.id }]);
    expect((await setTakes('RESTORE_TAKES_ONE')).status).toBe(200);
    expect((await setRoles(second.id, [])).status).toBe(200);
  });

  it('is no more where it is given anew by hand, revoked, or replaced', async () => {
    const { person, other } = await makeHolder('thirteen');
    await leave(person);
    await comeBack(person);
    expect((await setRoles(person.id, [campaign])).status).toBe(200);
    expect((await delegate(other.id, server.admin.id)).status).toBe(200);
    const [credential] = (await suspensionsOf(person.id)).filter(({ kind }) => kind === 'SUSPENSION_KIND_CREDENTIAL');
    expect((await admin('DELETE', `/api/v1/iam/personal_clients/${credential.objectId}`)).status).toBe(200);
    expect((await suspensionsOf(person.id)).map(({ objectId }) => objectId)).toEqual([person.id]);
    expect((await restore(person.id)).body).toEqual({ roles: 0, credentials: 0, delegations: 1, left: 0 });
    expect((await userOf(other.id)).delegatedUserId).toBe(server.admin.id);
  });

  it('stays so where the other person of a delegation is away, or it would make a circle', async () => {
    const { person, other } = await makeHolder('fourteen');
    await leave(person);
    await comeBack(person);
    expect((await importPeople(rowOf(person, 'ACTIVE'), rowOf(other, 'TERMINATED'))).status).toBe(200);
    expect((await restore(person.id)).body).toEqual({ roles: 1, credentials: 1, delegations: 1, left: 1 });
    await comeBack(person, other);
    // other -> person is suspended; person -> admin is in force.
    expect((await delegate(person.id, other.id)).status).toBe(200);
    expect((await restore(person.id)).body).toEqual({ roles: 0, credentials: 0, delegations: 0, left: 1 });
    expect((await delegate(person.id, '')).status).toBe(200);
    expect((await restore(person.id)).body).toEqual({ roles: 0, credentials: 0, delegations: 1, left: 0 });
  });

  it('shows in the list of people, of whom those who are back can be asked for', async () => {
    const [gone, back] = [await server.makePerson('gone@x.example'), await server.makePerson('back@x.example')];
    await leave(gone, back);
    await comeBack(back);
    const listed = async (query: string): Promise<Loose[]> =>
      (await admin('GET', `/api/v1/suspended_people?page_size=100${query}`)).body.list;
    const of = { credentials: 1, roles: 0, delegations: 0, suspendedAt: expect.any(String) };
    const all = await listed('');
    expect(all).toContainEqual({ ...of, userId: gone.id, displayName: 'gone', email: gone.email, status: 'DISABLED' });
    expect(all).toContainEqual({ ...of, userId: back.id, displayName: 'back', email: back.email, status: 'ENABLED' });
    const enabled = await listed('&only_enabled=true');
    expect(enabled.map(({ userId }) => userId)).toContain(back.id);
    expect(enabled.map(({ status }) => status)).not.toContain('DISABLED');
  });
});
