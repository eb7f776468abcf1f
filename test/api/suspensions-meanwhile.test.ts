/** Suspended things whose people are merged, split or erased before they come back, and the last Super Administrator, over HTTP. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Loose, request } from '../support/api.ts';
import { startTestServer, type TestPerson, type TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { sendFile } from '../support/world.ts';

let server: TestServer;
let second: TestPerson;
let count = 0;
const basic = '000000000000000000BasicUser';
const campaign = '000000CampaignAdministrator';
const as = (person: TestPerson, method: string, path: string, body?: unknown): Promise<Answer> =>
  request(server, person, method, path, body);
const ok = async (method: string, path: string, body?: unknown): Promise<Loose> => {
  const answer = await as(server.admin, method, path, body);
  expect([path, answer.status, answer.body.message]).toEqual([path, 200, undefined]);
  return answer.body;
};
const make = (roles: Parameters<TestServer['makePerson']>[1] = []): Promise<TestPerson> => server.makePerson(`p${++count}@s.test`, roles);
const rolesOf = async (id: string): Promise<string[]> => (await ok('GET', `/api/v1/users/${id}/roles`)).roleIds;
const suspensionsOf = async (id: string): Promise<Loose[]> => (await ok('GET', `/api/v1/users/${id}/suspensions`)).list ?? [];
const setTakes = (restoreTakes: string): Promise<Loose> =>
  ok('POST', '/api/v1/settings/tenant', { settings: { restoreTakes }, updateMask: 'restoreTakes' });
const restore = (id: string, body: object = {}): Promise<Answer> =>
  as(server.admin, 'POST', `/api/v1/users/${id}/suspensions/action/restore`, body);
const confirm = (by: TestPerson, requestId: string): Promise<Answer> =>
  as(by, 'POST', `/api/v1/second_person_requests/${requestId}/confirm`, {});
const merge = (from: string, into: string, by: TestPerson = server.admin): Promise<Answer> =>
  as(by, 'POST', `/api/v1/users/${from}/action/merge`, { intoUserId: into });
/** A file of a source that knows nobody else says this of somebody. */
const say = async (person: TestPerson, status: 'ACTIVE' | 'TERMINATED'): Promise<void> => {
  const file = `email,display_name,employment_status\n${person.email},${person.email.split('@')[0]},${status}\n`;
  const answer = await sendFile(server, server.admin, `/api/v1/imports/people?source=hr-${person.id}&allow_removals=true`, file);
  expect([answer.status, answer.body.message]).toEqual([200, undefined]);
};

beforeAll(async () => {
  server = await startTestServer();
  second = await make(['SUPER_ADMINISTRATOR']);
});
afterAll(() => server.stop());

describe('a restore that waits for a second person', () => {
  it('is refused once the person was merged, and gives nobody a role', async () => {
    const [person, into] = [await make(['CAMPAIGN_ADMINISTRATOR']), await make()];
    await say(person, 'TERMINATED');
    await say(person, 'ACTIVE');
    await setTakes('RESTORE_TAKES_TWO');
    const { request: asked } = (await restore(person.id, { reason: 'Back' })).body;
    await setTakes('RESTORE_TAKES_ONE');
    expect((await merge(person.id, into.id)).status).toBe(200);
    const refused = await confirm(second, asked.id);
    expect([refused.status, refused.body.message]).toEqual([400, expect.stringContaining('merged into another')]);
    expect((await restore(person.id)).status).toBe(400);
    expect([await rolesOf(person.id), await rolesOf(into.id)]).toEqual([[basic], [basic]]);
    expect((await as(second, 'POST', `/api/v1/second_person_requests/${asked.id}/reject`, {})).status).toBe(200);
  });

  it('is not confirmed by the person whom the one who asked was merged into', async () => {
    const person = await make(['CAMPAIGN_ADMINISTRATOR']);
    const [asker, into] = [await make(['SUPER_ADMINISTRATOR']), await make(['SUPER_ADMINISTRATOR'])];
    await say(person, 'TERMINATED');
    await say(person, 'ACTIVE');
    await setTakes('RESTORE_TAKES_TWO');
    const { request: asked } = (await as(asker, 'POST', `/api/v1/users/${person.id}/suspensions/action/restore`, { reason: 'Back' })).body;
    await setTakes('RESTORE_TAKES_ONE');
    expect((await merge(asker.id, into.id)).status).toBe(200);
    expect((await confirm(into, asked.id)).status).toBe(403);
    expect((await confirm(second, asked.id)).status).toBe(200);
    expect(await rolesOf(person.id)).toEqual([basic, campaign].sort());
    await ok('PUT', `/api/v1/users/${into.id}/roles`, { roleIds: [] });
  });
});

