/** The search for anything: a few of each kind, the best names first, and for each caller what the single searches show them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Loose, request, violatedFields } from '../support/api.ts';
import { type ServedTenant, useTestServer, type TestPerson, type TestServer } from '../support/server.ts';
import { sendFile } from '../support/world.ts';

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const people = [
  'email,display_name,job_title',
  ...upTo(7).map((n) => `k${n}@search.test,Person Kestrel ${n},Clerk`),
  'x@search.test,Kestrel,Head',
];
const grants = [
  'account,email,resource_type,resource,entitlement',
  'kestrel-one,k1@search.test,role,Nest,Kestrel feed',
  'other,k2@search.test,role,Nest,Look',
];

describe('the search for anything', () => {
  let server: TestServer;
  let other: ServedTenant;
  let one: TestPerson;
  const search = (person: TestPerson, query: string, tenant: ServedTenant = server): Promise<Answer> =>
    request(tenant, person, 'POST', '/api/v1/search/all', { query });
  const find = async (person: TestPerson, query: string): Promise<Loose> => {
    const answer = await search(person, query);
    expect([query, answer.status]).toEqual([query, 200]);
    return answer.body;
  };

  beforeAll(async () => {
    server = await useTestServer();
    other = await server.makeTenant('other.example');
    const { admin } = server;
    await sendFile(server, admin, '/api/v1/imports/people', people.join('\n'));
    await sendFile(server, admin, '/api/v1/imports/grants?app=Kestrel%20Ledger', grants.join('\n'));
    const { list } = (await request(server, admin, 'POST', '/api/v1/search/users', { email: 'k1@search.test' })).body;
    one = await server.issueClient(list[0].user.id);
    await request(server, admin, 'POST', '/api/v1/access_review', { displayName: 'Kestrel of autumn' });
    await request(server, admin, 'POST', '/api/v1/access_review', { displayName: 'Kestrel of theirs', ownerIds: [one.id] });
  });
  afterAll(() => server.stop());

  it('shows a few of each kind, what has the name itself first', async () => {
    const found = await find(server.admin, 'kestrel');
    expect(found.people).toHaveLength(5);
    expect(found.people[0]).toMatchObject({ displayName: 'Kestrel', email: 'x@search.test', jobTitle: 'Head', status: 'ENABLED' });
    expect(found.accounts).toMatchObject([
      { account: 'kestrel-one', appDisplayName: 'Kestrel Ledger', person: 'Person Kestrel 1', identityUserId: one.id },
    ]);
    expect(found.apps).toMatchObject([{ displayName: 'Kestrel Ledger' }]);
    expect(found.entitlements).toMatchObject([{ resourceDisplayName: 'Nest', appDisplayName: 'Kestrel Ledger' }]);
    expect(found.reviews.map(({ displayName, state }: Loose) => [displayName, state])).toEqual([
      ['Kestrel of theirs', 'DRAFT'],
      ['Kestrel of autumn', 'DRAFT'],
    ]);
    expect(found.more).toEqual(['PEOPLE']);
    expect((await find(server.admin, one.id)).people).toMatchObject([{ userId: one.id }]);
    expect(await find(server.admin, 'nothing of that')).toEqual({
      people: [],
      accounts: [],
      apps: [],
      entitlements: [],
      reviews: [],
      more: [],
    });
  });

  it('shows a Basic User their own accounts and the reviews they know of', async () => {
    expect(await find(one, 'kestrel')).toMatchObject({
      people: [],
      accounts: [{ account: 'kestrel-one' }],
      apps: [],
      entitlements: [],
      reviews: [{ displayName: 'Kestrel of theirs' }],
      more: [],
    });
    expect((await find(one, 'other')).accounts).toEqual([]);
  });

  it('refuses what is no text, and shows another tenant nothing', async () => {
    for (const query of ['', '  ', 'x'.repeat(201)]) {
      const answer = await search(server.admin, query);
      expect([answer.status, violatedFields(answer)]).toEqual([400, ['query']]);
    }
    const { body } = await search(other.admin, 'kestrel', other);
    expect(Object.values(body).flat()).toEqual([]);
    expect((await search(server.admin, 'kestrel', other)).status).toBe(401);
  });
});
