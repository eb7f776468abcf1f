/**
 * Items about a merged person that the other one is asked, or would be asked later: it is their own access by then, so that the policy finds somebody
 * else by itself. Over HTTP.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Answer, type Loose, request } from '../support/api.ts';
import { type TestPerson, type TestServer, useTestServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { sendFile } from '../support/world.ts';

let server: TestServer;
const ok = async (method: string, path: string, body?: unknown): Promise<Loose> => {
  const answer = await request(server, server.admin, method, path, body);
  expect([path, answer.status, answer.status === 200 ? undefined : answer.body]).toEqual([path, 200, undefined]);
  return answer.body;
};
type People = Readonly<Record<'owner' | 'from' | 'into' | 'third' | 'second', TestPerson>>;
async function makePeople(app: string): Promise<People> {
  const made = ['owner', 'from', 'into', 'third', 'second'].map(
    async (name) => [name, await server.makePerson(`${name}@${app}.test`)] as const,
  );
  return Object.fromEntries(await Promise.all(made)) as People;
}
const merge = ({ from, into }: People): Promise<Loose> => ok('POST', `/api/v1/users/${from.id}/action/merge`, { intoUserId: into.id });
const approve = (person: TestPerson, taskId: string): Promise<Answer> =>
  request(server, person, 'POST', `/api/v1/tasks/${taskId}/action/approve`, {});

/** A review of the access of one of these people by a policy with these steps, in this state; returns its id. */
async function open(app: string, people: People, steps: readonly object[], until_: 'REVIEW' | 'OPEN' = 'OPEN'): Promise<string> {
  const file = `account,email,entitlement\n${app}-from,${people.from.email},read`;
  const { body } = await sendFile(server, server.admin, `/api/v1/imports/grants?app=${app}`, file);
  const policySteps = { certify: { steps: steps.map((approval) => ({ approval })) } };
  const { policy } = await ok('POST', '/api/v1/policies', { displayName: app, policyType: 'POLICY_TYPE_CERTIFY', policySteps });
  const made = await ok('POST', '/api/v1/access_review', { displayName: app, ownerIds: [people.owner.id] });
  const { id } = made.accessReview.accessReview;
  await ok('POST', `/api/v1/access_review/${id}`, { accessReview: { singleApp: { appId: body.import.appId }, policyId: policy.id } });
  await move(id, 'prepare', 'REVIEW');
  if (until_ === 'OPEN') {
    await move(id, 'start', 'OPEN');
  }
  return id;
}
async function move(id: string, action: string, state: string): Promise<void> {
  await ok('POST', `/api/v1/access_review/${id}/action/${action}`, {});
  await until(async () => {
    expect((await ok('GET', `/api/v1/access_review/${id}`)).accessReview.accessReview.state).toBe(`ACCESS_REVIEW_STATE_${state}`);
  });
}
const asks = (...people: readonly TestPerson[]): object => ({ users: { userIds: people.map(({ id }) => id) } });
async function taskOf(reviewId: string): Promise<Loose> {
  const { list } = await ok('POST', '/api/v1/search/tasks', { accessReviewIds: [reviewId], pageSize: 10 });
  expect(list).toHaveLength(1);
  return list[0].task;
}
const untilAsked = (reviewId: string, ...people: readonly TestPerson[]): Promise<Loose> =>
  until(async () => {
    const task = await taskOf(reviewId);
    expect(task.stepApproverIds).toEqual(people.map(({ id }) => id).sort());
    return task;
  });
const handedOver = (reviewId: string): Promise<Loose[]> =>
  server.test.admin(
    `SELECT data FROM events WHERE tenant_id = $1 AND kind = 'review.reviewer_handed_over' AND target_id = $2 ORDER BY id`,
    [server.id, reviewId],
  );

beforeAll(async () => {
  server = await useTestServer();
});
afterAll(() => server.stop());

it('goes to the others who are asked, with an event and a word in the history', async () => {
  const people = await makePeople('several');
  const id = await open('several', people, [asks(people.into, people.third)]);
  await untilAsked(id, people.into, people.third);
  await merge(people);
  const task = await untilAsked(id, people.third);
  const events = await handedOver(id);
  expect(events.map(({ data }) => data)).toMatchObject([{ disabledIds: [people.into.id], isOwn: true, tasks: 1, nobodyLeft: false }]);
  const { list } = await ok('POST', '/api/v1/task/audits', { taskId: task.id, pageSize: 100 });
  expect(JSON.stringify(list)).toContain('who cannot review their own access');
  expect((await approve(people.third, task.id)).status).toBe(200);
});

it('goes to the fallback that the policy names, else to the owners of the review', async () => {
  const people = await makePeople('named');
  const file = `email,display_name,manager_email\n${people.from.email},from,${people.into.email}`;
  expect((await sendFile(server, server.admin, '/api/v1/imports/people?source=named', file)).status).toBe(200);
  const named = await open('named', people, [{ manager: { fallback: true, fallbackUserIds: [people.second.id] } }]);
  await untilAsked(named, people.into);
  await merge(people);
  await untilAsked(named, people.second);
});

it('is not asked of them by a later step, nor can anybody hand it to them', async () => {
  const people = await makePeople('later');
  const id = await open('later', people, [asks(people.third), asks(people.into)]);
  const first = await untilAsked(id, people.third);
  await merge(people);
  const colleagues = await ok('POST', `/api/v1/tasks/${first.id}/reassignees`, { query: 'later.test' });
  expect(colleagues.list.map((one: Loose) => one.userId)).not.toContain(people.into.id);
  const refused = await request(server, server.admin, 'POST', `/api/v1/tasks/${first.id}/action/reassign`, {
    newStepUserIds: [people.into.id],
    comment: 'You?',
  });
  expect([refused.status, JSON.stringify(refused.body)]).toEqual([400, expect.stringContaining('cannot review their own access')]);
  expect((await approve(people.third, first.id)).status).toBe(200);
  const second = await untilAsked(id, people.owner);
  expect((await approve(people.owner, second.id)).status).toBe(200);
});

it('is not asked of them by a step that wants others than those who approved, where the merged person did', async () => {
  const people = await makePeople('distinct');
  const file = `account,email,entitlement\ndistinct-x,${people.owner.email},read`;
  const { body } = await sendFile(server, server.admin, '/api/v1/imports/grants?app=distinct', file);
  const last = { users: { userIds: [people.into.id, people.second.id], requireDistinctApprovers: true } };
  const policySteps = { certify: { steps: [asks(people.from), asks(people.third), last].map((approval) => ({ approval })) } };
  const { policy } = await ok('POST', '/api/v1/policies', { displayName: 'distinct', policyType: 'POLICY_TYPE_CERTIFY', policySteps });
  const made = await ok('POST', '/api/v1/access_review', { displayName: 'distinct' });
  const { id } = made.accessReview.accessReview;
  await ok('POST', `/api/v1/access_review/${id}`, { accessReview: { singleApp: { appId: body.import.appId }, policyId: policy.id } });
  await move(id, 'prepare', 'REVIEW');
  await move(id, 'start', 'OPEN');
  const first = await untilAsked(id, people.from);
  expect((await approve(people.from, first.id)).status).toBe(200);
  const second = await untilAsked(id, people.third);
  await merge(people);
  expect((await approve(people.third, second.id)).status).toBe(200);
  await untilAsked(id, people.second);
});

it('is handed on as the review starts, where it was staged before', async () => {
  const people = await makePeople('staged');
  const id = await open('staged', people, [asks(people.into)], 'REVIEW');
  await merge(people);
  await move(id, 'start', 'OPEN');
  await untilAsked(id, people.owner);
});
