/**
 * Splitting people, against everything that could go wrong: what only the other records said goes with them, sources that speak of somebody else by now
 * say nothing more of the person, nobody gets a right, and reviews keep what they froze. Over HTTP.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Loose, request } from '../support/api.ts';
import { checkInventory } from '../support/check-inventory.ts';
import { connectScim, type ScimClient, urn } from '../support/scim.ts';
import { type TestPerson, type TestServer, useTestServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { sendFile } from '../support/world.ts';

let server: TestServer;
let scim: ScimClient;
let second: TestPerson;
let count = 0;
const basicUser = '000000000000000000BasicUser';
const campaign = '000000CampaignAdministrator';
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
/** The records of a person of which something holds, by their ids. */
const chosenOf = async (userId: string, which: (record: Loose) => boolean): Promise<string[]> =>
  (await recordsOf(userId)).filter(which).map(({ id }) => id);
const claimsOn = async (userId: string): Promise<Loose[]> => (await ok('GET', `/api/v1/person_claims?user_id=${userId}`)).list ?? [];
const importFile = async (path: string, file: string): Promise<Loose> => {
  const { status, body } = await sendFile(server, server.admin, `/api/v1/imports/${path}`, file);
  expect([status, body.message]).toEqual([200, undefined]);
  return body.import;
};
const importPeople = (source: string, ...rows: readonly string[]): Promise<Loose> =>
  importFile(
    `people?source=${source}&allow_removals=true`,
    ['email,display_name,employee_id,employment_status,username', ...rows].join('\n'),
  );
const split = (id: string, recordIds: readonly string[], dryRun = false): Promise<Answer> =>
  admin('POST', `/api/v1/users/${id}/action/split`, { recordIds, dryRun });
const merge = (from: string, into: string): Promise<Answer> => admin('POST', `/api/v1/users/${from}/action/merge`, { intoUserId: into });
interface Pushed {
  readonly externalId: string;
  readonly displayName?: string;
  readonly email?: string;
  readonly employeeNumber?: string;
}
const user = (userName: string, { externalId, displayName = userName, email, employeeNumber }: Pushed): object => ({
  schemas: [urn.user],
  userName,
  externalId,
  active: true,
  displayName,
  ...(email === undefined ? {} : { emails: [{ value: email, primary: true }] }),
  ...(employeeNumber === undefined ? {} : { [urn.enterprise]: { employeeNumber } }),
});
const push = (userName: string, said: Pushed): Promise<Loose> => scim.ok('POST', '/Users', user(userName, said), 201);

beforeAll(async () => {
  server = await useTestServer();
  scim = await connectScim(server, 'Directory');
  second = await server.makePerson('second@split.test', ['SUPER_ADMINISTRATOR']);
});
afterAll(async () => {
  await checkInventory(server.test.admin, server.id);
  await server.stop();
});

/** Somebody whom two files report under one employee id, with two addresses. */
async function makeOfFiles(
  status = 'ACTIVE',
): Promise<{ name: string; person: Loose; chosen: string[]; importAll: (status?: string) => Promise<void> }> {
  const name = fresh('ann');
  await importPeople(`hr-${name}`, `a.${name}@corp.test,Ann A,${name},ACTIVE,`);
  const importAll = async (deskStatus = 'ACTIVE'): Promise<void> => {
    await importPeople(`hr-${name}`, `a.${name}@corp.test,Ann A,${name},ACTIVE,`);
    await importPeople(`desk-${name}`, `b.${name}@corp.test,Ann B,${name},${deskStatus},`);
  };
  const { id } = await byAddress(`a.${name}@corp.test`);
  await importPeople(`desk-${name}`, `b.${name}@corp.test,Ann B,${name},${status},`);
  return { name, person: await userOf(id), chosen: await chosenOf(id, ({ email }) => email === `b.${name}@corp.test`), importAll };
}

