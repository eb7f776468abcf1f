/** Owners of accounts, over HTTP and on the command line: manual owners, the order of matching, and what does not fit. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Loose, request, violatedFields } from '../support/api.ts';
import { type CommandResult, environmentFor, runInProcess } from '../support/command-line.ts';
import { type ServedTenant, useTestServer, type TestServer } from '../support/server.ts';
import { sendFile } from '../support/world.ts';

const people = `email,display_name,manager_email,department,job_title,employment_status,username,employee_id
ann@x.example,Ann,,Legal,Clerk,ACTIVE,ann,E-1
bob@x.example,Bob,ann@x.example,Legal,Clerk,ACTIVE,bob,E-2
cat@x.example,Cat,ann@x.example,,,TERMINATED,cat,E-3
twin1@x.example,Twin 1,ann@x.example,,,ACTIVE,twin,T
twin2@x.example,Twin 2,ann@x.example,,,ACTIVE,twin,T
`;
const grants = `account,email,account_type,account_status,resource_type,resource,entitlement,granted_at,last_used_at,username,employee_id
ann,ann@x.example,USER,ENABLED,role,R,read,,,bob,E-2
bob,bob@x.example,USER,ENABLED,role,R,read,,,,
cat,cat@x.example,USER,ENABLED,role,R,read,,,,
cat2,cat@x.example,USER,DISABLED,role,R,read,,,,
twins,,USER,ENABLED,role,R,read,,,,T
robot,,SERVICE_ACCOUNT,ENABLED,role,R,read,,,,
`;

describe('identity over HTTP', () => {
  let server: TestServer;
  let other: ServedTenant;
  let wiki: string;
  let connectorId: string;
  const users: Record<string, string> = {};
  const admin = (method: string, path: string, body?: unknown): Promise<Answer> => request(server, server.admin, method, path, body);
  const accounts = async (): Promise<Record<string, Loose>> => {
    const { list } = (await admin('GET', `/api/v1/apps/${wiki}/app_users?page_size=100`)).body;
    return Object.fromEntries(list.map(({ appUser }: Loose) => [appUser.displayName, appUser]));
  };
  const ownerPath = async (name: string): Promise<string> => `/api/v1/apps/${wiki}/app_users/${(await accounts())[name]?.id}/owner`;
  const ownerOf = async (name: string): Promise<string> => {
    const id = (await accounts())[name]?.identityUserId;
    return Object.entries(users).find(([, one]) => one === id)?.[0] ?? id;
  };
  const list = async (name: string, query = ''): Promise<Loose[]> => {
    const answer = await admin('GET', `/api/v1/identity/${name}?page_size=100${query}`);
    expect([name, answer.status]).toEqual([name, 200]);
    return answer.body.list;
  };
  const upload = async (app: string, file: string): Promise<Loose> => {
    const answer = await sendFile(server, server.admin, `/api/v1/imports/grants?app=${app}&allow_removals=true`, file);
    expect(answer.status).toBe(200);
    return answer.body.import;
  };

  beforeAll(async () => {
    server = await useTestServer();
    other = await server.makeTenant('other');
    expect((await sendFile(server, server.admin, '/api/v1/imports/people', people)).status).toBe(200);
    const done = await upload('Wiki', grants);
    wiki = done.appId;
    connectorId = done.connectorId;
    const found: Loose[] = (await admin('POST', '/api/v1/search/users', { pageSize: 100 })).body.list;
    for (const { user } of found) {
      users[user.email.split('@')[0]] = user.id;
    }
  });
  afterAll(() => server.stop());

  describe('what does not fit', () => {
    it('is listed: leavers with enabled accounts', async () => {
      const found = await list('leavers_with_accounts');
      expect(found).toMatchObject([{ user: { email: 'cat@x.example', employmentStatus: 'TERMINATED' }, accountCount: '1' }]);
      expect(await list('leavers_with_accounts', `&app_id=${wiki}`)).toEqual(found);
    });

    it('is listed: accounts without an owner, and those that match several people', async () => {
      expect((await list('unowned_accounts')).map((one) => one.displayName).sort()).toEqual(['robot', 'twins']);
      const ambiguous = await list('ambiguous_accounts', `&app_id=${wiki}`);
      expect(ambiguous).toMatchObject([{ appUser: { displayName: 'twins', identityUserId: '' }, matchCount: 2 }]);
      expect(ambiguous[0]?.candidates.map((one: Loose) => one.id)).toEqual([users.twin1, users.twin2].sort());
    });

    it('is listed: people without a manager', async () => {
      const emails = (await list('people_without_manager')).map((one) => one.email);
      expect(emails).toEqual(expect.arrayContaining([server.admin.email, 'ann@x.example']));
      expect(emails).not.toContain('bob@x.example');
    });

    it('is of one app where one is named, of this tenant, and for administrators alone', async () => {
      const empty = await upload('Mail', `${grants.split('\n', 1)[0]}\nann,ann@x.example,USER,ENABLED,role,R,read,,,,\n`);
      const basic = await server.makePerson('basic@x.example');
      for (const name of ['leavers_with_accounts', 'unowned_accounts', 'ambiguous_accounts']) {
        expect(await list(name, `&app_id=${empty.appId}`)).toEqual([]);
        expect((await admin('GET', `/api/v1/identity/${name}?app_id=nothing`)).status).toBe(404);
        expect((await request(other, other.admin, 'GET', `/api/v1/identity/${name}?app_id=${wiki}`)).status).toBe(404);
        expect((await request(other, other.admin, 'GET', `/api/v1/identity/${name}`)).body.list).toEqual([]);
        expect((await request(server, basic, 'GET', `/api/v1/identity/${name}`)).status).toBe(403);
      }
    });
  });

  describe('a manual owner', () => {
    it('survives syncs until released, and leaves open tasks as they are', { timeout: 240_000 }, async () => {
      const made = await admin('POST', '/api/v1/access_review', { displayName: 'Review' });
      const { id } = made.body.accessReview.accessReview;
      await admin('POST', `/api/v1/access_review/${id}`, { accessReview: { singleApp: { appId: wiki } } });
      await admin('POST', `/api/v1/access_review/${id}/action/prepare`, {});
      const state = async (): Promise<string> => (await admin('GET', `/api/v1/access_review/${id}`)).body.accessReview.accessReview.state;
      await expect.poll(state, { timeout: 60_000 }).toBe('ACCESS_REVIEW_STATE_REVIEW');
      await admin('POST', `/api/v1/access_review/${id}/action/start`, {});
      await expect.poll(state, { timeout: 60_000 }).toBe('ACCESS_REVIEW_STATE_OPEN');
      const tasks = async (): Promise<unknown[]> => {
        const { body } = await admin('POST', '/api/v1/search/tasks', { accessReviewIds: [id], pageSize: 100 });
        return body.list.map(({ task }: Loose) => [task.id, task.userId, task.state, task.stepApproverIds]).sort();
      };
      const before = await tasks();
      expect(before.length).toBeGreaterThan(3);

      const path = await ownerPath('bob');
      expect((await admin('PUT', path, { userId: users.ann })).body.appUser).toMatchObject({
        displayName: 'bob',
        identityUserId: users.ann,
      });
      await upload('Wiki', grants);
      await upload('Wiki', grants.replace('bob@x.example', 'twin1@x.example'));
      expect(await ownerOf('bob')).toBe('ann');
      expect((await admin('PUT', path, { userId: '' })).body.appUser.identityUserId).toBe('');
      await upload('Wiki', grants);
      expect(await ownerOf('bob')).toBe('');
      expect(await tasks()).toEqual(before);

      expect((await admin('DELETE', path)).body).toMatchObject({ appUser: { identityUserId: users.bob }, matchCount: 1 });
      expect((await admin('DELETE', path, {})).body).toMatchObject({ appUser: { identityUserId: users.bob }, matchCount: 1 });
      expect(await tasks()).toEqual(before);
    });

    it('settles an ambiguous account, and released it is ambiguous again', async () => {
      const path = await ownerPath('twins');
      await admin('PUT', path, { user_id: users.twin2 });
      expect(await list('ambiguous_accounts')).toEqual([]);
      await admin('PUT', path, { userId: '' });
      expect(await list('ambiguous_accounts')).toEqual([]);
      expect((await list('unowned_accounts')).map((one) => one.displayName).sort()).toEqual(['robot', 'twins']);
      expect((await admin('DELETE', path)).body).toMatchObject({ appUser: { identityUserId: '' }, matchCount: 2 });
      expect(await list('ambiguous_accounts')).toHaveLength(1);
    });

    it('is refused where the person, the account or the right is missing', async () => {
      const path = await ownerPath('bob');
      const refused = await admin('PUT', path, { userId: 'nobody' });
      expect([refused.status, violatedFields(refused)]).toEqual([400, ['userId']]);
      for (const wrong of [path.replace(wiki, 'nothing'), path.replace(/app_users\/\w+/, 'app_users/nothing')]) {
        expect((await admin('PUT', wrong, { userId: users.ann })).status).toBe(404);
        expect((await admin('DELETE', wrong)).status).toBe(404);
      }
      expect((await request(other, other.admin, 'PUT', path, { userId: '' })).status).toBe(404);
      const reader = await server.makePerson('reader@x.example', ['READ_ONLY_ADMINISTRATOR']);
      expect((await request(server, reader, 'PUT', path, { userId: '' })).status).toBe(403);
      expect(await ownerOf('bob')).toBe('bob');
    });
  });

  describe('the order of matching', () => {
    const path = (): string => `/api/v1/connectors/${connectorId}/match_order`;

    it('is read, set and applied at once, and is that of the next sync', async () => {
      expect((await admin('GET', path())).body.order).toEqual(['MATCH_RULE_EMAIL', 'MATCH_RULE_EMPLOYEE_ID', 'MATCH_RULE_USERNAME']);
      expect(await ownerOf('ann')).toBe('ann');
      const order = ['MATCH_RULE_EMPLOYEE_ID', 'MATCH_RULE_EMAIL'];
      expect((await admin('PUT', path(), { order })).body).toEqual({ order, changedCount: '1' });
      expect(await ownerOf('ann')).toBe('bob');
      await upload('Wiki', `${grants}new,ann@x.example,USER,ENABLED,role,R,read,,,,E-2\n`);
      expect([await ownerOf('ann'), await ownerOf('new')]).toEqual(['bob', 'bob']);
      expect((await admin('PUT', path(), { order })).body).toEqual({ order, changedCount: '0' });
      expect((await admin('PUT', path(), { order: ['MATCH_RULE_EMAIL'] })).body).toMatchObject({ changedCount: '2' });
      expect(await ownerOf('ann')).toBe('ann');
      expect(await list('ambiguous_accounts')).toEqual([]);
      await admin('PUT', path(), { order: ['MATCH_RULE_EMAIL', 'MATCH_RULE_EMPLOYEE_ID', 'MATCH_RULE_USERNAME'] });
      expect(await list('ambiguous_accounts')).toHaveLength(1);
    });

    it('is refused where it makes no sense', async () => {
      for (const [order, fields] of [
        [[], ['order']],
        [['MATCH_RULE_UNSPECIFIED'], ['order[0]']],
        [['MATCH_RULE_EMAIL', 'MATCH_RULE_EMAIL'], ['order[1]']],
      ] as const) {
        const answer = await admin('PUT', path(), { order });
        expect([answer.status, violatedFields(answer)]).toEqual([400, fields]);
      }
      expect((await admin('PUT', path(), { order: ['BY_GUESS'] })).status).toBe(400);
      expect((await admin('GET', '/api/v1/connectors/nothing/match_order')).status).toBe(404);
      for (const method of ['GET', 'PUT']) {
        expect(
          (await request(other, other.admin, method, path(), method === 'GET' ? undefined : { order: ['MATCH_RULE_EMAIL'] })).status,
        ).toBe(404);
      }
      const sources = await server.test.admin(`SELECT id FROM sources WHERE tenant_id = $1 AND app_id = ''`, [server.id]);
      expect(sources.length).toBeGreaterThan(0);
      // A source of people matches nothing.
      expect((await admin('GET', `/api/v1/connectors/${sources[0]?.id}/match_order`)).status).toBe(404);
    });
  });

  describe('on the command line', () => {
    const run = (...args: string[]): Promise<CommandResult> =>
      runInProcess(args, { env: environmentFor(server.url, server.admin.credential) });
    const lines = async (...args: string[]): Promise<string[]> => {
      const result = await run(...args);
      expect(result).toMatchObject({ code: 0, stderr: '' });
      return result.stdout.trim().split('\n');
    };

    it('what does not fit is shown as text and as JSON', async () => {
      expect(await lines('identity', 'leavers')).toEqual([
        'EMAIL          NAME  STATUS    EMPLOYMENT  ACCOUNTS',
        'cat@x.example  Cat   DISABLED  TERMINATED  1',
      ]);
      expect(await lines('identity', 'unowned', '--app', 'wiki')).toEqual([
        expect.stringMatching(/^APP +ACCOUNT/),
        expect.stringMatching(/^Wiki +(?:robot|twins)/),
        expect.stringMatching(/^Wiki +(?:robot|twins)/),
      ]);
      expect((await lines('identity', 'ambiguous'))[1]).toMatch(/^Wiki +twins +2 +twin\d@x\.example, twin\d@x\.example$/);
      expect((await lines('identity', 'no-manager')).join('\n')).toContain('ann@x.example');
      expect(await lines('identity', 'ambiguous', '--app', 'Mail')).toEqual(['None.']);
      const json = JSON.parse((await lines('identity', 'leavers', '--json')).join('\n'));
      expect(json).toMatchObject([{ user: { email: 'cat@x.example' }, accountCount: '1' }]);
    });

    it('an account is given to somebody, to nobody, and back', async () => {
      const account = ['--app', 'Wiki', '--account', 'twins'];
      expect(await lines('account', 'assign', ...account, '--to', 'twin1@x.example')).toEqual([
        'twins is owned by twin1@x.example from now on.',
      ]);
      expect(await ownerOf('twins')).toBe('twin1');
      expect(await lines('account', 'assign', ...account, '--to', '')).toEqual(['twins is unowned from now on.']);
      const { id } = (await accounts()).bob ?? {};
      expect(await lines('account', 'release', '--app', wiki, '--account', id)).toEqual(['bob is owned by bob@x.example.']);
      const released = await run('account', 'release', ...account, '--json');
      expect(JSON.parse(released.stdout)).toMatchObject({ appUser: { username: 'twins', identityUserId: '' }, matchCount: 2 });
    });

    it('what is not there is said', async () => {
      expect(await run('account', 'assign', '--app', 'Wiki', '--account', 'ghost', '--to', 'ann@x.example')).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('no account "ghost"'),
      });
      // Two accounts have the address: which one is meant?
      expect(await run('account', 'release', '--app', 'Wiki', '--account', 'cat@x.example')).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/several accounts.*cat/),
      });
      expect(await run('account', 'assign', '--app', 'Wiki', '--account', 'bob')).toMatchObject({ code: 2 });
      expect(await run('identity', 'unowned', '--app', 'Nothing')).toMatchObject({ code: 1 });
    });
  });
});
