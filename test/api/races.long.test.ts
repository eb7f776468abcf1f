/**
 * Races over HTTP and with two servers on one database: updates, decisions, moves of a review; and what must act within 5 s in every process:
 * revoked credentials, lost roles, disabled people, other addresses.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Loose, request } from '../support/api.ts';
import { fetchAsHost } from '../support/fetch-as-host.ts';
import { startTestServer, type TestPerson, type TestServer } from '../support/server.ts';
import { sendFile, type World, worldPeople } from '../support/world.ts';
import { startWorld } from '../support/world-server.ts';

const roleIds = { admin: '000000000SuperAdministrator', campaign: '000000CampaignAdministrator' };

describe('at once', () => {
  let server: TestServer;
  let second: TestServer;
  let world: World;
  /** The tenant of `server`, reached through the other process. */
  let elsewhere: TestServer;

  const admin = (method: string, path: string, body?: unknown): Promise<Answer> => request(server, server.admin, method, path, body);
  const statusesOf = (answers: readonly Answer[]): number[] => answers.map(({ status }) => status).sort();

  beforeAll(async () => {
    const made = await startWorld();
    server = made.server;
    second = await startTestServer({ test: server.test });
    elsewhere = { ...server, url: second.url, fetch: (path, init) => fetchAsHost(server.host)(`${second.url}${path}`, init ?? {}) };
    world = made.world;
  });
  afterAll(async () => {
    await second.stop();
    await server.stop();
  });

  /** Picks which server answers this one. */
  const either = (index: number): TestServer => (index % 2 === 0 ? server : elsewhere);

  it('updates of one review through two servers lose no field', async () => {
    const id = await world.makeDraft();
    const changes: Record<string, unknown> = {
      description: 'd',
      reviewInstructions: 'r',
      autoResolve: true,
      autoGenerateReport: true,
      usePolicyOverride: true,
      expectedTicketCount: 5,
      'notificationConfig.sendClose': true,
      'notificationConfig.sendReminders': true,
      'signatureConfig.tspUrl': 'https://t',
      completionDate: '2027-01-01T00:00:00Z',
      'signatureConfig.meaningOfSignature': 'm',
      'scope.appUserTypes': ['APP_USER_TYPE_USER'],
      'scope.appUserStatuses': ['APP_USER_STATUS_ENABLED'],
      'scopeV2.allUsers': {},
      'scopeV2.allGrants': {},
      'inclusionScope.userIds': ['u'],
    };
    const answers = await Promise.all(
      Object.entries(changes).map(([path, value], index) => {
        const [outer = '', inner] = path.split('.');
        const accessReview = { [outer]: inner === undefined ? value : { [inner]: value } };
        return request(either(index), server.admin, 'POST', `/api/v1/access_review/${id}`, { accessReview, updateMask: path });
      }),
    );
    expect(statusesOf(answers)).toEqual(answers.map(() => 200));
    const stored = (await admin('GET', `/api/v1/access_review/${id}`)).body.accessReview.accessReview;
    for (const [path, value] of Object.entries(changes)) {
      expect([path, path.split('.').reduce((at: Loose, name) => at?.[name], stored)]).toEqual([path, value]);
    }
  });

  it('two people who decide one task differently: one wins, the other learns who; in history there is one decision', async () => {
    for (let round = 0; round < 5; round++) {
      const taskId = world.taskIds.pop() ?? '';
      const path = `/api/v1/tasks/${taskId}/action`;
      const answers = await Promise.all([
        request(server, world.assignee, 'POST', `${path}/approve`, {}),
        request(elsewhere, world.owner, 'POST', `${path}/deny`, { comment: 'No' }),
      ]);
      expect(statusesOf(answers)).toEqual([200, 409]);
      expect(answers.find(({ status }) => status === 409)?.body.message).toMatch(/already (certified|denied) by/);
      const { body } = await admin('POST', '/api/v1/task/audits', { taskId, pageSize: 100 });
      expect(body.list.filter((audit: Loose) => audit.certifyOutcome !== undefined)).toHaveLength(1);
    }
  });

  it('one person who clicks five times decides once', async () => {
    const taskId = world.taskIds.pop() ?? '';
    const answers = await Promise.all(
      [0, 1, 2, 3, 4].map((index) =>
        request(either(index), world.assignee, 'POST', `/api/v1/tasks/${taskId}/action/approve`, { comment: 'Fine' }),
      ),
    );
    expect(statusesOf(answers)).toEqual([200, 200, 200, 200, 200]);
    expect(new Set(answers.map(({ body }) => body.ticketActionId)).size).toBe(1);
    const { body } = await admin('POST', '/api/v1/task/audits', { taskId, pageSize: 100 });
    expect(body.list.filter((audit: Loose) => audit.certifyOutcome !== undefined)).toHaveLength(1);
  });

  it('one submission sent twice at once decides each task once', async () => {
    const decisions = [0, 1, 2, 3].map(() => ({ taskId: world.taskIds.pop() ?? '', decision: 'REVIEW_DECISION_CERTIFY' }));
    const path = `/api/v1/access_review/${world.openId}/submissions`;
    const answers = await Promise.all([0, 1, 2].map((index) => request(either(index), world.assignee, 'POST', path, { decisions })));
    expect(statusesOf(answers)).toEqual([200, 200, 200]);
    for (const { body } of answers) {
      expect(body.results.map(({ decided }: Loose) => decided)).toEqual([true, true, true, true]);
    }
    for (const { taskId } of decisions) {
      const { body } = await admin('POST', '/api/v1/task/audits', { taskId, pageSize: 100 });
      expect(body.list.filter((audit: Loose) => audit.certifyOutcome !== undefined)).toHaveLength(1);
    }
  });

  it('prepare, start and close asked for many times at once happen once', async () => {
    const id = await world.makeDraft();
    const many = async (action: string, state: string): Promise<void> => {
      const path = `/api/v1/access_review/${id}/action/${action}`;
      const answers = await Promise.all([0, 1, 2, 3, 4, 5].map((index) => request(either(index), server.admin, 'POST', path, {})));
      // Once the job is done, prepare is refused ("reset first"); nothing else may happen.
      for (const answer of answers) {
        expect([200, 400]).toContain(answer.status);
      }
      expect(answers.some(({ status }) => status === 200)).toBe(true);
      await world.until(id, state);
    };
    await many('prepare', 'REVIEW');
    await many('start', 'OPEN');
    const { body } = await admin('POST', '/api/v1/search/tasks', { accessReviewIds: [id], pageSize: 100 });
    const items = body.list.map(({ task }: Loose) => `${task.type.certify.appUserId} ${task.type.certify.appEntitlementId}`);
    expect(new Set(items).size).toBe(items.length);
    expect(items).toHaveLength(76);
    await many('close', 'CLOSED');
    const events = await server
      .system()
      .db.rows<{ kind: string; count: string }>(
        `SELECT kind, count(*) AS count FROM events WHERE tenant_id = $1 AND target_id = $2 AND kind ~ '^review[.](prepared|started|closed)$' GROUP BY 1 ORDER BY 1`,
        [server.id, id],
      );
    expect(events.map(({ kind, count }) => [kind, Number(count)])).toEqual([
      ['review.closed', 1],
      ['review.prepared', 1],
      ['review.started', 1],
    ]);
  });

  it('a decision and the close: it is either in the evidence or refused', async () => {
    const id = await world.openReview();
    const { body } = await request(server, world.assignee, 'POST', '/api/v1/search/tasks', { accessReviewIds: [id], pageSize: 100 });
    const tasks: string[] = body.list.map(({ task }: Loose) => task.id);
    const answers = await Promise.all([
      ...tasks
        .slice(0, 10)
        .map((task, index) => request(either(index), world.assignee, 'POST', `/api/v1/tasks/${task}/action/approve`, {})),
      admin('POST', `/api/v1/access_review/${id}/action/close`, { decision: 'CLOSE_DECISION_REVOKED' }),
      ...tasks
        .slice(10, 40)
        .map((task, index) => request(either(index), world.assignee, 'POST', `/api/v1/tasks/${task}/action/approve`, {})),
    ]);
    const decided = answers.filter((_answer, index) => index !== 10);
    await world.until(id, 'CLOSED');
    for (const [index, task] of tasks.slice(0, 40).entries()) {
      const status = decided[index]?.status;
      expect([200, 400]).toContain(status);
      const view = (await admin('GET', `/api/v1/tasks/${task}`)).body.taskView.task;
      expect([status, view.type.certify.outcome]).toEqual([
        status,
        status === 200 ? 'CERTIFY_OUTCOME_CERTIFIED' : 'CERTIFY_OUTCOME_DECERTIFIED',
      ]);
    }
  });

  it('apps, people and reviews with one name made at once leave one app, and errors that say why', async () => {
    const answers = await Promise.all(
      [0, 1, 2, 3].map((index) => request(either(index), server.admin, 'POST', '/api/v1/apps', { displayName: 'Same' })),
    );
    expect(statusesOf(answers)).toEqual([200, 409, 409, 409]);
  });

  it('the last Super Administrator stays, however many give the role up at once', async () => {
    const tenant = await server.makeTenant('last.example');
    const others: TestPerson[] = [];
    for (const name of ['a', 'b', 'c']) {
      others.push(await tenant.makePerson(`${name}@last.example`, ['SUPER_ADMINISTRATOR']));
    }
    const all = [tenant.admin, ...others];
    await Promise.all(all.map((person) => person.client.token()));
    const answers = await Promise.all(
      all.map((person) => request(tenant, person, 'PUT', `/api/v1/users/${person.id}/roles`, { roleIds: [] })),
    );
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(3);
    const left = await tenant
      .system()
      .db.rows('SELECT 1 FROM user_roles WHERE tenant_id = $1 AND role_id = $2', [tenant.id, roleIds.admin]);
    expect(left.length).toBeGreaterThanOrEqual(1);
  });

  describe('acts within 5 s in every process', () => {
    const self = '/api/v1/auth/introspect';
    const inBoth = async (person: TestPerson, path: string, status: number): Promise<void> => {
      for (const where of [server, elsewhere]) {
        await expect.poll(async () => (await request(where, person, 'GET', path)).status, { timeout: 60_000, interval: 100 }).toBe(status);
      }
    };

    it('a revoked credential', async () => {
      const { body } = await admin('POST', '/api/v1/iam/personal_clients', { displayName: 'k' });
      const person = { ...server.admin, credential: { clientId: body.client.clientId, clientSecret: body.clientSecret } };
      await inBoth(person, self, 200);
      expect((await request(elsewhere, server.admin, 'DELETE', `/api/v1/iam/personal_clients/${body.client.id}`)).status).toBe(200);
      await inBoth(person, self, 401);
    });

    it('a lost role, and one that was given', async () => {
      const person = await server.makePerson('demoted@world.example', ['READ_ONLY_ADMINISTRATOR']);
      await inBoth(person, '/api/v1/users', 200);
      await admin('PUT', `/api/v1/users/${person.id}/roles`, { roleIds: [] });
      await inBoth(person, '/api/v1/users', 403);
      await inBoth(person, self, 200);
      await request(elsewhere, server.admin, 'PUT', `/api/v1/users/${person.id}/roles`, { role_ids: [roleIds.campaign] });
      await inBoth(person, '/api/v1/users', 200);
    });

    it('addresses it may be used from', async () => {
      const { body } = await admin('POST', '/api/v1/iam/personal_clients', { displayName: 'k', allowSourceCidr: ['127.0.0.0/8'] });
      const person = { ...server.admin, credential: { clientId: body.client.clientId, clientSecret: body.clientSecret } };
      await inBoth(person, self, 200);
      await admin('POST', `/api/v1/iam/personal_clients/${body.client.id}`, { client: { allowSourceCidr: ['203.0.113.0/24'] } });
      await inBoth(person, self, 401);
    });

    it('somebody who is missing from the next file: no token is good, and open tasks go on to others', async () => {
      await inBoth(world.assignee, self, 200);
      const lines = worldPeople.split('\n').filter((line) => !line.startsWith('p01@'));
      const sent = await sendFile(server, server.admin, '/api/v1/imports/people', lines.join('\n'));
      expect(sent.status).toBe(200);
      await inBoth(world.assignee, self, 401);
      const stillAsked = async (): Promise<number> => {
        const { body } = await admin('POST', '/api/v1/search/tasks', {
          accessReviewIds: [world.openId],
          taskStates: ['TASK_STATE_OPEN'],
          assigneesInIds: [world.assignee.id],
        });
        return body.list.length;
      };
      await expect.poll(stillAsked, { timeout: 60_000, interval: 250 }).toBe(0);
      const { body } = await admin('POST', '/api/v1/search/tasks', {
        accessReviewIds: [world.openId],
        taskStates: ['TASK_STATE_OPEN'],
        pageSize: 100,
      });
      expect(body.list.length).toBeGreaterThan(0);
      for (const { task } of body.list) {
        expect(task.stepApproverIds.length).toBeGreaterThan(0);
        expect(task.stepApproverIds).not.toContain(task.type.certify.identityUserId);
      }
    });
  });
});
