/** Removals that somebody denies, says done and starts anew through what an administrator issued: each step names who issued it, and no later one does. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Loose, request } from '../support/api.ts';
import { useTestServer, type TestPerson, type TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { adminOf, sendFile } from '../support/world.ts';

const people = [
  'email,display_name,manager_email',
  'boss@corp.test,Boss,',
  ...[0, 1].map((n) => `p${n}@corp.test,Person ${n},boss@corp.test`),
].join('\n');
const grants = (accounts: readonly number[]): string =>
  ['account,email,resource_type,resource,entitlement', ...accounts.map((n) => `a${n},p${n}@corp.test,role,Ledger,read`)].join('\n');

describe('a removal through what was issued', () => {
  let server: TestServer;
  let issued: TestPerson;
  let appId: string;
  let issuer: { readonly id: string; readonly name: string };
  let admin: ReturnType<typeof adminOf>;
  const as = async (person: TestPerson, method: string, path: string, body?: unknown): Promise<Loose> => {
    const answer = await request(server, person, method, path, body);
    expect([path, answer.status, answer.status === 200 || answer.body]).toEqual([path, 200, true]);
    return answer.body;
  };
  const send = async (accounts: readonly number[]): Promise<void> => {
    const { status, body } = await sendFile(
      server,
      server.admin,
      '/api/v1/imports/grants?app=Ledger&allow_removals=true',
      grants(accounts),
    );
    expect([status, body]).toMatchObject([200, {}]);
  };
  const becomes = (id: string, state: string): Promise<Loose> =>
    until(async () => {
      const answer = await admin('GET', `/api/v1/revocations/${id}`);
      expect(answer.revocation.state).toBe(`REVOCATION_STATE_${state}`);
      return answer;
    });

  beforeAll(async () => {
    server = await useTestServer();
    admin = adminOf(server);
    await sendFile(server, server.admin, '/api/v1/imports/people', people);
    const { body } = await sendFile(server, server.admin, '/api/v1/imports/grants?app=Ledger', grants([0, 1]));
    ({ appId } = body.import);
    const [{ user }] = (await admin('POST', '/api/v1/search/users', { query: 'boss' })).list;
    issued = await server.issueClient(user.id);
    const { user: self } = (await admin('GET', `/api/v1/users/${server.admin.id}`)).userView;
    issuer = { id: self.id, name: self.displayName || self.email };
    await admin('PUT', `/api/v1/apps/${appId}/owners`, { userIds: [user.id] });
  });
  afterAll(() => server.stop());

  it('names the issuer beside who denied it, who says it is done, and who moved it, in its history, too', async () => {
    const { id: reviewId } = (await admin('POST', '/api/v1/access_review', { displayName: 'Quarterly' })).accessReview.accessReview;
    await admin('POST', `/api/v1/access_review/${reviewId}`, { accessReview: { singleApp: { appId } } });
    for (const [action, state, body] of [
      ['prepare', 'REVIEW', {}],
      ['start', 'OPEN', {}],
    ] as const) {
      await admin('POST', `/api/v1/access_review/${reviewId}/action/${action}`, body);
      await until(async () =>
        expect((await admin('GET', `/api/v1/access_review/${reviewId}`)).accessReview.accessReview.state).toBe(
          `ACCESS_REVIEW_STATE_${state}`,
        ),
      );
    }
    const { rows } = await as(issued, 'POST', `/api/v1/access_review/${reviewId}/queue`, {});
    const { taskId } = rows.find(({ account, resource }: Loose) => account === 'a0' && resource === 'Ledger');
    await as(issued, 'POST', `/api/v1/tasks/${taskId}/action/deny`, { comment: 'Left.' });
    const { task } = (await admin('GET', `/api/v1/tasks/${taskId}`)).taskView;
    expect(task.data).toMatchObject({ decidedByUserId: issued.id, decidedIssuerId: issuer.id });
    const [{ id }] = (await admin('GET', `/api/v1/revocations?access_review_id=${reviewId}`)).list;
    const denied = await becomes(id, 'HELD');
    expect(denied.revocation).toMatchObject({
      reviewerUserId: issued.id,
      reviewerIssuerId: issuer.id,
      reviewerIssuerDisplayName: issuer.name,
      actorUserId: issued.id,
      actorIssuerId: issuer.id,
      actorIssuerDisplayName: issuer.name,
    });
    await admin('POST', `/api/v1/access_review/${reviewId}/action/close`, { decision: 'CLOSE_DECISION_SKIP' });
    const asked = await becomes(id, 'IN_PROGRESS');
    expect(asked.revocation).toMatchObject({ actorUserId: '', actorIssuerId: '', reviewerIssuerId: issuer.id });
    const { revocation: claimed } = await as(issued, 'POST', `/api/v1/revocations/${id}/action/claim`, { comment: 'Ticket 7' });
    expect(claimed).toMatchObject({
      claimedByUserId: issued.id,
      claimedIssuerId: issuer.id,
      claimedIssuerDisplayName: issuer.name,
      actorIssuerId: issuer.id,
    });
    await send([0, 1]);
    const still = await becomes(id, 'STILL_PRESENT');
    expect(still.revocation).toMatchObject({ actorUserId: '', actorIssuerId: '', claimedIssuerId: issuer.id });
    await send([1]);
    await becomes(id, 'VERIFIED');
    await send([0, 1]);
    await becomes(id, 'REAPPEARED');
    await admin('POST', `/api/v1/revocations/${id}/action/retry`, {});
    const { revocation, history } = await becomes(id, 'IN_PROGRESS');
    expect(revocation).toMatchObject({ actorUserId: issuer.id, actorIssuerId: '', claimedByUserId: '', claimedIssuerId: '' });
    expect(
      history.map(({ state, actorUserId, actorIssuerId }: Loose) => [state.replace('REVOCATION_STATE_', ''), actorUserId, actorIssuerId]),
    ).toEqual([
      ['HELD', issued.id, issuer.id],
      ['REQUESTED', '', ''],
      ['IN_PROGRESS', '', ''],
      ['CLAIMED', issued.id, issuer.id],
      ['STILL_PRESENT', '', ''],
      ['VERIFIED', '', ''],
      ['REAPPEARED', '', ''],
      ['IN_PROGRESS', issuer.id, ''],
    ]);
  });

  it('names the issuer beside who asked for it without a review', async () => {
    const { list } = await admin('POST', '/api/v1/search/grants', { appIds: [appId] });
    const grant = list.map((one: Loose) => one.appEntitlementUserBinding).find((one: Loose) => one.appUser.appUser.username === 'a1');
    const { taskView } = await as(issued, 'POST', '/api/v1/task/revoke', {
      appId,
      appEntitlementId: grant.appEntitlementId,
      appUserId: grant.appUserId,
      description: 'Left the team',
    });
    const { revocation, history } = await admin('GET', `/api/v1/revocations/${taskView.task.data.revocationId}`);
    expect(revocation).toMatchObject({ requestedByUserId: issued.id, requestedIssuerId: issuer.id });
    expect(history[0]).toMatchObject({ actorUserId: issued.id, actorIssuerId: issuer.id });
  });
});
