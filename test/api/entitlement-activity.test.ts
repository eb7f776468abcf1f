/** Use and changes of entitlements, over HTTP: the latest use ever reported, and what came and went since a time. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countChanges } from '../../src/inventory/grants/store-activity.ts';
import { type Answer, type Loose, request, violatedFields } from '../support/api.ts';
import { type ServedTenant, useTestServer, type TestPerson, type TestServer } from '../support/server.ts';
import { untilLater } from '../support/until.ts';
import { sendFile } from '../support/world.ts';

const header = 'account,email,account_type,account_status,resource_type,resource,entitlement,granted_at,last_used_at';
const line = (account: string, entitlement: string, used = ''): string => `${account},,USER,ENABLED,role,Wiki,${entitlement},,${used}`;

describe('the activity of entitlements', () => {
  let server: TestServer;
  let other: ServedTenant;
  let basic: TestPerson;
  let wiki: string;
  const ids: Record<string, string> = {};
  const moments: string[] = [];
  const get = (query: string, as: TestPerson = server.admin): Promise<Answer> =>
    request(server, as, 'GET', `/api/v1/apps/${wiki}/entitlement_activity?page_size=100&${query}`);
  /** Facts of each entitlement by its name: the year of its last use, what came and what went. */
  const activity = async (query = ''): Promise<Record<string, unknown>> => {
    const { status, body } = await get(query);
    expect([query, status]).toEqual([query, 200]);
    const nameOf = (id: string) => Object.keys(ids).find((name) => ids[name] === id) ?? id;
    return Object.fromEntries(
      body.list.map((one: Loose) => [nameOf(one.appEntitlementId), [one.lastUsedAt?.slice(0, 4), Number(one.added), Number(one.ended)]]),
    );
  };
  const sync = async (...lines: string[]): Promise<void> => {
    const path = '/api/v1/imports/grants?app=Wiki&allow_removals=true';
    const { status, body } = await sendFile(server, server.admin, path, [header, ...lines].join('\n'));
    expect([status, body.message]).toEqual([200, undefined]);
    wiki = body.import.appId;
    await untilLater();
    moments.push(new Date().toISOString());
    await untilLater();
  };

  beforeAll(async () => {
    server = await useTestServer();
    other = await server.makeTenant('other');
    basic = await server.makePerson('basic@x.example');
    await sync(line('ann', 'read', '2024-05-01T00:00:00Z'), line('bob', 'read', '2023-05-01T00:00:00Z'), line('ann', 'write'));
    await sync(line('ann', 'read', '2022-01-01T00:00:00Z'), line('ann', 'write', '2025-01-01T00:00:00Z'), line('cid', 'write'));
    const { list } = (await request(server, server.admin, 'GET', `/api/v1/apps/${wiki}/entitlements?page_size=100`)).body;
    for (const { appEntitlement: one } of list) {
      ids[one.systemBuiltin ? 'access' : one.displayName.replace('Wiki ', '')] = one.id;
    }
  });
  afterAll(() => server.stop());

  it('says when each was last used: the latest that was ever reported, also by who holds it no more', async () => {
    expect(await activity()).toEqual({ read: ['2024', 0, 0], write: ['2025', 0, 0], access: ['2025', 0, 0] });
  });

  it('counts what came and what went since a time', async () => {
    expect(await activity(`since=${moments[0]}`)).toEqual({ read: ['2024', 0, 1], write: ['2025', 1, 0], access: ['2025', 1, 1] });
    expect(await activity('since=2020-01-01T00:00:00Z')).toEqual({ read: ['2024', 2, 1], write: ['2025', 2, 0], access: ['2025', 3, 1] });
    expect(await activity(`since=${moments[1]}`)).toEqual({ read: ['2024', 0, 0], write: ['2025', 0, 0], access: ['2025', 0, 0] });
  });

  it('keeps to the entitlements that are named', async () => {
    expect(await activity(`entitlement_ids=${ids['write']}&since=${moments[0]}`)).toEqual({ write: ['2025', 1, 0] });
    expect(await activity(`entitlement_ids=${'0'.repeat(27)}`)).toEqual({});
    const many = Array.from({ length: 101 }, () => `entitlement_ids=${ids['read']}`).join('&');
    expect(violatedFields(await get(many))).toEqual(['entitlementIds']);
    expect(violatedFields(await get('since=soon'))).toEqual(['since']);
  });

  it('stops counting at so many changes', async () => {
    const context = server.system();
    const since = new Date('2020-01-01');
    expect((await countChanges(context, wiki, since, 7))?.length).toBe(3);
    expect(await countChanges(context, wiki, since, 6)).toBe(undefined);
  });

  it('is for those who read the inventory of the tenant, or own the app', async () => {
    expect((await get('', basic)).status).toBe(404);
    expect((await request(other, other.admin, 'GET', `/api/v1/apps/${wiki}/entitlement_activity`)).status).toBe(404);
    expect((await request(server, server.admin, 'GET', `/api/v1/apps/${'0'.repeat(27)}/entitlement_activity`)).status).toBe(404);
  });
});
