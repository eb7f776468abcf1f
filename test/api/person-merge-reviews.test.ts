/** Merging people of whom reviews are open: what one was asked goes to the other, and nobody decides their own access by it. Over HTTP. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Answer, type Loose, request } from '../support/api.ts';
import { type TestPerson, type TestServer, useTestServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { sendFile } from '../support/world.ts';

let server: TestServer;
const people: Record<string, TestPerson> = {};
const idOf = (name: string): string => people[name]?.id ?? '';
const as = (name: string, method: string, path: string, body?: unknown): Promise<Answer> =>
  request(server, people[name] ?? server.admin, method, path, body);
const ok = async (method: string, path: string, body?: unknown): Promise<Loose> => {
  const answer = await request(server, server.admin, method, path, body);
  expect([path, answer.status, answer.status === 200 ? undefined : answer.body]).toEqual([path, 200, undefined]);
  return answer.body;
};
const tasksOf = async (reviewId: string): Promise<Record<string, Loose>> => {
  const { list } = await ok('POST', '/api/v1/search/tasks', { accessReviewIds: [reviewId], pageSize: 100 });
  const nameOf = (id: string): string => Object.keys(people).find((name) => idOf(name) === id) ?? id;
  return Object.fromEntries(list.map(({ task }: Loose) => [nameOf(task.type.certify.identityUserId), task]));
};

/** A review of these people's access that asks these others; returns its id. */
async function open(app: string, subjects: readonly string[], reviewers: readonly string[]): Promise<string> {
  const rows = subjects.map((name) => `${app}-${name},${name}@corp.test,read`);
  const { body } = await sendFile(
    server,
    server.admin,
    `/api/v1/imports/grants?app=${app}`,
    ['account,email,entitlement', ...rows].join('\n'),
  );
  const approval = { users: { userIds: reviewers.map(idOf) } };
  const policySteps = { certify: { steps: [{ approval }] } };
  const { policy } = await ok('POST', '/api/v1/policies', { displayName: app, policyType: 'POLICY_TYPE_CERTIFY', policySteps });
  const made = await ok('POST', '/api/v1/access_review', { displayName: app, ownerIds: [idOf('owner')] });
  const { id } = made.accessReview.accessReview;
  await ok('POST', `/api/v1/access_review/${id}`, { accessReview: { singleApp: { appId: body.import.appId }, policyId: policy.id } });
  for (const [action, state] of [
    ['prepare', 'REVIEW'],
    ['start', 'OPEN'],
  ]) {
    await ok('POST', `/api/v1/access_review/${id}/action/${action}`, {});
    await until(async () => {
      const { accessReview } = (await ok('GET', `/api/v1/access_review/${id}`)).accessReview;
      expect(accessReview.state).toBe(`ACCESS_REVIEW_STATE_${state}`);
    });
  }
  return id;
}

beforeAll(async () => {
  server = await useTestServer();
  for (const name of ['owner', 'from', 'into', 'third', 'subject', 'second']) {
    people[name] = await server.makePerson(`${name}@corp.test`);
  }
});
afterAll(() => server.stop());

it('hands what a person was asked to the one they were merged into, but neither person’s own access', async () => {
  const asked = await open('Ledger', ['subject', 'from', 'into'], ['from']);
  const asksInto = await open('Payroll', ['from', 'subject'], ['into']);
  const owned = await open('Owned', ['subject'], ['third']);
  await ok('PUT', `/api/v1/access_review/${owned}/owners`, { userIds: [idOf('from')] });
  await ok('PUT', `/api/v1/access_review/${owned}/acknowledgement`, { required: true, userIds: [idOf('from'), idOf('third')] });
  const before = await tasksOf(asked);
  // Nobody is asked about themselves to begin with.
  expect(before['subject'].stepApproverIds).toEqual([idOf('from')]);
  expect(before['into'].stepApproverIds).toEqual([idOf('from')]);
  expect(before['from'].stepApproverIds).toEqual([idOf('owner')]);
  expect((await as('from', 'POST', `/api/v1/tasks/${before['subject'].id}/action/comment`, { comment: 'Mine.' })).status).toBe(200);

  const preview = await ok('POST', `/api/v1/users/${idOf('from')}/action/merge`, { intoUserId: idOf('into'), dryRun: true });
  expect(preview.moved).toEqual(expect.arrayContaining([expect.objectContaining({ kind: 'PERSON_PART_KIND_REVIEW_ITEMS', count: 2 })]));
  expect(preview.moved).toEqual(expect.arrayContaining([{ kind: 'PERSON_PART_KIND_REVIEWS', count: 1, names: ['Owned'] }]));
  await ok('POST', `/api/v1/users/${idOf('from')}/action/merge`, { intoUserId: idOf('into') });
  const after = await until(async () => {
    const found = await tasksOf(asked);
    expect(found['subject'].stepApproverIds).toEqual([idOf('into')]);
    expect(found['into'].stepApproverIds).toEqual([idOf('owner')]);
    expect(found['from'].stepApproverIds).toEqual([idOf('owner')]);
    return found;
  });
  expect((await as('into', 'POST', `/api/v1/tasks/${after['subject'].id}/action/approve`, {})).status).toBe(200);

  // The access of whom was merged is their own: asked before, or as a Super Administrator. What was asked before is handed on, and nothing else is.
  const own = await until(async () => {
    const found = await tasksOf(asksInto);
    expect([found['from'].stepApproverIds, found['subject'].stepApproverIds]).toEqual([[idOf('owner')], [idOf('into')]]);
    return found['from'];
  });
  await ok('PUT', `/api/v1/users/${idOf('into')}/roles`, { roleIds: ['000000000SuperAdministrator'] });
  for (const { id } of [own, after['from']]) {
    const refused = await as('into', 'POST', `/api/v1/tasks/${id}/action/approve`, {});
    expect([refused.status, refused.body.message]).toEqual([403, expect.stringContaining('merged into you')]);
  }
  expect((await as('owner', 'POST', `/api/v1/tasks/${own.id}/action/approve`, {})).status).toBe(200);
  expect((await as('owner', 'POST', `/api/v1/tasks/${after['from'].id}/action/approve`, {})).status).toBe(200);

  const { list } = await ok('GET', `/api/v1/access_review/${owned}/owners`);
  expect(list.map((one: Loose) => one.owner.userId)).toEqual([idOf('into')]);
  const { acknowledgement } = await ok('GET', `/api/v1/access_review/${owned}/acknowledgement`);
  expect(acknowledgement.userIds).toEqual([idOf('into'), idOf('third')].sort());
  // A policy that names whom was merged asks the other one.
  const again = await open('Later', ['second'], ['from', 'third']);
  expect((await tasksOf(again))['second'].stepApproverIds.toSorted()).toEqual([idOf('into'), idOf('third')].toSorted());
});