describe('a delegation that is suspended', () => {
  const delegate = (userId: string, delegatedUserId: string): Promise<Loose> =>
    ok('POST', `/api/v1/users/${userId}/set-delegation-by-admin`, { delegatedUserId });
  /** Somebody with a delegate, and whose delegate they are, who left and is back. */
  async function makeBack(): Promise<{ person: TestPerson; delegateOf: TestPerson; delegateTo: TestPerson }> {
    const [person, delegateTo, delegateOf] = [await make(), await make(), await make()];
    await delegate(person.id, delegateTo.id);
    await delegate(delegateOf.id, person.id);
    await say(person, 'TERMINATED');
    await say(person, 'ACTIVE');
    expect((await suspensionsOf(person.id)).filter(({ kind }) => kind === 'SUSPENSION_KIND_DELEGATION')).toHaveLength(2);
    return { person, delegateOf, delegateTo };
  }

  it('is over once the other person was merged: it is not listed for ever as something to restore', async () => {
    const { person, delegateOf, delegateTo } = await makeBack();
    const into = await make();
    for (const one of [delegateOf, delegateTo]) {
      expect((await merge(one.id, into.id)).status).toBe(200);
    }
    expect((await suspensionsOf(person.id)).map(({ kind }) => kind)).toEqual(['SUSPENSION_KIND_CREDENTIAL']);
    expect((await restore(person.id)).body).toEqual({ roles: 0, credentials: 1, delegations: 0, left: 0 });
  });

  it('is over once the other person was erased, whichever of the two they were', async () => {
    const { person, delegateOf, delegateTo } = await makeBack();
    for (const one of [delegateOf, delegateTo]) {
      const asked = await ok('POST', `/api/v1/users/${one.id}/erase`, { reason: 'They asked for it' });
      expect((await confirm(second, asked.request.id)).status).toBe(200);
    }
    await until(async () => {
      expect((await suspensionsOf(person.id)).map(({ kind }) => kind)).toEqual(['SUSPENSION_KIND_CREDENTIAL']);
    });
  });

  it('of a delegate who is back and restored is in force again, and only then', async () => {
    const { person, delegateOf, delegateTo } = await makeBack();
    const delegateNow = async ({ id }: TestPerson): Promise<string> =>
      (await ok('GET', `/api/v1/users/${id}`)).userView.user.delegatedUserId ?? '';
    expect([await delegateNow(person), await delegateNow(delegateOf)]).toEqual(['', '']);
    // The other one leaves and is back, too: it stays with whose it was suspended first.
    await say(delegateTo, 'TERMINATED');
    expect((await restore(person.id)).body).toMatchObject({ delegations: 1, left: 1 });
    await say(delegateTo, 'ACTIVE');
    expect((await restore(person.id)).body).toMatchObject({ delegations: 1, left: 0 });
    expect([await delegateNow(person), await delegateNow(delegateOf)]).toEqual([delegateTo.id, person.id]);
  });
});

describe('the last enabled Super Administrator', () => {
  it('can neither merge, split nor erase themselves, nor be merged or erased', async () => {
    await ok('PUT', `/api/v1/users/${second.id}/roles`, { roleIds: [] });
    const { id } = server.admin;
    await say(server.admin, 'ACTIVE');
    const [record] = (await ok('GET', `/api/v1/identity/records?user_id=${id}`)).list;
    for (const [path, body] of [
      ['action/merge', { intoUserId: second.id }],
      ['action/split', { recordIds: [record.id] }],
      ['erase', { reason: 'Mine' }],
    ] as const) {
      const refused = await as(server.admin, 'POST', `/api/v1/users/${id}/${path}`, body);
      expect([path, refused.status]).toEqual([path, 400]);
    }
    expect((await as(server.admin, 'GET', '/api/v1/auth/introspect')).status).toBe(200);
    expect(await rolesOf(id)).toContain('000000000SuperAdministrator');
  });
});
