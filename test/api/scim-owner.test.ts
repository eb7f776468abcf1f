/** The owner of an account that an identity provider pushes: the person it pushes, unless somebody said otherwise manually. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Loose, request } from '../support/api.ts';
import { connectScim, patch, type ScimClient } from '../support/scim.ts';
import { useTestServer, type TestPerson, type TestServer } from '../support/server.ts';

describe('the owner of a pushed account', () => {
  let server: TestServer;
  let scim: ScimClient;
  let keeper: TestPerson;
  const admin = (method: string, path: string, body?: unknown): Promise<Answer> => request(server, server.admin, method, path, body);
  const accountOf = async (name: string): Promise<Loose> => {
    const { list } = (await admin('POST', '/api/v1/search/app_users', { appIds: [scim.appId], query: name })).body;
    return list.map(({ appUser }: Loose) => appUser).find((one: Loose) => one.username === name);
  };
  const at = (id: string): string => `/api/v1/apps/${scim.appId}/app_users/${id}/owner`;

  beforeAll(async () => {
    server = await useTestServer();
    scim = await connectScim(server, 'Directory');
    keeper = await server.makePerson('keeper@x.example');
  });
  afterAll(() => server.stop());

  it('set manually survives what is pushed, and is the pushed person again once it is released', async () => {
    // No address, no employee id: nothing but the push says who it is, and another person has the same user name.
    const id = await scim.addUser('robin');
    const other = await connectScim(server, 'Other');
    await other.addUser('robin');
    const { id: accountId, identityUserId: robin } = await accountOf('robin');
    expect(robin).not.toBe('');
    expect((await admin('PUT', at(accountId), { userId: keeper.id })).body.appUser.identityUserId).toBe(keeper.id);
    await scim.ok('PATCH', `/Users/${id}`, patch({ op: 'replace', path: 'displayName', value: 'Robin R.' }));
    expect(await accountOf('robin')).toMatchObject({ displayName: 'Robin R.', identityUserId: keeper.id });
    const released = await admin('DELETE', at(accountId));
    expect(released).toMatchObject({ status: 200, body: { matchCount: 1, appUser: { identityUserId: robin } } });
    await scim.ok('PATCH', `/Users/${id}`, patch({ op: 'replace', path: 'displayName', value: 'Robin' }));
    expect((await accountOf('robin')).identityUserId).toBe(robin);
  });

  it('is unowned manually, and stays so when sources are matched again', async () => {
    const id = await scim.addUser('kim@x.example');
    const { id: accountId, identityUserId: kim } = await accountOf('kim@x.example');
    await admin('PUT', at(accountId), { userId: '' });
    await admin('POST', `/api/v1/apps/${scim.appId}/connectors/${scim.connectorId}/force_sync`, {});
    await scim.ok('PATCH', `/Users/${id}`, patch({ op: 'replace', path: 'title', value: 'Cook' }));
    expect((await accountOf('kim@x.example')).identityUserId).toBe('');
    await admin('DELETE', at(accountId));
    expect((await accountOf('kim@x.example')).identityUserId).toBe(kim);
  });
});