describe('what goes with the records', () => {
  it('is a name and that somebody was terminated; what is suspended is not given back by it', async () => {
    const name = fresh('tia');
    await importPeople(`hr-${name}`, `a.${name}@corp.test,Tia A,${name},ACTIVE,`);
    const { id } = await byAddress(`a.${name}@corp.test`);
    await ok('PUT', `/api/v1/users/${id}/roles`, { roleIds: [campaign] });
    await importPeople(`desk-${name}`, `b.${name}@corp.test,Tia B,${name},TERMINATED,`);
    expect(await userOf(id)).toMatchObject({ status: 'DISABLED', employmentStatus: 'TERMINATED', displayName: 'Tia B' });
    const { status, body } = await split(id, await chosenOf(id, ({ email }) => email === `b.${name}@corp.test`));
    expect(status).toBe(200);
    expect(body.changes).toEqual(
      expect.arrayContaining([
        { name: 'displayName', before: 'Tia B', after: 'Tia A' },
        { name: 'employmentStatus', before: 'TERMINATED', after: 'ACTIVE' },
        { name: 'status', before: 'DISABLED', after: 'ENABLED' },
      ]),
    );
    expect(await userOf(id)).toMatchObject({ status: 'ENABLED', employmentStatus: 'ACTIVE', roleIds: [basicUser] });
    expect((await ok('GET', `/api/v1/users/${id}/suspensions`)).list).toHaveLength(1);
    expect(await userOf(body.userId)).toMatchObject({ status: 'DISABLED', displayName: 'Tia B', roleIds: [basicUser] });
  });

  it('are the attributes that a provider says: those of the user who is left are the person’s at once', async () => {
    const name = fresh('yva');
    await push(name, { externalId: `x1-${name}`, displayName: 'Yva One', email: `${name}@corp.test`, employeeNumber: `n-${name}` });
    await push(`adm-${name}`, {
      externalId: `x2-${name}`,
      displayName: 'Yva Two',
      email: `adm.${name}@corp.test`,
      employeeNumber: `n-${name}`,
    });
    const { id } = await byAddress(`${name}@corp.test`);
    const { status, body } = await split(id, await chosenOf(id, ({ anchor }) => anchor === `x1-${name}`));
    expect(status).toBe(200);
    expect(await userOf(id)).toMatchObject({ displayName: 'Yva Two', username: `adm-${name}`, email: `adm.${name}@corp.test` });
    expect(await userOf(body.userId)).toMatchObject({ displayName: 'Yva One', username: name, email: `${name}@corp.test` });
  });

  it('is no value that another record says too, however it is spelt', async () => {
    const name = fresh('max');
    await importPeople(`hr-${name}`, `${name}@corp.test,Max,${name},ACTIVE,Max M ${name}`);
    const { id } = await byAddress(`${name}@corp.test`);
    await importPeople(`desk-${name}`, `other.${name}@corp.test,Max,${name},ACTIVE,Max M ${name}`);
    await importPeople(`hr-${name}`, `${name}@corp.test,Max,${name},ACTIVE,Max M ${name}`);
    await ok('PUT', `/api/v1/users/${id}/roles`, { roleIds: [campaign] });
    const chosen = await chosenOf(id, ({ email }) => email === `other.${name}@corp.test`);
    expect((await split(id, chosen)).status).toBe(200);
    expect(await userOf(id)).toMatchObject({ username: `Max M ${name}`, employeeIds: [name], email: `${name}@corp.test` });
  });

  it('is the address of somebody who left, where the new person is there', async () => {
    const name = fresh('cara');
    const email = `${name}@corp.test`;
    await importPeople(`hr-${name}`, `${email},Cara,,ACTIVE,`);
    await push(name, { externalId: `x-${name}`, displayName: 'Cara', email });
    const { id } = await byAddress(email);
    await importPeople(`hr-${name}`, `${email},Cara,,TERMINATED,`);
    expect(await userOf(id)).toMatchObject({ status: 'DISABLED', email });
    const { status, body } = await split(id, await chosenOf(id, ({ anchor }) => anchor === `x-${name}`));
    expect(status).toBe(200);
    expect(await userOf(body.userId)).toMatchObject({ status: 'ENABLED', email });
    expect((await userOf(id)).email).toBe('');
  });

  it('is what a provider asked of the person: nobody accepts it for them any more, and its next user of their address waits', async () => {
    const name = fresh('rita');
    const email = `${name}@corp.test`;
    const { id } = await server.makePerson(email, ['CAMPAIGN_ADMINISTRATOR']);
    await importPeople(`hr-${name}`, `${email},Rita,${name},ACTIVE,`);
    await push(name, { externalId: `x-${name}`, displayName: 'Somebody else', email });
    const [claim] = await claimsOn(id);
    expect(claim).toMatchObject({ state: 'PERSON_CLAIM_STATE_WAITING' });
    const { status, body } = await split(id, await chosenOf(id, ({ anchor }) => anchor === `x-${name}`));
    expect(status).toBe(200);
    expect(await claimsOn(id)).toEqual([]);
    expect((await admin('POST', `/api/v1/person_claims/${claim?.id}/action/accept`, {})).status).toBe(404);
    expect(await userOf(id)).toMatchObject({ email, roleIds: expect.arrayContaining([campaign]) });
    expect(await userOf(body.userId)).toMatchObject({ displayName: 'Somebody else', email: '', roleIds: [basicUser] });
  });

  it('is a record that is gone: nobody is enabled by it, and the person stays as they are', async () => {
    const { name, person, chosen } = await makeOfFiles();
    await importPeople(`desk-${name}`, `else.${name}@corp.test,Else,,ACTIVE,`);
    const { status, body } = await split(person.id, chosen);
    expect(status).toBe(200);
    expect((await userOf(body.userId)).status).toBe('DISABLED');
    expect((await userOf(person.id)).status).toBe('ENABLED');
    expect(body.ended ?? []).toEqual([]);
  });
});

