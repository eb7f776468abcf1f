/** Reviewers' view of the review itself, over HTTP: what they need to decide, from its start on, and nothing else. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Loose, request } from '../support/api.ts';
import type { TestPerson, TestServer } from '../support/server.ts';
import type { World } from '../support/world.ts';
import { startWorld } from '../support/world-server.ts';

const shown = {
  displayName: 'Quarterly',
  description: 'All of it',
  reviewInstructions: '# Read this first',
  completionDate: '2031-01-01T00:00:00Z',
  signatureConfig: { requireSignature: false, meaningOfSignature: 'I looked', stepUpProviderId: '', tspUrl: '' },
  columnConfig: { columns: ['ACCESS_REVIEW_TASK_COLUMN_ACCOUNT'], orderedColumns: [] },
  defaultView: 'ACCESS_REVIEW_VIEW_TYPE_BY_APP',
  reviewerAttributeConfig: { bindings: [] },
};
/** Fields for owners, not for reviewers. */
const kept = {
  autoCloseCampaign: true,
  autoCloseDecision: 'CLOSE_DECISION_REVOKED',
  autoResolve: true,
  autoGenerateReport: true,
  notificationConfig: { sendKickoff: true, sendReminders: true, sendClose: true },
  usePolicyOverride: true,
};

