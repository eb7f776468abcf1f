/** Policies over HTTP: made, read, listed, searched, changed by mask, deleted, and by whom. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Loose, request, violatedFields } from '../support/api.ts';
import { useTestServer, type TestPerson, type TestServer } from '../support/server.ts';

const steps = { certify: { steps: [{ approval: { users: { userIds: ['u1'] }, allowReassignment: true, requireDenialReason: true } }] } };
const policy = { displayName: 'Named people', description: 'asks u1', policyType: 'POLICY_TYPE_CERTIFY', policySteps: steps };

describe('policies over HTTP', () => {
  let server: TestServer;
  let people: Record<'admin' | 'reader' | 'campaigner' | 'basic', TestPerson>;
  const admin = (method: string, path: string, body?: unknown): Promise<Answer> => request(server, server.admin, method, path, body);
  const make = async (more: object = {}): Promise<string> =>
    (await admin('POST', '/api/v1/policies', { ...policy, ...more })).body.policy.id;

  beforeAll(async () => {
    server = await useTestServer();
    people = {
      admin: server.admin,
      reader: await server.makePerson('reader@example.com', ['READ_ONLY_ADMINISTRATOR']),
      campaigner: await server.makePerson('campaigner@example.com', ['CAMPAIGN_ADMINISTRATOR']),
      basic: await server.makePerson('basic@example.com'),
    };
  });
  afterAll(() => server.stop());

  it('start with one, which can be changed but neither deleted nor emptied', async () => {
    const { body } = await admin('GET', '/api/v1/policies');
    expect(body).toMatchObject({ list: [{ systemBuiltin: true, policyType: 'POLICY_TYPE_CERTIFY' }], nextPageToken: '' });
    const path = `/api/v1/policies/${body.list[0].id}`;
    expect((await admin('DELETE', path)).status).toBe(400);
    expect(violatedFields(await admin('POST', path, { policy: {}, updateMask: 'policySteps' }))).toEqual(['policy.policySteps']);
    expect((await admin('POST', path, { policy: { description: 'ours' } })).body.policy).toMatchObject({
      description: 'ours',
      systemBuiltin: true,
    });
  });

  it('come back as they were sent, in either spelling', async () => {
    const id = await make();
    expect((await admin('GET', `/api/v1/policies/${id}`)).body.policy).toMatchObject({
      ...policy,
      id,
      systemBuiltin: false,
      rules: [],
      annotations: {},
    });
    const snake = await admin('POST', '/api/v1/policies', {
      display_name: 'Snake',
      policy_type: 'POLICY_TYPE_CERTIFY',
      policy_steps: { certify: { steps: [{ approval: { app_owners: {} } }] } },
    });
    expect(snake.body.policy).toMatchObject({
      displayName: 'Snake',
      policySteps: { certify: { steps: [{ approval: { appOwners: {} } }] } },
    });
  });

  it('refuse two kinds in one step, and say all that is wrong', async () => {
    const both = { certify: { steps: [{ accept: {}, reject: {} }] } };
    const answer = await admin('POST', '/api/v1/policies', { ...policy, policySteps: both });
    expect(answer.status).toBe(400);
    expect(answer.body.message).toMatch(/accept.*reject/);
    const wrong = await admin('POST', '/api/v1/policies', { policySteps: { certify: { steps: [{}] } } });
    expect(violatedFields(wrong)).toEqual(['displayName', 'policyType', 'policySteps.certify.steps[0]']);
  });

  it('change by mask', async () => {
    const id = await make();
    const answer = await admin('POST', `/api/v1/policies/${id}`, {
      policy: { displayName: 'x', description: 'kept out' },
      update_mask: 'display_name',
    });
    expect(answer.body.policy).toMatchObject({ displayName: 'x', description: 'asks u1' });
    expect((await admin('POST', `/api/v1/policies/${id}`, { policy: {}, updateMask: 'nothing' })).status).toBe(400);
  });

  it('are searched and paged', async () => {
    for (let number = 0; number < 12; number++) {
      await make({ displayName: `Many ${number}` });
    }
    const search = async (body: object): Promise<Loose> => (await admin('POST', '/api/v1/search/policies', body)).body;
    const first = await search({ query: 'many', pageSize: 10 });
    const second = await search({ query: 'many', page_size: 10, page_token: first.nextPageToken });
    expect([first.list.length, second.list.length, second.nextPageToken]).toEqual([10, 2, '']);
    expect((await admin('POST', '/api/v1/search/policies', { query: 'other', pageToken: first.nextPageToken })).status).toBe(400);
  });

  it('are read by administrators and written by Super Administrators', async () => {
    const id = await make();
    const expected = { admin: [200, 200], reader: [200, 403], campaigner: [200, 403], basic: [403, 403] };
    for (const [name, [read, write]] of Object.entries(expected)) {
      const person = people[name as keyof typeof people];
      expect((await request(server, person, 'GET', `/api/v1/policies/${id}`)).status, name).toBe(read);
      expect((await request(server, person, 'GET', '/api/v1/policies')).status, name).toBe(read);
      expect((await request(server, person, 'POST', `/api/v1/policies/${id}`, { policy: { description: name } })).status, name).toBe(write);
    }
  });

  it('are deleted once, unless a draft chooses them', async () => {
    const id = await make();
    const draft = (await admin('POST', '/api/v1/access_review', { displayName: 'Uses it', policyId: id })).body.accessReview.accessReview
      .id;
    const refused = await admin('DELETE', `/api/v1/policies/${id}`);
    expect(refused.status).toBe(400);
    expect(refused.body.message).toContain('Uses it');
    await admin('POST', `/api/v1/access_review/${draft}`, { accessReview: { policyId: '' } });
    expect(await admin('DELETE', `/api/v1/policies/${id}`)).toEqual({ status: 200, body: {} });
    expect((await admin('GET', `/api/v1/policies/${id}`)).status).toBe(404);
    expect((await admin('DELETE', `/api/v1/policies/${id}`)).status).toBe(404);
    const found = await admin('POST', '/api/v1/search/policies', { refs: [{ id }], includeDeleted: true });
    expect(found.body.list).toMatchObject([{ id, deletedAt: expect.any(String) }]);
  });
});