describe('sources go on', () => {
  it('where the person had been merged before: the records are those of somebody new, and whoever was merged stays so', async () => {
    const name = fresh('bea');
    const rows = (status = 'ACTIVE'): Promise<Loose> => importPeople(`hr-${name}`, `from.${name}@corp.test,Bea From,f-${name},${status},`);
    await rows();
    await importPeople(`desk-${name}`, `into.${name}@corp.test,Bea Into,i-${name},ACTIVE,`);
    const [from, into] = [await byAddress(`from.${name}@corp.test`), await byAddress(`into.${name}@corp.test`)];
    expect((await merge(from.id, into.id)).status).toBe(200);
    const { status, body } = await split(into.id, await chosenOf(into.id, ({ anchor }) => anchor === `f-${name}`));
    expect(status).toBe(200);
    expect([from.id, into.id]).not.toContain(body.userId);
    expect(await userOf(from.id)).toMatchObject({ status: 'DELETED', email: '' });
    expect(await userOf(body.userId)).toMatchObject({ status: 'ENABLED', email: `from.${name}@corp.test`, displayName: 'Bea From' });
    await rows('TERMINATED');
    expect([(await userOf(body.userId)).status, (await userOf(into.id)).status]).toEqual(['DISABLED', 'ENABLED']);
    expect((await merge(body.userId, into.id)).status).toBe(200);
  });

  it('and nothing of either is asked again, by the next files', async () => {
    const { name, person, chosen, importAll } = await makeOfFiles();
    const { body } = await split(person.id, chosen);
    await importAll();
    await importAll('TERMINATED');
    expect(await userOf(person.id)).toMatchObject({ status: 'ENABLED', email: `a.${name}@corp.test`, displayName: 'Ann A' });
    expect(await userOf(body.userId)).toMatchObject({ status: 'DISABLED', email: `b.${name}@corp.test`, displayName: 'Ann B' });
    expect((await ok('GET', '/api/v1/identity/disputed')).list.filter((one: Loose) => one.employeeId === name)).toEqual([]);
  });
});

