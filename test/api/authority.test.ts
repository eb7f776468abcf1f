/**
 * Attacks on who may answer: by a program of one's own, by a credential that only reads, by what was issued to somebody else. What everybody may is
 * in roles.test.ts; what the rules compare is beside them.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Loose, request } from '../support/api.ts';
import { useTestServer, type TestPerson, type TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';

const nobody = '0'.repeat(27);
/** Everything that answers, asked of things that do not exist: 404 for who may answer, 403 for everybody else. */
const answers: readonly (readonly [string, object])[] = [
  [`/api/v1/tasks/${nobody}/action/approve`, {}],
  [`/api/v1/tasks/${nobody}/action/deny`, { comment: 'No' }],
  [`/api/v1/tasks/${nobody}/action/restart`, { comment: 'Again' }],
  [`/api/v1/access_review/${nobody}/submissions`, { decisions: [{ taskId: nobody, decision: 'REVIEW_DECISION_DENY', comment: 'No' }] }],
  [`/api/v1/access_review/${nobody}/action/acknowledge`, {}],
  [`/api/v1/access_review/${nobody}/second_review/answers`, { answers: [{ taskId: nobody, decision: 'REVIEW_DECISION_DENY' }] }],
  [`/api/v1/revocations/${nobody}/action/claim`, {}],
  [`/api/v1/revocations/${nobody}/action/confirm`, {}],
];

let server: TestServer;
beforeAll(async () => {
  server = await useTestServer();
});
afterAll(() => server.stop());

const ok = async (method: string, path: string, body: object): Promise<Loose> => {
  const answer = await request(server, server.admin, method, path, body);
  expect([path, answer.status]).toEqual([path, 200]);
  return answer.body;
};

async function statusesOf(person: TestPerson): Promise<number[]> {
  const got: number[] = [];
  for (const [path, body] of answers) {
    got.push((await request(server, person, 'POST', path, body)).status);
  }
  return got;
}

const all = (status: number): number[] => answers.map(() => status);

describe('what answers', () => {
  it('is refused to a service principal, whatever its roles, and to what it issued', async () => {
    const { servicePrincipal } = await ok('POST', '/api/v1/service_principals', { displayName: 'Hers' });
    await ok('PUT', `/api/v1/users/${servicePrincipal.id}/roles`, { roleIds: ['000000000SuperAdministrator'] });
    const made = await ok('POST', `/api/v1/service_principals/${servicePrincipal.id}/credentials`, { displayName: 'Key' });
    const program: TestPerson = {
      ...{ ...server.admin, id: servicePrincipal.id },
      credential: { clientId: made.credential.clientId, clientSecret: made.clientSecret },
    };
    expect(await statusesOf(program)).toEqual(all(403));
    for (const act of ['confirm', 'reject']) {
      const answer = await request(server, program, 'POST', `/api/v1/second_person_requests/${nobody}/${act}`, {});
      expect([act, answer.status]).toEqual([act, 403]);
    }
    const { id } = await server.makePerson('issued-by-a-program@example.com');
    const issued = await request(server, program, 'POST', `/api/v1/users/${id}/personal_clients`, { displayName: 'Issued' });
    expect(issued.status).toBe(200);
    const { client, clientSecret } = issued.body;
    expect(await statusesOf({ ...program, id, credential: { clientId: client.clientId, clientSecret } })).toEqual(all(403));
  });

  it('is refused to a credential that is narrowed to reading, whatever its owner may', async () => {
    const owner = await server.makePerson('reads@example.com', ['SUPER_ADMINISTRATOR', 'READ_ONLY_ADMINISTRATOR']);
    expect(new Set(await statusesOf(owner))).toEqual(new Set([404]));
    const fields = { displayName: 'Reads', scopedRoles: ['000000ReadOnlyAdministrator'] };
    const { body } = await request(server, owner, 'POST', '/api/v1/iam/personal_clients', fields);
    const reads = { ...owner, credential: { clientId: body.client.clientId, clientSecret: body.clientSecret } };
    expect(await statusesOf(reads)).toEqual(all(403));
    const comment = await request(server, reads, 'POST', `/api/v1/tasks/${nobody}/action/comment`, { comment: 'Hm.' });
    const start = await request(server, reads, 'POST', `/api/v1/access_review/${nobody}/action/start`, {});
    expect([comment.status, start.status]).toEqual([403, 403]);
  });

  it('is refused through what somebody issued who is no Super Administrator any more', async () => {
    const former = await server.makePerson('former@example.com', ['SUPER_ADMINISTRATOR']);
    const { id } = await server.makePerson('issued-by-a-former@example.com');
    const { status, body } = await request(server, former, 'POST', `/api/v1/users/${id}/personal_clients`, { displayName: 'Issued' });
    expect(status).toBe(200);
    const issued = { ...former, id, credential: { clientId: body.client.clientId, clientSecret: body.clientSecret } };
    expect(await statusesOf(issued)).toEqual(all(404));
    await ok('PUT', `/api/v1/users/${former.id}/roles`, { roleIds: [] });
    await until(async () => expect(await statusesOf(issued)).toEqual(all(403)));
  });

  it('follows the setting of the tenant through what an administrator issued, and follows it at once', async () => {
    const { id } = await server.makePerson('issued@example.com');
    const issued = await server.issueClient(id);
    const set = (issuedAnswers: string) =>
      ok('POST', '/api/v1/settings/tenant', { settings: { issuedAnswers }, updateMask: 'issuedAnswers' });
    expect(await statusesOf(issued)).toEqual(all(404));
    expect((await set('ISSUED_ANSWERS_NEVER')).settings.issuedAnswers).toBe('ISSUED_ANSWERS_NEVER');
    await until(async () => expect(await statusesOf(issued)).toEqual(all(403)));
    await set('ISSUED_ANSWERS_WITHOUT_OTHER_SIGN_IN');
    await until(async () => expect(await statusesOf(issued)).toEqual(all(404)));
    const okta = { domain: 'ours.okta.com', oidcClientId: 'client', oidcClientSecret: 'secret' };
    await ok('POST', '/api/v1/auth-configs', { displayName: 'Ours', okta });
    await until(async () => expect(await statusesOf(issued)).toEqual(all(403)));
    await set('ISSUED_ANSWERS_ALWAYS');
    await until(async () => expect(await statusesOf(issued)).toEqual(all(404)));
  });
});
