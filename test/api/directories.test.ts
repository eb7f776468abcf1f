/** Directories over HTTP: apps whose people are the people of the tenant, and how their accounts are matched. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Loose, request, violatedFields } from '../support/api.ts';
import { type ServedTenant, useTestServer, type TestServer } from '../support/server.ts';
import { sendFile } from '../support/world.ts';

const people = `email,display_name,manager_email,department,job_title,employment_status,username,employee_id
ann@x.example,Ann,,,,ACTIVE,ann,E-1
bob@x.example,Bob,,,,ACTIVE,bob,E-2
`;
const grants = `account,email,account_type,account_status,resource_type,resource,entitlement,granted_at,last_used_at,username,employee_id
mixed,ann@x.example,USER,ENABLED,role,R,read,,,,E-2
`;

describe('directories over HTTP', () => {
  let server: TestServer;
  let other: ServedTenant;
  let appId: string;
  let connectorId: string;
  let count = 0;
  const admin = (method: string, path: string, body?: unknown): Promise<Answer> => request(server, server.admin, method, path, body);
  const emailOf = async (): Promise<string> => {
    const { body } = await admin('POST', '/api/v1/search/app_users', { appIds: [appId], expandMask: { paths: ['identity_user_id'] } });
    return body.expanded[0]?.email ?? '';
  };
  const orderOf = async (): Promise<string[]> => (await admin('GET', `/api/v1/connectors/${connectorId}/match_order`)).body.order;
  const makeApp = async (): Promise<string> => (await admin('POST', '/api/v1/apps', { displayName: `App ${++count}` })).body.app.id;
  const eventsOf = async (id: string): Promise<string[]> =>
    (await server.test.admin(`SELECT kind FROM events WHERE target_id = $1 AND kind LIKE 'directory.%' ORDER BY id`, [id])).map((row) =>
      String(row.kind),
    );

  beforeAll(async () => {
    server = await useTestServer();
    other = await server.makeTenant('other');
    expect((await sendFile(server, server.admin, '/api/v1/imports/people', people)).status).toBe(200);
    const imported = await sendFile(server, server.admin, '/api/v1/imports/grants?app=Directory', grants);
    expect(imported.status).toBe(200);
    appId = imported.body.import.appId;
    connectorId = imported.body.import.connectorId;
  });
  afterAll(() => server.stop());

  it('are made of apps, read, listed, expanded, changed and deleted', async () => {
    const made = await admin('POST', '/api/v1/directories', { appId, expandMask: { paths: ['app_id'] } });
    expect(made).toMatchObject({
      status: 200,
      body: {
        directoryView: { directory: { appId, all: {}, mergeConfig: { matchCases: [] } }, appPath: '$.expanded[0]' },
        expanded: [{ '@type': 'type.googleapis.com/c1.api.app.v1.App', id: appId }],
      },
    });
    const { directory } = made.body.directoryView;
    expect(directory.createdAt).toBe(directory.updatedAt);
    expect(directory).not.toHaveProperty('celExpression');
    expect(directory).not.toHaveProperty('deletedAt');
    expect((await admin('GET', `/api/v1/directories/${appId}`)).body).toEqual({
      directoryView: { directory, appPath: '' },
      expanded: [],
    });
    expect((await admin('GET', '/api/v1/directories')).body).toEqual({
      list: [{ directory, appPath: '' }],
      expanded: [],
      nextPageToken: '',
    });
    expect(await eventsOf(appId)).toEqual(['directory.created']);
    const again = await admin('POST', '/api/v1/directories', { appId });
    expect(again.status).toBe(409);
    expect(again.body.message).toContain('Directory');
    expect((await admin('PUT', `/api/v1/directories/${appId}`, {})).body.directoryView.directory).toEqual(directory);
    expect(await eventsOf(appId)).toEqual(['directory.created']);
    expect(
      (await admin('PUT', `/api/v1/directories/${appId}`, { celExpression: { expression: '' } })).body.directoryView.directory,
    ).toMatchObject({
      celExpression: { expression: '' },
    });
    expect((await admin('DELETE', `/api/v1/directories/${appId}`)).body).toEqual({});
    expect(await eventsOf(appId)).toEqual(['directory.created', 'directory.updated', 'directory.deleted']);
    for (const [method, body] of [
      ['GET', undefined],
      ['PUT', {}],
      ['DELETE', {}],
    ] as const) {
      expect((await admin(method, `/api/v1/directories/${appId}`, body)).status).toBe(404);
    }
    expect((await admin('GET', '/api/v1/directories')).body.list).toEqual([]);
    // The app itself is still there, and may be a directory again.
    expect((await admin('GET', `/api/v1/apps/${appId}`)).status).toBe(200);
    expect((await admin('POST', '/api/v1/directories', { appId })).body.directoryView.directory).toMatchObject({ all: {} });
    await admin('DELETE', `/api/v1/directories/${appId}`);
  });

  it('are what their apps say of themselves', async () => {
    const id = await makeApp();
    const isDirectory = async (): Promise<boolean> => (await admin('GET', `/api/v1/apps/${id}`)).body.app.isDirectory;
    expect(await isDirectory()).toBe(false);
    await admin('POST', '/api/v1/directories', { appId: id });
    expect(await isDirectory()).toBe(true);
    const { list } = (await admin('POST', '/api/v1/search/apps', { onlyDirectories: true })).body;
    expect(list.map((app: Loose) => app.id)).toEqual([id]);
    await admin('DELETE', `/api/v1/directories/${id}`);
    expect(await isDirectory()).toBe(false);
  });

  it('give their order to sources that come later, however they come', async () => {
    const id = await makeApp();
    const cases = (...members: string[]): object => ({
      matchCases: members.map((member) => ({ appUserKeyCel: `appUser.${member}`, userKeyCel: `user.${member}` })),
    });
    await admin('POST', '/api/v1/directories', { appId: id, mergeConfig: cases('employeeIds', 'usernames') });
    const orderOfSource = async (source: string): Promise<string[]> =>
      (await admin('GET', `/api/v1/connectors/${source}/match_order`)).body.order;
    const makeConnector = async (): Promise<string> =>
      (await admin('POST', `/api/v1/apps/${id}/connectors`, {})).body.connectorView.connector.id;
    const byNumber = ['MATCH_RULE_EMPLOYEE_ID', 'MATCH_RULE_USERNAME'];
    expect(await orderOfSource(await makeConnector())).toEqual(byNumber);
    expect(await orderOfSource((await admin('POST', `/api/v1/apps/${id}/scim`, {})).body.source.id)).toEqual(byNumber);
    const imported = await sendFile(server, server.admin, `/api/v1/imports/grants?app=App%20${count}&source=later`, grants);
    expect(await orderOfSource(imported.body.import.connectorId)).toEqual(byNumber);
    // E-2 is Bob's, although the address is Ann's.
    const { body } = await admin('POST', '/api/v1/search/app_users', { appIds: [id], expandMask: { paths: ['identity_user_id'] } });
    expect(body.expanded.map((one: Loose) => one.email)).toEqual(['bob@x.example']);
    await admin('PUT', `/api/v1/directories/${id}`, { all: {} });
    expect(await orderOfSource(await makeConnector())).toEqual(byNumber);
    await admin('PUT', `/api/v1/directories/${id}`, { mergeConfig: {} });
    const usual = ['MATCH_RULE_EMAIL', ...byNumber];
    expect(await orderOfSource(await makeConnector())).toEqual(usual);
    await admin('PUT', `/api/v1/directories/${id}`, { mergeConfig: cases('usernames') });
    await admin('DELETE', `/api/v1/directories/${id}`);
    expect(await orderOfSource(await makeConnector())).toEqual(usual);
  });

  it('go with their apps', async () => {
    const id = await makeApp();
    await admin('POST', '/api/v1/directories', { appId: id });
    await admin('DELETE', `/api/v1/apps/${id}`);
    expect((await admin('GET', `/api/v1/directories/${id}`)).status).toBe(404);
    expect((await admin('PUT', `/api/v1/directories/${id}`, {})).status).toBe(404);
    expect((await admin('GET', '/api/v1/directories')).body.list).toEqual([]);
    expect((await admin('POST', '/api/v1/directories', { appId: id })).status).toBe(404);
  });

  it('give their order of matching to the sources of the app, at once', async () => {
    expect(await emailOf()).toBe('ann@x.example');
    const matchCases = [
      { appUserKeyCel: 'app_user.employee_ids[0]', userKeyCel: 'user.employeeIds' },
      { appUserKeyCel: 'appUser.email', userKeyCel: 'user.email' },
    ];
    const made = await admin('POST', '/api/v1/directories', { appId, mergeConfig: { matchCases } });
    expect(made.body.directoryView.directory.mergeConfig).toEqual({ matchCases });
    expect(await orderOf()).toEqual(['MATCH_RULE_EMPLOYEE_ID', 'MATCH_RULE_EMAIL']);
    expect(await emailOf()).toBe('bob@x.example');
    const turned = { matchCases: [...matchCases].reverse() };
    await admin('PUT', `/api/v1/directories/${appId}`, { merge_config: turned });
    expect(await orderOf()).toEqual(['MATCH_RULE_EMAIL', 'MATCH_RULE_EMPLOYEE_ID']);
    expect(await emailOf()).toBe('ann@x.example');
    const told = await server.test.admin(
      `SELECT data->'changedAccounts' AS changed FROM events WHERE target_id = $1 AND data ? 'changedAccounts' ORDER BY id`,
      [appId],
    );
    expect(told).toEqual([{ changed: 1 }, { changed: 1 }]);
    // Without pairs nothing is said of the order; nor is it by deleting.
    await admin('PUT', `/api/v1/directories/${appId}`, { mergeConfig: {} });
    await admin('DELETE', `/api/v1/directories/${appId}`);
    expect(await orderOf()).toEqual(['MATCH_RULE_EMAIL', 'MATCH_RULE_EMPLOYEE_ID']);
  });

  it('refuse what is not understood, by name', async () => {
    const id = await makeApp();
    const refusals: [object, string[]][] = [
      [{ celExpression: { expression: 'appUser.email != ""' } }, ['celExpression.expression']],
      [
        { mergeConfig: { matchCases: [{ appUserKeyCel: 'appUser.profile.x', userKeyCel: 'user.email' }, { userKeyCel: 'user.email' }] } },
        ['mergeConfig.matchCases[0].appUserKeyCel', 'mergeConfig.matchCases[1].appUserKeyCel'],
      ],
      [{ mergeConfig: { matchCases: [{ appUserKeyCel: 'appUser.email', userKeyCel: 'user.username' }] } }, ['mergeConfig.matchCases[0]']],
    ];
    for (const [body, fields] of refusals) {
      const created = await admin('POST', '/api/v1/directories', { appId: id, ...body });
      expect([created.status, violatedFields(created)]).toEqual([400, fields]);
    }
    expect((await admin('POST', '/api/v1/directories', { appId: id, all: {}, celExpression: { expression: '' } })).status).toBe(400);
    expect((await admin('POST', '/api/v1/directories', { appId: id })).status).toBe(200);
    for (const [body, fields] of refusals) {
      const changed = await admin('PUT', `/api/v1/directories/${id}`, body);
      expect([changed.status, violatedFields(changed)]).toEqual([400, fields]);
    }
    expect(await eventsOf(id)).toEqual(['directory.created']);
  });

  it('are of apps that are there, of this tenant, and of nobody but an administrator', async () => {
    const id = await makeApp();
    for (const wrong of ['', 'nothing']) {
      expect((await admin('POST', '/api/v1/directories', { appId: wrong })).status).toBe(404);
    }
    expect((await request(other, other.admin, 'POST', '/api/v1/directories', { appId: id })).status).toBe(404);
    await admin('POST', '/api/v1/directories', { appId: id });
    expect((await request(other, other.admin, 'GET', `/api/v1/directories/${id}`)).status).toBe(404);
    expect((await request(other, other.admin, 'GET', '/api/v1/directories')).body.list).toEqual([]);
    const reader = await server.makePerson('reader@x.example', ['READ_ONLY_ADMINISTRATOR']);
    expect((await request(server, reader, 'GET', `/api/v1/directories/${id}`)).status).toBe(200);
    expect((await request(server, reader, 'DELETE', `/api/v1/directories/${id}`)).status).toBe(403);
  });
});
