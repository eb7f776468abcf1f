/** Names over SCIM that are the same, spelled otherwise: of users, of their accounts and of groups. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectScim, type ScimClient, urn } from '../support/scim.ts';
import { useTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let scim: ScimClient;
beforeAll(async () => {
  server = await useTestServer();
  scim = await connectScim(server, 'Named');
});
afterAll(() => server.stop());

it('a group is not made twice, and is found by its name in another form', async () => {
  const post = (displayName: string) => scim.send('POST', '/Groups', { schemas: [urn.group], displayName });
  expect((await post('B\u00fcro')).status).toBe(201);
  for (const name of ['Bu\u0308ro', 'B\u00fcro\u00a0', '\ufeffB\u00fcro']) {
    expect([name, (await post(name)).status]).toEqual([name, 409]);
  }
  const { totalResults } = await scim.ok('GET', `/Groups?filter=${encodeURIComponent('displayName eq "Bu\u0308ro"')}`);
  expect(totalResults).toBe(1);
});

it('a user and their account are not made twice', async () => {
  const id = await scim.addUser('j\u00f6rg');
  const again = await scim.send('POST', '/Users', { schemas: [urn.user], userName: 'jo\u0308rg\u200b' });
  expect(again.status).toBe(409);
  expect((await scim.send('PUT', `/Users/${id}`, { schemas: [urn.user], userName: 'jo\u0308rg' })).status).toBe(200);
  expect(await server.test.admin('SELECT count(*)::int AS count FROM accounts WHERE tenant_id = $1', [server.id])).toEqual([{ count: 1 }]);
});
