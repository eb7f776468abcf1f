/**
 * Decisions where specification and published facts are silent, row by row, over the whole service: errors, expansion, spellings, search
 * texts, names in imports. Masks and fields are in specification-records.test.ts, pages in lists.test.ts, roles in roles.test.ts.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Loose, violatedFields } from '../support/api.ts';
import type { TestServer } from '../support/server.ts';
import { untilLater } from '../support/until.ts';
import { sendFile, type World, worldGrants, worldPeople } from '../support/world.ts';
import { startWorld } from '../support/world-server.ts';

describe('decisions', () => {
  let server: TestServer;
  let world: World;
  const admin = (method: string, path: string, body?: unknown): Promise<Answer> => world.call(server.admin, method, path, body);

  beforeAll(async () => {
    const made = await startWorld();
    server = made.server;
    world = made.world;
  });
  afterAll(() => server.stop());

  it('404 stands for what is not built or not there, 405 names the methods', async () => {
    for (const path of [
      '/api/v1/access_review_templates/x',
      '/api/v1/nothing',
      '/api/v2/access_reviews',
      '/api/v1/access_review/x/submission',
      '/auth/v1/authorize',
    ]) {
      expect([path, (await admin('GET', path)).status]).toEqual([path, 404]);
    }
    const headers = { authorization: `Bearer ${await server.admin.client.token()}` };
    const wrong = await server.fetch('/api/v1/access_reviews', { method: 'DELETE', headers });
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    const put = await server.fetch(`/api/v1/access_review/${world.draftId}`, { method: 'PUT', headers });
    expect([put.status, put.headers.get('allow')?.split(', ')]).toEqual([405, ['DELETE', 'GET', 'HEAD', 'POST']]);
  });

  it('conflicts of names are 409, and nothing else is', async () => {
    const twice = await admin('POST', '/api/v1/apps', { displayName: 'App 00' });
    expect([twice.status, twice.body.code]).toEqual([409, 10]);
  });

  it('wildcards and quotes in a search text are only letters', async () => {
    for (const path of ['users', 'apps', 'policies', 'entitlements', 'app_users', 'tasks', 'iam/personal_clients']) {
      for (const query of ['%', '_', '\\', "'", '%%', 'a%', '" OR 1=1', '*', '(', '[', '|']) {
        const { status, body } = await admin('POST', `/api/v1/search/${path}`, { query });
        expect([path, query, status]).toEqual([path, query, 200]);
        expect([path, query, body.list.length]).toEqual([path, query, 0]);
      }
    }
    const { body } = await admin('POST', '/api/v1/search/users', { query: 'PERSON 05' });
    expect(body.list.map(({ user }: Loose) => user.email)).toEqual(['p05@world.example']);
  });

  it('account search has its own spelling of statuses, and refuses that of reviews', async () => {
    const ask = (status: string): Promise<Answer> =>
      admin('POST', '/api/v1/search/app_users', { appIds: [world.appId], appUserStatuses: [status], pageSize: 100 });
    expect((await ask('STATUS_ENABLED')).body.list.length).toBeGreaterThan(30);
    expect((await ask('STATUS_DISABLED')).body.list).toEqual([]);
    expect((await ask('APP_USER_STATUS_ENABLED')).status).toBe(400);
  });

  it('expands each known path of each message in both spellings, each object once, and nothing that was not asked for', async () => {
    const cases: [string, object, Record<string, string>][] = [
      [
        '/api/v1/search/tasks',
        { accessReviewIds: [world.openId] },
        {
          access_review_id: 'AccessReview',
          user_id: 'User',
          app_id: 'App',
          app_user_id: 'AppUser',
          app_entitlement_ids: 'AppEntitlement',
          step_approver_ids: 'User',
          identity_user_id: 'User',
        },
      ],
      [
        '/api/v1/search/entitlements',
        { appIds: [world.appId] },
        { app_id: 'App', app_resource_type_id: 'AppResourceType', app_resource_id: 'AppResource' },
      ],
      ['/api/v1/search/app_users', { appIds: [world.appId] }, { identity_user_id: 'User', app_id: 'App' }],
      ['/api/v1/search/users', { query: 'Person 05' }, { role_ids: 'Role', manager_ids: 'User' }],
    ];
    for (const [path, fields, known] of cases) {
      expect((await admin('POST', path, fields)).body.expanded).toEqual([]);
      for (const [name, type] of Object.entries(known)) {
        for (const spelling of [name, name.replace(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase())]) {
          const { status, body } = await admin('POST', path, { ...fields, expandMask: { paths: [spelling] } });
          expect([path, spelling, status]).toEqual([path, spelling, 200]);
          expect([path, spelling, body.expanded.length > 0]).toEqual([path, spelling, true]);
          for (const object of body.expanded) {
            expect(object['@type']).toMatch(new RegExp(`^type\\.googleapis\\.com/c1\\.api\\.[a-z]+\\.v1\\.${type}$`));
          }
          const ids = body.expanded.map((object: Loose) => `${object['@type']} ${object.appId ?? ''} ${object.id}`);
          expect(new Set(ids).size).toBe(ids.length);
          const paths = JSON.stringify(body.list).match(/\$\.expanded\[(\d+)\]/g) ?? [];
          expect(paths.length).toBeGreaterThan(0);
          for (const one of paths) {
            expect(Number(/\d+/.exec(one)?.[0])).toBeLessThan(body.expanded.length);
          }
        }
      }
      const all = await admin('POST', path, { ...fields, expand_mask: { paths: ['*'] } });
      expect(all.body.expanded.length).toBeGreaterThan(1);
      expect((await admin('POST', path, { ...fields, expandMask: { paths: ['nothing', ''] } })).body.expanded).toEqual([]);
    }
  });

  it('identifiers are 27 letters and digits, in the order of their making', async () => {
    const ids: string[] = [];
    for (let number = 0; number < 5; number++) {
      ids.push((await admin('POST', '/api/v1/apps', { displayName: `In order ${number}` })).body.app.id);
      await untilLater();
    }
    expect(ids.every((id) => /^[0-9A-Za-z]{27}$/.test(id))).toBe(true);
    expect([...ids].sort()).toEqual(ids);
  });

  it('64-bit numbers are text, times carry a zone, enums are names', async () => {
    const progress = (await admin('GET', `/api/v1/access_review/${world.openId}/progress`)).body.progress;
    expect([typeof progress.done, typeof progress.total]).toEqual(['string', 'string']);
    const { body } = await admin('POST', '/api/v1/search/tasks', { accessReviewIds: [world.openId] });
    const text = JSON.stringify(body);
    for (const [time] of text.matchAll(/"\d{4}-\d\d-\d\dT[^"]*"/g)) {
      expect(time).toMatch(/^"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z"$/);
    }
    expect(body.list[0].task).toMatchObject({ numericId: expect.stringMatching(/^\d+$/), state: expect.stringMatching(/^TASK_STATE_/) });
  });

  it('numericId counts up without a gap of its own through reviews of one tenant', async () => {
    // Samples add tasks that have no number.
    const { rows } = {
      rows: await server
        .system()
        .db.rows<{ n: string }>('SELECT numeric_id AS n FROM tasks WHERE tenant_id = $1 AND numeric_id > 0 ORDER BY numeric_id', [
          server.id,
        ]),
    };
    expect(rows.map(({ n }) => Number(n))).toEqual(rows.map((_row, index) => index + 1));
  });

  it('names in imports that cannot be are 400, naming the parameter', async () => {
    for (const app of ['', ' ', '%00', 'x'.repeat(2_000), '%ED%A0%80']) {
      const answer = await sendFile(server, server.admin, `/api/v1/imports/grants?app=${app}`, worldGrants);
      expect([app, answer.status]).toEqual([app, 400]);
      expect(violatedFields(answer).join()).toMatch(/app|^$/);
    }
    expect((await sendFile(server, server.admin, '/api/v1/imports/grants', worldGrants)).status).toBe(400);
    for (const query of ['source=%00', `source=${'x'.repeat(2_000)}`, 'allow_removals=perhaps', 'source=a&source=b']) {
      expect([query, (await sendFile(server, server.admin, `/api/v1/imports/people?${query}`, worldPeople)).status]).toEqual([query, 400]);
    }
  });

  it('an import touches neither people of other sources nor the administrator who was there first', async () => {
    const other = [
      'email,display_name,manager_email,department,job_title,employment_status',
      'x1@world.example,X,,,,ACTIVE',
      'x2@world.example,X,,,,ACTIVE',
    ];
    const disabled = async (): Promise<Loose[]> =>
      (await admin('POST', '/api/v1/search/users', { pageSize: 100, userStatuses: ['DISABLED'] })).body.list;
    const before = (await disabled()).map(({ user }) => user.id);
    expect((await sendFile(server, server.admin, '/api/v1/imports/people?source=hr', other.join('\n'))).status).toBe(200);
    const fewer = await sendFile(
      server,
      server.admin,
      '/api/v1/imports/people?source=hr&allow_removals=true',
      other.slice(0, 2).join('\n'),
    );
    expect(fewer.body.import).toMatchObject({ removed: '1', source: 'hr' });
    const added = (await disabled()).filter(({ user }) => !before.includes(user.id));
    expect(added.map(({ user }) => user.email)).toEqual(['x2@world.example']);
    expect((await admin('GET', '/api/v1/auth/introspect')).status).toBe(200);
  });

  it('each act of a person is one event that names who, what and from where', async () => {
    const events = async (): Promise<Loose[]> =>
      (await admin('POST', '/api/v1/systemlog/events', { pageSize: 100, sortDirection: 'SORT_DIRECTION_DESC' })).body.list;
    const id = await world.makeDraft();
    const before = (await events()).length;
    await world.call(world.owner, 'POST', `/api/v1/access_review/${id}`, { accessReview: { description: 'One' } });
    const [latest, ...rest] = await events();
    expect(rest.length + 1 === 100 || rest.length === before).toBe(true);
    const text = JSON.stringify(latest);
    for (const part of [world.owner.id, id, '127.0.0.1', 'review.updated']) {
      expect(text).toContain(part);
    }
    await world.call(world.owner, 'POST', `/api/v1/access_review/${id}`, { accessReview: { description: 'One' } });
    await world.call(world.basic, 'POST', `/api/v1/access_review/${id}`, { accessReview: { description: 'Two' } });
    expect(JSON.stringify((await events())[0])).toBe(text);
  });
});
