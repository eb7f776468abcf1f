/** Decisions through what an administrator issued, wherever a later reader meets them: in a queue, beside a later review, and with the person. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Loose, request } from '../support/api.ts';
import { useTestServer, type TestPerson, type TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { adminOf, sendFile } from '../support/world.ts';

const numbers = [0, 1, 2];
const people = [
  'email,display_name,manager_email',
  'boss@corp.test,Boss,',
  'second@corp.test,Second,',
  ...numbers.map((n) => `p${n}@corp.test,Person ${n},boss@corp.test`),
].join('\n');
const grants = ['account,email,resource_type,resource,entitlement', ...numbers.map((n) => `a${n},p${n}@corp.test,role,Ledger,read`)].join(
  '\n',
);

describe('a decision through what was issued', () => {
  let server: TestServer;
  let issued: TestPerson;
  let boss: TestPerson;
  let second: TestPerson;
  let admin: ReturnType<typeof adminOf>;
  let appId: string;
  let issuer: { readonly id: string; readonly name: string };
  let first: Loose;
  const as = async (person: TestPerson, method: string, path: string, body?: unknown): Promise<Loose> => {
    const answer = await request(server, person, method, path, body);
    expect([path, answer.status, answer.status === 200 || answer.body]).toEqual([path, 200, true]);
    return answer.body;
  };
  const becomes = (reviewId: string, state: string): Promise<void> =>
    until(async () => {
      const { accessReview } = (await admin('GET', `/api/v1/access_review/${reviewId}`)).accessReview;
      expect(accessReview.state).toBe(`ACCESS_REVIEW_STATE_${state}`);
    });
  const openReview = async (duplicateFrom = ''): Promise<string> => {
    const { id } = (await admin('POST', '/api/v1/access_review', { displayName: 'Quarterly', duplicateFrom })).accessReview.accessReview;
    await admin('POST', `/api/v1/access_review/${id}`, { accessReview: { singleApp: { appId } } });
    await admin('PUT', `/api/v1/access_review/${id}/scope_lists`, { changesOnly: duplicateFrom !== '' });
    await admin('POST', `/api/v1/access_review/${id}/action/prepare`, {});
    await becomes(id, 'REVIEW');
    await admin('POST', `/api/v1/access_review/${id}/action/start`, {});
    await becomes(id, 'OPEN');
    return id;
  };
  const rowsOf = async (person: TestPerson, reviewId: string): Promise<Record<string, Loose>> => {
    const { rows } = await as(person, 'POST', `/api/v1/access_review/${reviewId}/queue`, {});
    return Object.fromEntries(rows.filter(({ resource }: Loose) => resource === 'Ledger').map((row: Loose) => [row.account, row]));
  };

  beforeAll(async () => {
    server = await useTestServer();
    admin = adminOf(server);
    await sendFile(server, server.admin, '/api/v1/imports/people', people);
    ({ appId } = (await sendFile(server, server.admin, '/api/v1/imports/grants?app=Ledger', grants)).body.import);
    const idOf = async (query: string): Promise<string> => (await admin('POST', '/api/v1/search/users', { query })).list[0].user.id;
    issued = await server.issueClient(await idOf('boss'));
    boss = await server.ownClient(issued.id);
    second = await server.ownClient(await idOf('second'));
    const { user: self } = (await admin('GET', `/api/v1/users/${server.admin.id}`)).userView;
    issuer = { id: self.id, name: self.displayName || self.email };
    const reviewId = await openReview();
    const rows = await rowsOf(issued, reviewId);
    await admin('POST', `/api/v1/tasks/${rows['a0'].taskId}/action/reassign`, { newStepUserIds: [issued.id, second.id], comment: 'Both.' });
    const { changesCursor } = await as(second, 'POST', `/api/v1/access_review/${reviewId}/queue`, {});
    await as(issued, 'POST', `/api/v1/tasks/${rows['a0'].taskId}/action/approve`, { comment: 'Needs it.' });
    await as(issued, 'POST', `/api/v1/tasks/${rows['a1'].taskId}/action/deny`, { comment: 'Left.' });
    await as(boss, 'POST', `/api/v1/tasks/${rows['a2'].taskId}/action/approve`, {});
    first = { reviewId, rows, changesCursor };
  });
  afterAll(() => server.stop());

  it('names the issuer in the queue of who was asked, too, and among its changes', async () => {
    const mine = await rowsOf(second, first.reviewId);
    expect(mine['a0']).toMatchObject({ decidedBy: 'Boss', decidedIssuerId: issuer.id, decidedIssuer: issuer.name });
    const { list } = await as(second, 'GET', `/api/v1/access_review/${first.reviewId}/changes?since=${first.changesCursor}`);
    expect(list).toMatchObject([{ kind: 'REVIEW_CHANGE_KIND_DECIDED', actor: 'Boss', issuerId: issuer.id, issuer: issuer.name }]);
    const { taskView } = await as(second, 'GET', `/api/v1/tasks/${first.rows['a0'].taskId}`);
    expect(taskView.task.data).toMatchObject({ decidedByUserId: issued.id, decidedIssuerId: issuer.id });
    expect((await rowsOf(boss, first.reviewId))['a2']).toMatchObject({ decidedBy: 'Boss', decidedIssuerId: '', decidedIssuer: '' });
  });

  it('names the issuer beside the decisions about a grant, to who reads all tasks', async () => {
    const userId = (await admin('POST', '/api/v1/search/users', { query: 'Person 0' })).list[0].user.id;
    const { list } = await admin('GET', `/api/v1/users/${userId}/grants`);
    const { decisions } = list.find(({ resource }: Loose) => resource === 'Ledger');
    expect(decisions).toMatchObject([{ decidedBy: 'Boss', decidedIssuerId: issuer.id, decidedIssuer: issuer.name }]);
    const own = await as(await server.ownClient(userId), 'GET', `/api/v1/users/${userId}/grants`);
    for (const decision of own.list.flatMap((one: Loose) => one.decisions)) {
      expect(decision).toMatchObject({ decidedBy: '', decidedIssuerId: '', decidedIssuer: '' });
    }
  });

  it('names the issuer to who is asked by a later review, also of what it carries over', async () => {
    await admin('POST', `/api/v1/access_review/${first.reviewId}/action/close`, { decision: 'CLOSE_DECISION_SKIP' });
    await becomes(first.reviewId, 'CLOSED');
    const reviewId = await openReview(first.reviewId);
    const { a1 } = await rowsOf(boss, reviewId);
    const { data } = (await as(boss, 'GET', `/api/v1/tasks/${a1.taskId}`)).taskView.task;
    expect(data).toMatchObject({ lastDecisionBy: 'Boss', lastDecisionIssuerId: issuer.id, lastDecisionIssuer: issuer.name });
    expect(data.lastDecision).toContain(`Denied by Boss (access issued by ${issuer.name}) on `);
    const { list } = await admin('POST', '/api/v1/search/tasks', { accessReviewIds: [reviewId], pageSize: 100 });
    const carried = Object.fromEntries(
      list
        .map(({ task }: Loose) => task.data)
        .filter(({ endReason }: Loose) => endReason === 'CARRIED')
        .map((one: Loose) => [one.account, one]),
    );
    expect(carried['a0']).toMatchObject({ decidedByUserId: issued.id, decidedIssuerId: issuer.id });
    expect([carried['a2'].decidedByUserId, carried['a2'].decidedIssuerId]).toEqual([issued.id, undefined]);
  });
});
