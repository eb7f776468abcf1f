/**
 * The life of a review over HTTP: every action and every kind of change in every state that can be reached, as the table of states says.
 * Rules of single states are tested beside them in src/governance/reviews.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Loose, violatedFields } from '../support/api.ts';
import type { TestPerson, TestServer } from '../support/server.ts';
import type { World } from '../support/world.ts';
import { startWorld } from '../support/world-server.ts';
import { sampled } from '../support/runs.ts';

/** 2: 200, x: refused with 400 and the state, in the order prepare, start, close, reset, delete (by an owner), 3: 403. */
const actions = ['prepare', 'start', 'close', 'reset', 'delete'] as const;
const life: Readonly<Record<string, string>> = {
  DRAFT: '2xxx2',
  PREPARING: '2xx2x',
  REVIEW: 'x2x22',
  PENDING: 'x2x22',
  STARTING: 'x2xxx',
  OPEN: 'x22x3',
  CLOSED: 'xx2xx',
};
/** Closing: prepare, start, close, reset, delete. */
const closing = 'xx2x';

/** Kinds of change by an owner: texts and completion date, notifications, start date, scope and policy, scopeType. */
const changes: Readonly<Record<string, object>> = {
  texts: { displayName: 'Other', description: 'Other', reviewInstructions: 'Other', completionDate: '2031-01-01T00:00:00Z' },
  notifications: { notificationConfig: { sendClose: true, sendReminders: true } },
  start: { scheduledStartDate: '2031-01-01T00:00:00Z' },
  scope: { scopeV2: { allUsers: {} } },
  legacy: { inclusionScope: { userIds: ['x'] } },
  setup: { bindings: {} },
  policy: { policyId: 'other' },
  kind: { scopeType: 'ACCESS_REVIEW_SCOPE_TYPE_BY_RESOURCE' },
};
const mayChange: Readonly<Record<string, readonly string[]>> = {
  DRAFT: ['texts', 'notifications', 'start', 'scope', 'legacy', 'setup', 'policy'],
  PREPARING: ['texts', 'notifications', 'start'],
  REVIEW: ['texts', 'notifications', 'start'],
  PENDING: ['texts', 'notifications', 'start'],
  STARTING: ['texts'],
  OPEN: ['texts', 'notifications'],
  CLOSED: [],
};

