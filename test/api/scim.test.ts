/** SCIM over HTTP: who may, what the service reports about itself, and errors in its form. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Loose, request } from '../support/api.ts';
import { fetchAsHost } from '../support/fetch-as-host.ts';
import { connectScim, type ScimClient, sendScim, urn } from '../support/scim.ts';
import { type ServedTenant, useTestServer, type TestServer } from '../support/server.ts';

describe('SCIM over HTTP', () => {
  let server: TestServer;
  let other: ServedTenant;
  let scim: ScimClient;
  const admin = (method: string, path: string, body?: unknown): Promise<Answer> => request(server, server.admin, method, path, body);
  beforeAll(async () => {
    server = await useTestServer();
    other = await server.makeTenant('other');
    scim = await connectScim(server, 'Payroll');
  });
  afterAll(() => server.stop());

  describe('tokens', () => {
    it('are shown once, are replaced and taken away, and are good in their tenant alone', async () => {
      const client = await connectScim(server, 'Tokens');
      expect(client.token).toMatch(new RegExp(`^scim_${client.connectorId}\\.[A-Za-z0-9_-]{43}$`));
      expect((await client.send('GET', '/Users')).status).toBe(200);
      const again = await admin('POST', `/api/v1/apps/${client.appId}/scim`, {});
      expect(again.body).toMatchObject({
        source: { id: client.connectorId, appId: client.appId, kind: 'SOURCE_KIND_SCIM', displayName: 'SCIM' },
        baseUrl: `${server.url}/scim/v2`,
      });
      expect((await client.send('GET', '/Users')).status).toBe(401);
      expect((await sendScim(server, again.body.token, 'GET', '/Users')).status).toBe(200);
      expect((await sendScim(other, again.body.token, 'GET', '/Users')).status).toBe(401);
      expect((await admin('DELETE', `/api/v1/apps/${client.appId}/scim`, {})).status).toBe(200);
      expect((await admin('DELETE', `/api/v1/apps/${client.appId}/scim`, {})).status).toBe(200);
      expect((await sendScim(server, again.body.token, 'GET', '/Users')).status).toBe(401);
      const events = await server.test.admin(`SELECT data::text AS data FROM events WHERE tenant_id = $1`, [server.id]);
      expect(events.some(({ data }) => String(data).includes(String(again.body.token).slice(-20)))).toBe(false);
    });

    it('are made for an app that is there, beside sources that bear the name', async () => {
      expect((await admin('POST', '/api/v1/apps/none/scim', {})).status).toBe(404);
      expect((await request(other, other.admin, 'POST', `/api/v1/apps/${scim.appId}/scim`, {})).status).toBe(404);
      const { body } = await admin('POST', '/api/v1/apps', { displayName: 'Named' });
      expect((await admin('DELETE', `/api/v1/apps/${body.app.id}/scim`, {})).status).toBe(404);
      await admin('POST', `/api/v1/apps/${body.app.id}/connectors`, { displayName: 'scim' });
      const made = await admin('POST', `/api/v1/apps/${body.app.id}/scim`, {});
      expect(made.body.source.displayName).toBe('SCIM 2');
    });

    it('are asked for, and not good ones refused, in the form of SCIM', async () => {
      for (const token of [undefined, 'x', `${scim.token}x`, scim.token.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))]) {
        const { status, body, headers } = await sendScim(server, token, 'GET', '/Users');
        expect([status, body.schemas, body.status]).toEqual([401, [urn.error], '401']);
        expect(headers.get('www-authenticate')).toMatch(/^Bearer realm="countersign"/);
        expect(headers.get('content-type')).toMatch(/^application\/scim\+json/);
      }
    });

    it('are asked to pause after a hundred failures from one address, but for a good one', async () => {
      const client = await connectScim(server, 'Guessed');
      const guess = `scim_${client.connectorId}.${'A'.repeat(43)}`;
      for (let count = 0; count < 100; count++) {
        expect((await sendScim(server, guess, 'GET', '/Users')).status).toBe(401);
      }
      const { status, headers } = await sendScim(server, guess, 'GET', '/Users');
      expect(status).toBe(429);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
      // The same connector from the same address, as behind a proxy.
      expect((await client.send('GET', '/Users')).status).toBe(200);
      expect((await scim.send('GET', '/Users')).status).toBe(200);
    });

    it('wait while the connector is paused', async () => {
      const client = await connectScim(server, 'Paused');
      await admin('POST', `/api/v1/apps/${client.appId}/connectors/${client.connectorId}/pause`, {});
      const { status, headers, body } = await client.send('POST', '/Users', { userName: 'x' });
      expect([status, body.schemas]).toEqual([503, [urn.error]]);
      expect(headers.get('retry-after')).toBe('300');
      await admin('POST', `/api/v1/apps/${client.appId}/connectors/${client.connectorId}/resume`, {});
      expect((await client.send('GET', '/Users')).status).toBe(200);
      await admin('DELETE', `/api/v1/apps/${client.appId}/connectors/${client.connectorId}`, {});
      expect((await client.send('GET', '/Users')).status).toBe(401);
      const again = await admin('POST', `/api/v1/apps/${client.appId}/scim`, {});
      expect(again.body.source.id).not.toBe(client.connectorId);
      expect((await sendScim(server, again.body.token, 'GET', '/Users')).status).toBe(200);
      expect((await client.send('GET', '/Users')).status).toBe(401);
    });

    it('end with the app, and with the source what was pushed', async () => {
      const client = await connectScim(server, 'Ended');
      await client.addGroup('Ended', [await client.addUser('ended')]);
      const search = async (what: string): Promise<number> =>
        (await admin('POST', `/api/v1/search/${what}`, { appIds: [client.appId] })).body.list.length;
      expect(await search('app_users')).toBe(1);
      await admin('DELETE', `/api/v1/apps/${client.appId}/connectors/${client.connectorId}`, {});
      expect(await search('app_users')).toBe(0);
      const again = await admin('POST', `/api/v1/apps/${client.appId}/scim`, {});
      expect((await sendScim(server, again.body.token, 'GET', '/Users')).body.totalResults).toBe(0);
      expect((await sendScim(server, again.body.token, 'POST', '/Users', { userName: 'ended' })).status).toBe(201);
      expect(await search('app_users')).toBe(1);
      await admin('DELETE', `/api/v1/apps/${client.appId}`, {});
      expect((await sendScim(server, again.body.token, 'GET', '/Users')).status).toBe(401);
      expect((await admin('POST', `/api/v1/apps/${client.appId}/scim`, {})).status).toBe(404);
    });

    it('are for Super Administrators to make and to take away', async () => {
      const reader = await server.makePerson('reader@x.example', ['READ_ONLY_ADMINISTRATOR']);
      const owner = await server.makePerson('owner@x.example', ['CAMPAIGN_ADMINISTRATOR']);
      for (const somebody of [reader, owner]) {
        for (const method of ['POST', 'DELETE']) {
          expect((await request(server, somebody, method, `/api/v1/apps/${scim.appId}/scim`, {})).status).toBe(403);
        }
      }
      expect((await scim.send('GET', '/Users')).status).toBe(200);
    });
  });

  describe('discovery', () => {
    it('tells what is there and nothing else', async () => {
      const config = await scim.ok('GET', '/ServiceProviderConfig');
      expect(config).toMatchObject({
        patch: { supported: true },
        bulk: { supported: false },
        filter: { supported: true, maxResults: 200 },
        changePassword: { supported: false },
        sort: { supported: false },
        etag: { supported: true },
      });
      const types = await scim.ok('GET', '/ResourceTypes');
      expect(types.Resources.map((one: Loose) => [one.id, one.endpoint, one.schema])).toEqual([
        ['User', '/Users', urn.user],
        ['Group', '/Groups', urn.group],
      ]);
      expect(await scim.ok('GET', '/ResourceTypes/User')).toEqual(types.Resources[0]);
      const { Resources, totalResults } = await scim.ok('GET', '/Schemas');
      expect(totalResults).toBe(4);
      for (const schema of Resources) {
        expect(await scim.ok('GET', `/Schemas/${schema.id}`)).toEqual(schema);
        expect(schema.meta.location).toBe(`${server.url}/scim/v2/Schemas/${schema.id}`);
      }
      const [user] = Resources;
      expect(user.attributes.find((one: Loose) => one.name === 'userName')).toMatchObject({
        required: true,
        uniqueness: 'server',
        caseExact: false,
      });
      expect(user.attributes.some((one: Loose) => one.name === 'password')).toBe(false);
    });

    it('answers errors in the form of SCIM, those of the framework too', async () => {
      const cases: [string, string, unknown, number, string | undefined][] = [
        ['GET', '/Schemas/none', undefined, 404, undefined],
        ['GET', '/Schemas?filter=id%20pr', undefined, 403, undefined],
        ['GET', '/nothing', undefined, 404, undefined],
        ['GET', '/', undefined, 404, undefined],
        ['GET', '/Users/none', undefined, 404, undefined],
        ['PUT', '/Users', {}, 405, undefined],
        ['POST', '/Users/x', {}, 405, undefined],
        ['DELETE', '/Schemas', undefined, 405, undefined],
        ['GET', '/Me', undefined, 501, undefined],
        ['POST', '/Bulk', {}, 501, undefined],
        ['POST', '/Users', '{"userName":', 400, 'invalidSyntax'],
        ['POST', '/Users', '[]', 400, 'invalidSyntax'],
        ['POST', '/Users', undefined, 400, 'invalidSyntax'],
        ['POST', '/Users', `{"userName":"${'x'.repeat(1024 * 1024)}"}`, 413, undefined],
        ['POST', '/Users', { userName: 'a\u0000b' }, 400, 'invalidValue'],
      ];
      for (const [method, path, body, status, scimType] of cases) {
        const answer = await scim.send(method, path, body);
        expect([method, path, answer.status, answer.body.scimType]).toEqual([method, path, status, scimType]);
        expect(answer.body).toMatchObject({ schemas: [urn.error], status: String(status), detail: expect.any(String) });
      }
      expect((await scim.send('POST', '/Users', 'x', { 'content-type': 'text/plain' })).status).toBe(415);
      expect((await scim.send('PUT', '/Users')).headers.get('allow')).toBe('GET, HEAD, POST');
      const nobody = fetchAsHost('nobody.example');
      const nowhere = await sendScim(
        { ...server, fetch: (path, init) => nobody(`${server.url}${path}`, init) },
        scim.token,
        'GET',
        '/Users',
      );
      expect([nowhere.status, nowhere.body.schemas]).toEqual([404, [urn.error]]);
    });
  });
});
