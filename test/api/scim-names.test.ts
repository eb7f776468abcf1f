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
  // Another case is another group, which filters find with it.
  expect((await post('B\u00dcRO')).status).toBe(201);
  const { totalResults } = await scim.ok('GET', `/Groups?filter=${encodeURIComponent('displayName eq "Bu\u0308ro"')}`);
  expect(totalResults).toBe(2);
});

it('a user and their account are not made twice', async () => {
  const id = await scim.addUser('j\u00f6rg');
  const again = await scim.send('POST', '/Users', { schemas: [urn.user], userName: 'jo\u0308rg\u200b' });
  expect(again.status).toBe(409);
  expect((await scim.send('PUT', `/Users/${id}`, { schemas: [urn.user], userName: 'jo\u0308rg' })).status).toBe(200);
  expect(await server.test.admin('SELECT count(*)::int AS count FROM accounts WHERE tenant_id = $1', [server.id])).toEqual([{ count: 1 }]);
});

it('a group that is pushed in another spelling is the same one, and is shown so', async () => {
  const { id } = await scim.ok('POST', '/Groups', { schemas: [urn.group], displayName: 'Stra\u00dfe \u00d6' }, 201);
  const spelled = 'Stra\u00dfe O\u0308';
  expect((await scim.ok('PUT', `/Groups/${id}`, { schemas: [urn.group], displayName: spelled })).displayName).toBe(spelled);
  const rows = await server.test.admin(
    `SELECT display_name AS name FROM resources WHERE tenant_id = $1 AND name_key(display_name) = name_key($2)`,
    [server.id, spelled],
  );
  expect(rows).toEqual([{ name: spelled }]);
});

it('an error says what nobody sees in the name that it quotes', async () => {
  await scim.ok('POST', '/Groups', { schemas: [urn.group], displayName: 'Hid\u200bden' }, 201);
  const { status, body } = await scim.send('POST', '/Groups', { schemas: [urn.group], displayName: 'Hid\u200bden' });
  expect([status, body.detail]).toEqual([409, 'There is a group named "HidU+200Bden" already.']);
});