describe('a review as its reviewers see it', () => {
  let server: TestServer;
  let world: World;
  /** The open review, and one that is only staged. */
  let openId: string;
  let stagedId: string;
  const read = (person: TestPerson, id: string): Promise<Answer> => world.call(person, 'GET', `/api/v1/access_review/${id}`);
  const statusOf = async (person: TestPerson, id: string): Promise<number> => (await read(person, id)).status;
  const admin = async (method: string, path: string, body?: unknown): Promise<Loose> => {
    const answer = await request(server, server.admin, method, path, body);
    expect([method, path, answer.status, answer.body]).toEqual([method, path, 200, expect.anything()]);
    return answer.body;
  };
  const act = (id: string, action: string): Promise<Loose> => admin('POST', `/api/v1/access_review/${id}/action/${action}`, {});
  const tasks = async (person: TestPerson): Promise<Loose> =>
    (await world.call(person, 'POST', '/api/v1/search/tasks', { accessReviewIds: [openId], expandMask: { paths: ['access_review_id'] } }))
      .body;

  beforeAll(async () => {
    const made = await startWorld();
    server = made.server;
    world = made.world;
    openId = await world.makeDraft();
    stagedId = await world.makeDraft();
    await admin('POST', `/api/v1/access_review/${openId}`, { accessReview: { ...shown, ...kept } });
    for (const id of [openId, stagedId]) {
      await act(id, 'prepare');
      await world.until(id, 'REVIEW');
    }
    expect(await statusOf(world.assignee, openId)).toBe(404);
    await act(openId, 'start');
    await world.until(openId, 'OPEN');
  });
  afterAll(() => server.stop());

  it('holds what they need, with the permission to read alone', async () => {
    const { status, body } = await read(world.assignee, openId);
    const whole = (await read(world.owner, openId)).body.accessReview.accessReview;
    expect(whole).toMatchObject({ ...shown, ...kept });
    expect(status).toBe(200);
    expect(body.expanded).toEqual([]);
    const { accessReview: review, ...view } = body.accessReview;
    expect(view).toEqual({
      createdByUserPath: '',
      policyPath: '',
      objectPermissions: { read: true, edit: false, delete: false, extra: {} },
    });
    const seen = { ...shown, id: openId, state: 'ACCESS_REVIEW_STATE_OPEN', startedAt: whole.startedAt };
    expect(review).toMatchObject(seen);
    // What else the contract wants to be there has its default, whatever it is: no word of it is the review's.
    const rest = Object.entries(review).filter(([name]) => !(name in seen));
    for (const [name, value] of rest) {
      expect([name, [false, '', '0', 0].includes(value as never) || /_UNSPECIFIED$/.test(String(value)) || String(value) === '']).toEqual([
        name,
        true,
      ]);
    }
  });

  it('is expanded beside their tasks in the same form, and as a whole for who reads all of it', async () => {
    const { list, expanded } = await tasks(world.assignee);
    expect(list[0].accessReviewPath).toBe('$.expanded[0]');
    const { '@type': type, ...review } = expanded[0];
    expect([expanded.length, type]).toEqual([1, 'type.googleapis.com/c1.api.accessreview.v1.AccessReview']);
    expect(review).toEqual((await read(world.assignee, openId)).body.accessReview.accessReview);
    expect((await tasks(world.owner)).expanded[0]).toMatchObject(kept);
  });

  it('is not there before the start, for people who were never asked, and in their lists', async () => {
    expect(await statusOf(world.assignee, stagedId)).toBe(404);
    expect(await statusOf(world.assignee, world.draftId)).toBe(404);
    for (const person of [world.basic, world.campaigner]) {
      expect(await statusOf(person, openId)).toBe(404);
    }
    const { list } = (await world.call(world.assignee, 'GET', '/api/v1/access_reviews?page_size=100')).body;
    expect(list).toEqual([]);
  });

  it('can be managed by nobody who only decides in it, and neither copied nor counted: 403, as it is seen', async () => {
    const paths: [string, string][] = [
      ['POST', ''],
      ['DELETE', ''],
      ['POST', '/action/close'],
      ['POST', '/preview'],
      ['GET', '/progress'],
      ['GET', '/counts'],
      ['GET', '/selections'],
      ['GET', '/owners'],
      ['GET', '/report'],
      ['GET', '/scope_and_entitlements'],
    ];
    for (const [method, path] of paths) {
      const { status, body } = await world.call(
        world.assignee,
        method,
        `/api/v1/access_review/${openId}${path}`,
        method === 'GET' ? undefined : {},
      );
      expect([method, path, status, body.code]).toEqual([method, path, 403, 7]);
    }
  });

  it('is read by who had a task once, by a delegate while they are one, and after the close', async () => {
    const { list } = await tasks(world.assignee);
    const [first, second] = list.map(({ task }: Loose) => task.id);
    const give = (id: string, to: string) =>
      admin('POST', `/api/v1/tasks/${id}/action/reassign`, { newStepUserIds: [to], comment: 'Yours' });
    await give(first, world.basic.id);
    expect(await statusOf(world.basic, openId)).toBe(200);
    await give(first, world.assignee.id);
    expect(await statusOf(world.basic, openId)).toBe(200);
    const delegate = await server.makePerson('delegate@world.example');
    expect(await statusOf(delegate, openId)).toBe(404);
    const day = 86_400_000;
    await admin('POST', `/api/v1/users/${world.assignee.id}/set-delegation-by-admin`, {
      delegatedUserId: delegate.id,
      delegationStartAt: new Date(Date.now() - day).toISOString(),
      delegationExpireAt: new Date(Date.now() + day).toISOString(),
    });
    // Who somebody stands for is remembered for some seconds.
    await expect.poll(() => statusOf(delegate, openId), { timeout: 60_000 }).toBe(200);
    await admin('POST', `/api/v1/users/${world.assignee.id}/set-delegation-by-admin`, { delegatedUserId: '' });
    await expect.poll(() => statusOf(delegate, openId), { timeout: 60_000 }).toBe(404);
    const decided = await world.call(world.assignee, 'POST', `/api/v1/tasks/${second}/action/approve`, {});
    expect(decided.status).toBe(200);
    await act(openId, 'close');
    await world.until(openId, 'CLOSED');
    const { body } = await read(world.assignee, openId);
    expect(body.accessReview.accessReview).toMatchObject({ state: 'ACCESS_REVIEW_STATE_CLOSED', closedAt: expect.any(String) });
    expect(await statusOf(world.basic, openId)).toBe(200);
  });

  it('is gone once the review is deleted', async () => {
    expect(await statusOf(world.assignee, world.openId)).toBe(200);
    await admin('DELETE', `/api/v1/access_review/${world.openId}`, { reason: 'A mistake' });
    for (const person of [world.assignee, world.owner, world.campaigner, server.admin, world.reader]) {
      expect(await statusOf(person, world.openId)).toBe(404);
    }
    expect((await request(server, server.admin, 'DELETE', `/api/v1/access_review/${world.openId}`, {})).status).toBe(404);
  });
});