describe('reviews', () => {
  it('keep whom they froze, and the next one asks about the new person', async () => {
    const { name, person, chosen } = await makeOfFiles();
    const owner = await server.makePerson(`owner.${name}@corp.test`);
    const { appId } = await importFile(`grants?app=Desk ${name}`, `account,email,entitlement\nacc-${name},b.${name}@corp.test,read\n`);
    const open = async (displayName: string): Promise<{ path: string; task: Loose }> => {
      const { accessReview } = await ok('POST', '/api/v1/access_review', { displayName, ownerIds: [owner.id] });
      const path = `/api/v1/access_review/${accessReview.accessReview.id}`;
      await ok('POST', path, { accessReview: { singleApp: { appId } } });
      for (const [action, state] of [
        ['prepare', 'REVIEW'],
        ['start', 'OPEN'],
      ]) {
        await ok('POST', `${path}/action/${action}`, {});
        await until(async () => expect((await ok('GET', path)).accessReview.accessReview.state).toBe(`ACCESS_REVIEW_STATE_${state}`));
      }
      const { list } = await ok('POST', '/api/v1/search/tasks', { accessReviewIds: [accessReview.accessReview.id], pageSize: 10 });
      return { path, task: list[0].task };
    };
    const running = await open(`Running ${name}`);
    expect(running.task.type.certify.identityUserId).toBe(person.id);
    const { body } = await split(person.id, chosen);
    const again = await ok('GET', `/api/v1/tasks/${running.task.id}`);
    expect(again.taskView.task.type.certify.identityUserId).toBe(person.id);
    expect((await as(owner, 'POST', `/api/v1/tasks/${running.task.id}/action/approve`, {})).status).toBe(200);
    expect((await open(`Next ${name}`)).task.type.certify.identityUserId).toBe(body.userId);
  });
});

describe('two at once', () => {
  it('split the same records: one new person is made', async () => {
    const { name, person, chosen } = await makeOfFiles();
    const answers = await Promise.all([split(person.id, chosen), split(person.id, chosen)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    const rows = await server.test.admin(`SELECT id FROM users WHERE tenant_id = $1 AND employee_id = $2`, [server.id, name]);
    expect(rows).toHaveLength(2);
  });

  it('split and merge the same person: whoever comes second is refused, or acts on what is left', async () => {
    const { person, chosen } = await makeOfFiles();
    const other = await server.makePerson(`${fresh('other')}@corp.test`);
    const [merged, was] = await Promise.all([merge(person.id, other.id), split(person.id, chosen)]);
    expect(merged.status).toBe(200);
    expect(await recordsOf(person.id)).toEqual([]);
    expect(await recordsOf(other.id)).toHaveLength(was.status === 200 ? 1 : 2);
    expect([200, 400]).toContain(was.status);
  });
});

describe('it is refused', () => {
  it('for people and records of another tenant, which nobody here knows', async () => {
    const { person, chosen } = await makeOfFiles();
    const there = await server.makeTenant(fresh('elsewhere'));
    const path = `/api/v1/users/${person.id}/action/split`;
    expect((await request(there, there.admin, 'POST', path, { recordIds: chosen })).status).toBe(404);
    const theirs = await request(there, there.admin, 'POST', `/api/v1/users/${there.admin.id}/action/split`, { recordIds: chosen });
    expect(theirs.status).toBe(400);
    expect((await as(await server.makePerson(`${fresh('basic')}@corp.test`), 'POST', path, { recordIds: chosen })).status).toBe(403);
  });

  it('to oneself: the records of sources say when somebody leaves', async () => {
    const { person, chosen } = await makeOfFiles();
    await ok('PUT', `/api/v1/users/${person.id}/roles`, { roleIds: ['000000000SuperAdministrator'] });
    const themselves = await server.ownClient(person.id);
    const refused = await as(themselves, 'POST', `/api/v1/users/${person.id}/action/split`, { recordIds: chosen });
    expect([refused.status, refused.body.message]).toEqual([400, expect.stringContaining('another Super Administrator')]);
    expect((await as(second, 'POST', `/api/v1/users/${person.id}/action/split`, { recordIds: chosen })).status).toBe(200);
    await ok('PUT', `/api/v1/users/${person.id}/roles`, { roleIds: [] });
  });

  it('while their data is to be erased, as merging is', async () => {
    const { person, chosen } = await makeOfFiles();
    const other = await server.makePerson(`${fresh('other')}@corp.test`);
    const asked = await ok('POST', `/api/v1/users/${person.id}/erase`, { reason: 'They asked for it' });
    for (const answer of [await split(person.id, chosen), await merge(person.id, other.id), await merge(other.id, person.id)]) {
      expect([answer.status, answer.body.message]).toEqual([400, expect.stringContaining('to be erased')]);
    }
    expect((await as(second, 'POST', `/api/v1/second_person_requests/${asked.request.id}/reject`, {})).status).toBe(200);
    expect((await split(person.id, chosen, true)).status).toBe(200);
  });
});
