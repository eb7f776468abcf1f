/**
 * Content of a sync's file, long after: whatever is changed manually, renamed, adopted, handed on, pushed by an identity provider or deleted since,
 * each sync reads back as its file, and two of them compare as their files do.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Loose, request } from '../support/api.ts';
import { grantsHeader, peopleHeader } from '../support/inventory.ts';
import { patch, sendScim, urn } from '../support/scim.ts';
import { useTestServer, type TestServer } from '../support/server.ts';
import { sendFile } from '../support/world.ts';

const columns = [...grantsHeader.split(','), 'expires_at', 'granted_via'];
type Row = Readonly<Record<string, string>>;

describe('syncs of an app with a long story', () => {
  let server: TestServer;
  let appId: string;
  const syncs: { id: string; rows: readonly Row[] }[] = [];
  const users = new Map<string, string>();

  const ok = async (method: string, path: string, body?: unknown): Promise<Loose> => {
    const answer: Answer = await request(server, server.admin, method, path, body);
    expect([method, path, answer.status, answer.body.message]).toEqual([method, path, 200, undefined]);
    return answer.body;
  };
  const row = (account: string, entitlement: string, more: Row = {}): Row => ({
    account,
    email: '',
    account_type: 'USER',
    account_status: 'ENABLED',
    resource_type: 'role',
    resource: 'wiki',
    entitlement,
    granted_at: '',
    last_used_at: '',
    expires_at: '',
    granted_via: '',
    ...more,
  });
  const importRows = async (source: string, rows: readonly Row[]): Promise<Loose> => {
    const text = [columns.join(','), ...rows.map((one) => columns.map((name) => one[name]).join(','))].join('\n');
    const answer = await sendFile(server, server.admin, `/api/v1/imports/grants?app=Story&allow_removals=true&source=${source}`, text);
    expect([answer.status, answer.body.message]).toEqual([200, undefined]);
    syncs.push({ id: answer.body.import.id, rows });
    return answer.body.import;
  };
  const importPeople = async (...lines: string[]): Promise<void> => {
    const answer = await sendFile(server, server.admin, '/api/v1/imports/people?allow_removals=true', [peopleHeader, ...lines].join('\n'));
    expect([answer.status, answer.body.message]).toEqual([200, undefined]);
    for (const view of (await ok('POST', '/api/v1/search/users', { pageSize: 100 })).list) {
      users.set(view.user.email, view.user.id);
    }
  };
  const accountId = async (name: string): Promise<string> => {
    const { list } = await ok('POST', '/api/v1/search/app_users', { appIds: [appId], pageSize: 100 });
    return list.find(({ appUser }: Loose) => appUser.externalId === name || appUser.username === name || appUser.displayName === name)
      ?.appUser.id;
  };
  const stepOf = (one: Loose): string => [one.resourceType, one.resource, one.entitlement].join('/');
  /** A grant of a sync as the row of a file. */
  const asRow = (grant: Loose): Row => ({
    account: grant.account,
    email: grant.email,
    account_type: grant.accountType,
    account_status: grant.accountStatus,
    resource_type: grant.entitlement.resourceType,
    resource: grant.entitlement.resource,
    entitlement: grant.entitlement.entitlement,
    granted_at: grant.grantedAt ?? '',
    last_used_at: grant.lastUsedAt ?? '',
    expires_at: grant.expiresAt ?? '',
    granted_via: grant.paths.map((path: Loose) => path.steps.map(stepOf).join(' > ')).join('; '),
  });
  const keyOf = (one: Row): string => [one.account, one.resource_type, one.resource, one.entitlement].join('/');
  const sorted = (rows: readonly Row[]): Row[] => rows.toSorted((one, two) => (keyOf(one) < keyOf(two) ? -1 : 1));
  const replay = async (id: string): Promise<Row[]> => {
    const rows: Row[] = [];
    for (let token = ''; ; ) {
      const { list, nextPageToken } = await ok('GET', `/api/v1/imports/${id}/grants?page_size=3&page_token=${encodeURIComponent(token)}`);
      rows.push(...list.map(asRow));
      token = nextPageToken;
      if (token === '') {
        return sorted(rows);
      }
    }
  };
  const checkAll = async (): Promise<void> => {
    for (const { id, rows } of syncs) {
      expect(await replay(id)).toEqual(sorted(rows));
    }
  };

  beforeAll(async () => {
    server = await useTestServer();
    await importPeople('ann@x.example,Ann,,,,ACTIVE', 'bob@x.example,Bob,,,,ACTIVE', 'cid@x.example,Cid,,,,ACTIVE');
    const first = await importRows('Export', [
      row('ann', 'read', { email: 'ann@x.example', granted_at: '2024-01-01T00:00:00Z', expires_at: '2030-01-01T00:00:00Z' }),
      row('ann', 'write', { email: 'ann@x.example', last_used_at: '2025-01-01T00:00:00Z', granted_via: 'role/wiki/read' }),
      row('bob', 'read', { email: 'bob@x.example' }),
      row('robot', 'run', { account_type: 'SERVICE_ACCOUNT', account_status: 'DISABLED', resource_type: 'group', resource: 'ops' }),
    ]);
    appId = first.appId;
    await importRows('Export', [
      row('ann', 'read', { email: 'ann@x.example', granted_at: '2024-01-01T00:00:00Z', last_used_at: '2025-06-01T00:00:00Z' }),
      row('bob', 'read', { email: 'bob@x.example', account_status: 'DISABLED' }),
      row('robot', 'run', { account_type: 'SYSTEM_ACCOUNT', resource_type: 'group', resource: 'ops' }),
      row('new', 'read'),
    ]);
  });
  afterAll(() => server.stop());

  it('say it after what is granted and removed manually, and after the accounts made so were adopted', async () => {
    const made = await ok('POST', `/api/v1/apps/${appId}/entitlements`, { displayName: 'Badge' });
    const badge: string = made.appEntitlementView.appEntitlement.id;
    const path = `/api/v1/apps/${appId}/entitlements/${badge}`;
    await ok('POST', `${path}/add-manual-user`, { userIds: ['bob', 'cid'].map((name) => users.get(`${name}@x.example`)) });
    await checkAll();
    await importRows('Export', [row('cid@x.example', 'read', { email: 'cid@x.example' }), row('bob', 'write', { email: 'bob@x.example' })]);
    await ok('DELETE', `${path}/remove-membership`, { appUserId: await accountId('bob') });
    await checkAll();
    await importRows('Export', [row('ann', 'read', { email: 'bob@x.example' }), row('bob', 'read', { email: 'bob@x.example' })]);
    await checkAll();
  });

  it('say it after owners, types, resources and the app were changed manually, and people went', async () => {
    const id = await accountId('ann');
    await ok('PUT', `/api/v1/apps/${appId}/app_users/${id}/owner`, { userId: users.get('cid@x.example') });
    await ok('POST', `/api/v1/apps/${appId}/app_users/${id}`, { appUser: { appUserType: 'APP_USER_TYPE_SYSTEM_ACCOUNT' } });
    const { list: types } = await ok('GET', `/api/v1/apps/${appId}/resource_types`);
    for (const { appResourceType: type } of types) {
      await ok('POST', `/api/v1/apps/${appId}/resource_types/${type.id}`, { appResourceType: { displayName: `Renamed ${type.id}` } });
      const { list: resources } = await ok('GET', `/api/v1/apps/${appId}/resource_types/${type.id}/resources`);
      for (const { appResource: resource } of resources) {
        await ok('POST', `/api/v1/apps/${appId}/resource_types/${type.id}/resources/${resource.id}`, {
          appResource: { displayName: `Renamed ${resource.id}` },
        });
      }
    }
    await ok('POST', `/api/v1/apps/${appId}`, { app: { displayName: 'Story' } });
    await importPeople('ann@x.example,Ann,,,,TERMINATED');
    await checkAll();
  });

  it('say it after another source took over, the source was deleted, and an identity provider renamed and deleted its accounts', async () => {
    await importRows(
      'Other',
      [row('ann', 'audit'), row('dan', 'read')].map((one) => ({ ...one, resource: 'archive' })),
    );
    const { list } = await ok('GET', `/api/v1/apps/${appId}/connectors`);
    for (const { connector } of list) {
      await ok('DELETE', `/api/v1/apps/${appId}/connectors/${connector.id}`, {});
      await checkOwn();
    }
    const { token } = await ok('POST', `/api/v1/apps/${appId}/scim`, {});
    const scim = async (method: string, path: string, body: unknown, status: number): Promise<Loose> => {
      const answer = await sendScim(server, token, method, path, body);
      expect([method, path, answer.status, answer.body?.detail]).toEqual([method, path, status, undefined]);
      return answer.body;
    };
    const pushed = await scim('POST', '/Users', { schemas: [urn.user], userName: 'ann' }, 201);
    const bob = await scim('POST', '/Users', { schemas: [urn.user], userName: 'bob' }, 201);
    await scim('POST', '/Groups', { schemas: [urn.group], displayName: 'wiki', members: [{ value: pushed.id }] }, 201);
    await checkOwn();
    await scim('PATCH', `/Users/${pushed.id}`, patch({ op: 'replace', path: 'userName', value: 'ann.smith' }), 200);
    await checkOwn();
    await scim('DELETE', `/Users/${bob.id}`, undefined, 204);
    await scim('POST', '/Users', { schemas: [urn.user], userName: 'bob' }, 201);
    await checkOwn();
  });

  /** All but the grants another source's sync found there already, or accounts that were somebody else's: those stay as that one says. */
  const checkOwn = async (): Promise<void> => {
    for (const { id, rows } of syncs) {
      const names = (all: readonly Row[]): string[] => all.map(keyOf);
      expect(names(await replay(id))).toEqual(names(sorted(rows)));
    }
  };

  it('compare as their files do, any two of a source, in both directions', async () => {
    const own = syncs.slice(0, 4);
    for (const to of own) {
      for (const from of own) {
        const { counts, list, fromId } = await ok('GET', `/api/v1/imports/${to.id}/diff?from=${from.id}&page_size=100`);
        expect(fromId).toBe(from.id);
        const before = new Map(from.rows.map((one) => [keyOf(one), one]));
        const after = new Map(to.rows.map((one) => [keyOf(one), one]));
        const added = [...after.keys()].filter((key) => !before.has(key));
        const removed = [...before.keys()].filter((key) => !after.has(key));
        const changed = [...after].filter(([key, one]) => before.has(key) && JSON.stringify(one) !== JSON.stringify(before.get(key)));
        const of = (kind: string): string[] =>
          list
            .filter(({ change }: Loose) => change === `SYNC_CHANGE_${kind}`)
            .map((one: Loose) => keyOf(asRow(one.after ?? one.before)))
            .sort();
        expect(of('ADDED')).toEqual(added.sort());
        expect(of('REMOVED')).toEqual(removed.sort());
        expect(of('CHANGED')).toEqual(changed.map(([key]) => key).sort());
        expect(counts).toMatchObject({
          added: String(added.length),
          removed: String(removed.length),
          changed: String(changed.length),
          total: String(added.length + removed.length + changed.length),
        });
      }
    }
  });
});
