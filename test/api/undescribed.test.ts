/** Rights that nobody described, over HTTP: those with most holders first, of all apps or of one, until somebody describes them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Loose, request } from '../support/api.ts';
import { type ServedTenant, useTestServer, type TestServer } from '../support/server.ts';
import { sendFile } from '../support/world.ts';

const header = 'account,resource_type,resource,entitlement';
const path = '/api/v1/identity/undescribed_entitlements';

describe('undescribed entitlements', () => {
  let server: TestServer;
  let other: ServedTenant;
  let till: string;
  const get = (query = ''): Promise<Answer> => request(server, server.admin, 'GET', `${path}?${query}`);
  const all = async (query = ''): Promise<string[]> => {
    const { status, body } = await get(query);
    expect([query, status]).toEqual([query, 200]);
    return body.list.map(
      (one: Loose) => `${one.appDisplayName}: ${one.resource} ${one.entitlement.replace(`${one.resource} `, '')} ${one.holderCount}`,
    );
  };

  beforeAll(async () => {
    server = await useTestServer();
    other = await server.makeTenant('other');
    const upload = async (app: string, lines: readonly string[]): Promise<string> =>
      (await sendFile(server, server.admin, `/api/v1/imports/grants?app=${app}`, [header, ...lines].join('\n'))).body.import.appId;
    till = await upload('Till', ['ann,area,Shop,sell', 'bob,area,Shop,sell', 'ann,area,Shop,refund']);
    const crowd = Array.from({ length: 12 }, (_, number) => `ann,area,Safe,key${String(number).padStart(2, '0')}`);
    await upload('Safe', [...crowd, 'bob,area,Safe,key11', 'cid,area,Safe,key11']);
  });
  afterAll(() => server.stop());

  it('are listed by how many hold them, without the app access that we describe', async () => {
    const found = await all('page_size=100');
    expect(found.slice(0, 2)).toEqual(['Safe: Safe key11 3', 'Till: Shop sell 2']);
    expect(found).toHaveLength(14);
    expect(await all(`app_id=${till}`)).toEqual(['Till: Shop sell 2', 'Till: Shop refund 1']);
  });

  it('come in pages, each once, and say on the first how many they are', async () => {
    const { body: first } = await get('page_size=10');
    const { body: second } = await get(`page_size=10&page_token=${encodeURIComponent(first.nextPageToken)}`);
    const ids = [...first.list, ...second.list].map((one: Loose) => one.appEntitlementId);
    expect([new Set(ids).size, first.total, second.total, second.nextPageToken]).toEqual([14, '14', '0', '']);
    expect((await get(`app_id=${till}`)).body.total).toBe('2');
  });

  it('go once they are described', async () => {
    const { body } = await get(`app_id=${till}`);
    const id = body.list[0].appEntitlementId;
    const change = { entitlement: { description: 'Sell at the till' }, updateMask: 'description' };
    expect((await request(server, server.admin, 'POST', `/api/v1/apps/${till}/entitlements/${id}`, change)).status).toBe(200);
    expect(await all(`app_id=${till}`)).toEqual(['Till: Shop refund 1']);
  });

  it('of another tenant and of no app are not there', async () => {
    expect((await request(other, other.admin, 'GET', `${path}?app_id=${till}`)).status).toBe(404);
    expect((await request(other, other.admin, 'GET', path)).body.list).toEqual([]);
    expect((await get(`app_id=${'0'.repeat(27)}`)).status).toBe(404);
    const basic = await server.makePerson('basic@x.example');
    expect((await request(server, basic, 'GET', path)).status).toBe(403);
  });
});