describe('the life of a review', () => {
  let server: TestServer;
  let world: World;

  const owner = (method: string, path: string, body?: unknown): Promise<Answer> => world.call(world.owner, method, path, body);
  const act = (id: string, action: string, body: object = {}): Promise<Answer> =>
    action === 'delete'
      ? owner('DELETE', `/api/v1/access_review/${id}`, body)
      : owner('POST', `/api/v1/access_review/${id}/action/${action}`, body);
  const read = async (id: string): Promise<Loose> => (await owner('GET', `/api/v1/access_review/${id}`)).body.accessReview.accessReview;
  const stateOf = async (id: string): Promise<string> => (await read(id)).state.replace('ACCESS_REVIEW_STATE_', '');
  /** Brings a new review as far as asked, through the API. */
  const bring = async (state: 'REVIEW' | 'OPEN' | 'CLOSED', change: object = {}): Promise<string> => {
    const id = await world.makeDraft();
    await owner('POST', `/api/v1/access_review/${id}`, { accessReview: change });
    for (const [action, next] of [
      ['prepare', 'REVIEW'],
      ['start', 'OPEN'],
      ['close', 'CLOSED'],
    ] as const) {
      expect((await act(id, action)).status).toBe(200);
      await world.until(id, next);
      if (next === state) {
        break;
      }
    }
    return id;
  };
  const tasksOf = async (id: string, more: object = {}): Promise<Loose[]> =>
    (await world.call(server.admin, 'POST', '/api/v1/search/tasks', { accessReviewIds: [id], pageSize: 100, ...more })).body.list.map(
      ({ task }: Loose) => task,
    );

  beforeAll(async () => {
    const made = await startWorld();
    server = made.server;
    world = made.world;
  });
  afterAll(() => server.stop());

  const cells = Object.entries(life).flatMap(([state, row]) => actions.map((action, index) => [state, action, row[index] ?? ''] as const));
  it.each(sampled(cells, 6))('%s: %s is %s', async (state, action, cell) => {
    const id = await world.makeReviewIn(state);
    const answer = await act(id, action);
    expect(answer.status).toBe(cell === '2' ? 200 : cell === '3' ? 403 : 400);
    if (cell === 'x') {
      expect(answer.body.code).toBe(9);
      expect(answer.body.message).toContain(`ACCESS_REVIEW_STATE_${state}`);
      expect(await stateOf(id)).toBe(state);
    } else if (cell === '2' && action !== 'delete') {
      expect(answer.body).toMatchObject({
        accessReview: { accessReview: { id } },
        progress: { phase: expect.any(String), running: expect.any(Boolean) },
      });
    }
  });

  /** The same of what moves nothing: remind (of a review in which nobody is asked), acknowledge by who is named, selections, duplicate. */
  const others: Readonly<Record<string, string>> = {
    DRAFT: 'xxx2',
    PREPARING: 'xxx2',
    REVIEW: 'xx22',
    PENDING: 'xx22',
    STARTING: 'xx22',
    OPEN: 'x222',
    CLOSED: 'xx22',
  };
  it.each(Object.entries(others))('%s: remind, acknowledge, selections, duplicate are %s', async (state, row) => {
    const id = await world.makeReviewIn(state);
    await server
      .system()
      .db.run('UPDATE reviews SET acknowledgement = $3 WHERE tenant_id = $1 AND id = $2', [
        server.id,
        id,
        JSON.stringify({ required: false, userIds: [world.owner.id] }),
      ]);
    const answers = [
      await act(id, 'remind'),
      await act(id, 'acknowledge'),
      await owner('GET', `/api/v1/access_review/${id}/selections`),
      await world.call(server.admin, 'POST', '/api/v1/access_review', { displayName: 'Copy', duplicateFrom: id }),
    ];
    expect(answers.map(({ status }) => (status === 200 ? '2' : status === 400 ? 'x' : status)).join('')).toBe(row);
    expect(answers.filter(({ status }) => status !== 200).every(({ body }) => body.code === 9)).toBe(true);
  });

  it.each(['DELETING', 'DELETED', 'RESETTING_POLICIES', 'COPYING_SETUP_ENTITLEMENTS', 'COPYING_RESOURCE_TYPE_SELECTIONS', 'PENDING'])(
    'the state %s cannot be asked for',
    async (state) => {
      const id = await world.makeDraft();
      const accessReview = { state: `ACCESS_REVIEW_STATE_${state}` };
      const answer = await owner('POST', `/api/v1/access_review/${id}`, { accessReview, updateMask: 'state' });
      expect([answer.status, answer.body.code, violatedFields(answer)]).toEqual([400, 9, ['accessReview.state']]);
      expect(await stateOf(id)).toBe('DRAFT');
    },
  );

  it('OPEN and closing: %s', async () => {
    for (const [index, action] of actions.slice(0, 4).entries()) {
      const id = await world.makeReviewIn('OPEN');
      await server.system().db.run('UPDATE reviews SET closing = true WHERE tenant_id = $1 AND id = $2', [server.id, id]);
      expect([action, (await act(id, action)).status]).toEqual([action, closing[index] === '2' ? 200 : 400]);
      expect((await owner('POST', `/api/v1/access_review/${id}`, { accessReview: { description: 'x' } })).status).toBe(400);
      expect((await world.call(server.admin, 'DELETE', `/api/v1/access_review/${id}`, { reason: 'x' })).status).toBe(400);
    }
  });

  const changeCells = Object.keys(mayChange).flatMap((state) => Object.keys(changes).map((name) => [state, name] as const));
  const ofScope: readonly string[] = ['scope', 'legacy', 'setup', 'kind'];
  it.each(sampled(changeCells, 6))('%s: changing %s', async (state, name) => {
    const id = await world.makeReviewIn(state);
    const before = await read(id);
    // Owners who may not make reviews only narrow a scope (narrow-scope.test.ts), whatever its state.
    const who = ofScope.includes(name) ? server.admin : world.owner;
    const answer = await world.call(who, 'POST', `/api/v1/access_review/${id}`, { accessReview: changes[name] });
    if (mayChange[state]?.includes(name)) {
      expect(answer.status).toBe(200);
      expect(await read(id)).toMatchObject(changes[name] ?? {});
    } else {
      expect([answer.status, answer.body.code]).toEqual([400, 9]);
      expect(answer.body.message).toMatch(name === 'kind' ? /creation/ : new RegExp(`ACCESS_REVIEW_STATE_${state}`));
      expect(await read(id)).toEqual(before);
    }
    // What is sent as it was is allowed in every state.
    expect((await owner('POST', `/api/v1/access_review/${id}`, { accessReview: await read(id) })).status).toBe(200);
  });

  it('goes from draft to closed, with its times, its evidence, and nothing to change or delete at the end', async () => {
    const id = await world.makeDraft();
    expect(await read(id)).not.toHaveProperty('connectorSourcesFrozenAt');
    const asked = await act(id, 'prepare');
    expect(asked.body.progress.phase).toBe('PREPARE');
    const staged = await world.until(id, 'REVIEW');
    expect(staged).toMatchObject({ expectedTicketCount: 76, connectorSourcesFrozenAt: expect.stringMatching(/Z$/) });
    expect(staged).not.toHaveProperty('startedAt');
    const progress = (await owner('GET', `/api/v1/access_review/${id}/progress`)).body.progress;
    expect(progress).toMatchObject({ phase: 'PREPARE', total: '76', done: '76', error: '', running: false });
    expect(await tasksOf(id)).toEqual([]);
    const selections = (await owner('GET', `/api/v1/access_review/${id}/selections?page_size=100`)).body.list;
    expect(selections).toHaveLength(76);
    expect((await owner('GET', `/api/v1/tasks/${selections[0].selection.taskId}`)).status).toBe(404);
    await act(id, 'start');
    const open = await world.until(id, 'OPEN');
    expect(open).toMatchObject({ startedAt: expect.stringMatching(/Z$/) });
    expect(await tasksOf(id)).toHaveLength(76);
    await act(id, 'close', { decision: 'CLOSE_DECISION_NO_ACTION' });
    const closed = await world.until(id, 'CLOSED');
    expect(closed).toMatchObject({ closedAt: expect.stringMatching(/Z$/) });
    for (const task of await tasksOf(id)) {
      expect([task.state, task.type.certify.outcome]).toEqual(['TASK_STATE_CLOSED', 'CERTIFY_OUTCOME_UNSPECIFIED']);
    }
    expect((await world.call(server.admin, 'DELETE', `/api/v1/access_review/${id}`, { reason: 'x' })).status).toBe(400);
    expect((await owner('PUT', `/api/v1/access_review/${id}/owners`, { userIds: [world.userId] })).status).toBe(400);
  });

  it.each([
    [undefined, undefined, 'CERTIFY_OUTCOME_CANCELLED'],
    ['CLOSE_DECISION_SKIP', 'CLOSE_DECISION_REVOKED', 'CERTIFY_OUTCOME_CANCELLED'],
    ['CLOSE_DECISION_REVOKED', undefined, 'CERTIFY_OUTCOME_DECERTIFIED'],
    [undefined, 'CLOSE_DECISION_REVOKED', 'CERTIFY_OUTCOME_DECERTIFIED'],
    ['CLOSE_DECISION_NO_ACTION', 'CLOSE_DECISION_REVOKED', 'CERTIFY_OUTCOME_UNSPECIFIED'],
  ])('close with %s, autoCloseDecision %s: %s', async (decision, autoCloseDecision, outcome) => {
    const id = await bring('OPEN', autoCloseDecision === undefined ? {} : { autoCloseDecision });
    expect((await act(id, 'close', decision === undefined ? {} : { decision })).status).toBe(200);
    await world.until(id, 'CLOSED');
    expect(new Set((await tasksOf(id)).map((task) => task.type.certify.outcome))).toEqual(new Set([outcome]));
  });

  it('naming state in a mask asks for the transition', async () => {
    const id = await world.makeDraft();
    const ask = (state: string) => owner('POST', `/api/v1/access_review/${id}`, { accessReview: { state }, updateMask: 'state' });
    expect((await ask('ACCESS_REVIEW_STATE_OPEN')).status).toBe(400);
    expect((await ask('ACCESS_REVIEW_STATE_REVIEW')).status).toBe(200);
    await world.until(id, 'REVIEW');
    expect((await ask('ACCESS_REVIEW_STATE_OPEN')).status).toBe(200);
    await world.until(id, 'OPEN');
    expect((await ask('ACCESS_REVIEW_STATE_CLOSED')).status).toBe(200);
    await world.until(id, 'CLOSED');
  });

  it('nothing chosen, zero items, and what excludes each other is refused at preview and prepare, naming both', async () => {
    const refusedBoth = async (accessReview: object): Promise<Answer> => {
      const { body } = await world.call(server.admin, 'POST', '/api/v1/access_review', { displayName: 'x', ownerIds: [world.owner.id] });
      const { id } = body.accessReview.accessReview;
      expect((await world.call(server.admin, 'POST', `/api/v1/access_review/${id}`, { accessReview })).status).toBe(200);
      const preview = await owner('POST', `/api/v1/access_review/${id}/preview`, {});
      const prepare = await act(id, 'prepare');
      expect([accessReview, preview.status, prepare.status]).toEqual([accessReview, 400, 400]);
      expect(await stateOf(id)).toBe('DRAFT');
      return preview;
    };
    await refusedBoth({});
    await refusedBoth({ scopeV2: { allUsers: {}, allAccounts: {}, allGrants: {} } });
    await refusedBoth({ singleApp: { appId: world.otherAppId } });
    const missing = await refusedBoth({ singleApp: { appId: '0'.repeat(27) } });
    expect(violatedFields(missing).join()).toContain('singleApp.appId');
    await refusedBoth({ singleApp: { appId: world.appId }, scopeV2: { selectedUsers: { userIds: [] } } });
    const both = await refusedBoth({
      singleApp: { appId: world.appId },
      scopeV2: { allUsers: {}, selectedUsers: { userIds: [world.userId] } },
    });
    expect(both.body.message).toMatch(/allUsers.*selectedUsers|selectedUsers.*allUsers/);
    await refusedBoth({ singleApp: { appId: world.appId }, policyId: 'nothing' });
    await refusedBoth({ singleApp: { appId: world.appId }, inclusionScope: { noAccountOwners: true, userIds: [world.userId] } });
  });

  it('a review whose signatures nobody could give cannot be started, which a preview says before', async () => {
    const config = { requireSignature: true, stepUpProviderId: 'gone', tspUrl: 'https://tsa.example' };
    const id = await bring('REVIEW', { signatureConfig: config });
    const preview = await owner('POST', `/api/v1/access_review/${id}/preview`, {});
    expect(preview.body.signatureProblems).toEqual([
      'SIGNATURE_PROBLEM_MEANING_MISSING',
      'SIGNATURE_PROBLEM_PROVIDER_UNKNOWN',
      'SIGNATURE_PROBLEM_ROOTS_MISSING',
    ]);
    const answer = await act(id, 'start');
    expect(answer.status).toBe(400);
    expect(answer.body.message).toMatch(/sign/i);
    expect(await stateOf(id)).toBe('REVIEW');
  });

  it('deleting an open review cancels its tasks, and a tombstone says who, when and why', async () => {
    const id = await bring('OPEN');
    const [task] = await tasksOf(id);
    const found = async (who: TestPerson, more: object = {}): Promise<number> =>
      (await world.call(who, 'POST', '/api/v1/search/tasks', { accessReviewIds: [id], ...more })).body.list.length;
    expect(await found(world.assignee)).toBeGreaterThan(0);
    expect((await world.call(server.admin, 'DELETE', `/api/v1/access_review/${id}`, { reason: 'A mistake' })).status).toBe(200);
    expect((await world.call(world.assignee, 'POST', `/api/v1/tasks/${task.id}/action/approve`, {})).status).toBe(404);
    expect((await world.call(server.admin, 'POST', `/api/v1/tasks/${task.id}/action/approve`, {})).status).toBe(400);
    expect((await owner('GET', `/api/v1/access_review/${id}`)).status).toBe(404);
    const { body } = await world.call(world.reader, 'GET', `/api/v1/access_review/${id}/tombstone`);
    expect(body.tombstone).toMatchObject({ reason: 'A mistake', deletedById: server.admin.id });
    // Its tasks are gone for everybody, and shown as history to those who read everything and ask for it.
    for (const who of [server.admin, world.reader, world.assignee, world.owner]) {
      const readsAll = who === server.admin || who === world.reader;
      expect([await found(who), (await found(who, { includeDeleted: true })) > 0]).toEqual([0, readsAll]);
      expect(await found(who, { refs: [{ id: task.id }] })).toBe(0);
      expect(await found(who, { assigneesInIds: [world.assignee.id] })).toBe(0);
      expect((await world.call(who, 'GET', `/api/v1/tasks/${task.id}`)).status).toBe(readsAll ? 200 : 404);
    }
    await expect
      .poll(async () => new Set((await tasksOf(id, { includeDeleted: true })).map((one) => one.type.certify.outcome)), { timeout: 60_000 })
      .toEqual(new Set(['CERTIFY_OUTCOME_CANCELLED']));
    const { body: log } = await world.call(server.admin, 'POST', '/api/v1/systemlog/events', {
      pageSize: 10,
      sortDirection: 'SORT_DIRECTION_DESC',
    });
    expect(JSON.stringify(log.list)).toContain('review.deleted');
  });
});
