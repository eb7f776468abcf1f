/**
 * No way around a signature: every way in which an item of a review that asks for signatures ends or changes, each asked for over HTTP. What no person
 * signed says so wherever the item is shown.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contractRoute } from '../../src/http/route-of.ts';
import { type Answer, type Loose, request } from '../support/api.ts';
import { listOperations } from '../support/operations.ts';
import type { TestPerson } from '../support/server.ts';
import { meaning, type SigningTest, startSigning } from '../support/signing.ts';

let test: SigningTest;
let reviewId: string;
/** Ids of the tasks by entitlement, of those of person 0 in resource R00. */
let tasks: Record<string, string>;
/** Tasks of the policy of the tenant. */
let plain: string[];

const as = (person: TestPerson, method: string, path: string, body?: unknown): Promise<Answer> =>
  request(test.server, person, method, path, body);
const taskOf = async (id: string): Promise<Loose> => (await test.admin('GET', `/api/v1/tasks/${id}`)).taskView.task;
const signedOf = async (id: string): Promise<Loose> => (await taskOf(id)).data.signature;
const sign = (id: string): Promise<Answer> => test.send('POST', `/api/v1/signatures/${id}/sign`, {});
/** Submits and signs as the assignee. */
async function submit(decisions: readonly object[], review = reviewId): Promise<Loose> {
  const signed = await sign((await test.prepare(review, decisions)).id);
  expect(signed.body).toMatchObject({ signature: { state: 'SIGNATURE_STATE_SIGNED' } });
  return signed.body;
}
const certify = (taskId: string): object => ({ taskId, decision: 'REVIEW_DECISION_CERTIFY' });

beforeAll(async () => {
  test = await startSigning();
  const { admin, world } = test;
  const makePolicy = async (displayName: string, steps: readonly object[]): Promise<string> => {
    const policySteps = { certify: { steps } };
    return (await admin('POST', '/api/v1/policies', { displayName, policyType: 'POLICY_TYPE_CERTIFY', policySteps })).policy.id;
  };
  const asks = { approval: { users: { userIds: [world.assignee.id] }, allowReassignment: true } };
  const policies: Record<string, string> = {
    e01: await makePolicy('Accepts', [{ accept: { acceptMessage: 'Low risk.' } }]),
    e02: await makePolicy('Rejects', [{ reject: { rejectMessage: 'Never allowed.' } }]),
    e03: await makePolicy('Asks, then accepts', [asks, { accept: {} }]),
    e04: await makePolicy('Asks twice', [asks, asks]),
    e05: await makePolicy('Waits, then accepts', [{ wait: { name: 'An hour', duration: { duration: '3600s' } } }, { accept: {} }]),
  };
  const at = `/api/v1/apps/${world.appId}/entitlements`;
  const { list } = await admin('GET', `${at}/resource_types/${world.resourceTypeId}/resources/${world.resourceId}?page_size=100`);
  const names = new Map<string, string>(
    list.map(({ appEntitlement }: Loose) => [appEntitlement.id, appEntitlement.displayName.split(' ').at(-1)]),
  );
  for (const [id, name] of names) {
    if (policies[name] !== undefined) {
      await admin('POST', `${at}/${id}`, { entitlement: { certifyPolicyId: policies[name] } });
    }
  }
  const signatureConfig = { requireSignature: true, meaningOfSignature: meaning };
  reviewId = await world.openReview({ usePolicyOverride: true, signatureConfig });
  const found = (await admin('POST', '/api/v1/search/tasks', { accessReviewIds: [reviewId], pageSize: 100 })).list;
  tasks = Object.fromEntries(found.map(({ task }: Loose) => [names.get(task.type.certify.appEntitlementId) ?? task.id, task.id]));
  const mine = await test.send('POST', '/api/v1/search/tasks', {
    accessReviewIds: [reviewId],
    taskStates: ['TASK_STATE_OPEN'],
    pageSize: 100,
  });
  plain = mine.body.list
    .map(({ task }: Loose) => task.id)
    .filter((id: string) => !Object.keys(policies).some((name) => tasks[name] === id));
}, 120_000);
afterAll(() => test.stop());

/** What each act on a task comes to where its review asks for signatures; an act that is new fails until it has its line. */
const acts: Readonly<Record<string, { readonly body?: () => object; readonly comes: 'refused' | 'open' | 'ended' | 'waits' }>> = {
  'TaskActionsService.approve': { comes: 'refused' },
  'TaskActionsService.deny': { comes: 'refused' },
  'CertifyTaskService.approveUntil': { comes: 'refused', body: () => ({ certifyUntil: new Date(Date.now() + 10 * 86_400_000) }) },
  // It asks for a step-up, and this review for none.
  'TaskActionsService.approveWithStepUp': { comes: 'refused' },
  'TaskActionsService.escalateToEmergencyAccess': { comes: 'refused' },
  'TaskActionsService.retryProvisioning': { comes: 'refused' },
  'TaskActionsService.updateGrantDuration': { comes: 'refused' },
  'TaskActionsService.updateRequestData': { comes: 'refused' },
  'TaskActionsService.processNow': { comes: 'open' },
  'CertifyTaskService.remind': { comes: 'open' },
  'TaskActionsService.comment': { comes: 'open' },
  'TaskActionsService.reassign': { comes: 'open', body: () => ({ newStepUserIds: [test.server.admin.id] }) },
  'TaskActionsService.restart': { comes: 'open' },
  'TaskActionsService.hardReset': { comes: 'open' },
  'TaskActionsService.close': { comes: 'ended' },
  'TaskActionsService.skipStep': { comes: 'ended' },
};
const operations = (await listOperations()).filter(({ desc }) =>
  /\/tasks\/\{task_id\}\/action\//.test(JSON.stringify(contractRoute(desc))),
);

describe('an act on an item', () => {
  it('is known here', () => {
    expect(operations.map(({ name }) => name).sort()).toEqual(Object.keys(acts).sort());
  });

  it.each(operations.map(({ name, desc }) => [name, contractRoute(desc)] as const))(
    'decides nothing by itself: %s',
    async (name, route) => {
      const { comes, body } = acts[name] ?? { comes: 'refused' };
      const taskId = plain.shift() ?? '';
      const path = route.template.replace('{task_id}', taskId);
      const answers = [
        await test.send('POST', path, { comment: 'Why not.', ...body?.() }),
        await as(test.world.owner, 'POST', path, { comment: 'Why not.', ...body?.() }),
        await as(test.server.admin, 'POST', path, { comment: 'Why not.', ...body?.() }),
      ];
      const task = await taskOf(taskId);
      if (comes === 'ended') {
        expect([task.state, task.data.signature]).toEqual(['TASK_STATE_CLOSED', { state: 'NOT_BY_PERSON' }]);
        expect(task.type.certify.outcome).toBe('CERTIFY_OUTCOME_CANCELLED');
      } else {
        expect([task.state, task.data.signature]).toEqual(['TASK_STATE_OPEN', undefined]);
        expect(answers.some(({ status }) => status === 200)).toBe(comes === 'open');
      }
    },
  );

  it('leads to signing where the review asks for signatures without a step-up', async () => {
    const answer = await test.send('POST', `/api/v1/tasks/${plain[0]}/action/approve-with-step-up`, {});
    expect([answer.status, answer.body.message]).toEqual([400, expect.stringContaining('submit your decisions, then sign them')]);
  });
});

describe('decisions that are sent', () => {
  it('decide nothing before they are signed, whoever sends them and however', async () => {
    const [mine = '', owners = '', admins = '', staged = '', issued = ''] = plain.splice(0, 5);
    const path = `/api/v1/access_review/${reviewId}`;
    const decisions = (id: string) => ({ decisions: [certify(id)] });
    expect((await test.send('POST', `${path}/submissions`, decisions(mine))).body.signature.state).toBe('SIGNATURE_STATE_PREPARED');
    expect((await as(test.world.owner, 'POST', `${path}/submissions`, decisions(owners))).body.signature.userId).toBe(test.world.owner.id);
    expect((await as(test.server.admin, 'POST', `${path}/submissions`, decisions(admins))).body.signature.userId).toBe(
      test.server.admin.id,
    );
    await test.send('PUT', `${path}/pending_decisions`, decisions(staged));
    expect((await test.send('POST', `${path}/submissions`, { all: true })).body.signature.certified).toBe('1');
    const through = await test.server.issueClient(test.world.assignee.id);
    expect((await as(through, 'POST', `${path}/submissions`, decisions(issued))).status).toBe(403);
    for (const id of [mine, owners, admins, staged, issued]) {
      expect((await taskOf(id)).state).toBe('TASK_STATE_OPEN');
    }
  });
});

describe('an item', () => {
  const byNobody = { state: 'NOT_BY_PERSON' };

  it.each(['e01', 'e02'])('that a policy ended by itself is shown as not signed by a person: %s', async (name) => {
    const task = await taskOf(tasks[name] ?? '');
    expect([task.state, task.data.signature]).toEqual(['TASK_STATE_CLOSED', byNobody]);
  });

  it('that somebody signed names the signature, also behind a policy that accepts what they approved', async () => {
    for (const taskId of [plain.shift() ?? '', tasks['e03'] ?? '']) {
      const { signature } = await submit([certify(taskId)]);
      const { id, printedName, signedAt } = signature;
      expect(await signedOf(taskId)).toEqual({ state: 'SIGNED', id, printedName, signedAt: new Date(signedAt).toISOString(), meaning });
    }
  });

  it('is signed once the last of its steps is, and a step that is skipped leaves the signature that counts', async () => {
    const taskId = tasks['e04'] ?? '';
    const { signature } = await submit([certify(taskId)]);
    expect(await signedOf(taskId)).toBeUndefined();
    await as(test.world.owner, 'POST', `/api/v1/tasks/${taskId}/action/skip-step`, { comment: 'One is enough.' });
    expect(await signedOf(taskId)).toMatchObject({ state: 'SIGNED', id: signature.id });
  });

  it('that is amended names the signature of the decision that counts, and one that is started over none', async () => {
    const taskId = plain.shift() ?? '';
    const first = await submit([certify(taskId)]);
    const amended = await submit([{ taskId, decision: 'REVIEW_DECISION_DENY', comment: 'Left.', amend: true }]);
    expect(amended.signature.id).not.toBe(first.signature.id);
    expect(await signedOf(taskId)).toMatchObject({ state: 'SIGNED', id: amended.signature.id });
    await as(test.world.owner, 'POST', `/api/v1/tasks/${taskId}/action/restart`, { comment: 'Again.' });
    expect(await signedOf(taskId)).toBeUndefined();
    const again = await submit([certify(taskId)]);
    expect(await signedOf(taskId)).toMatchObject({ state: 'SIGNED', id: again.signature.id });
  });

  it('that was decided in the database alone is shown as not signed', async () => {
    const taskId = plain.shift() ?? '';
    const { db, tenantId } = test.server.system();
    await db.run(
      `UPDATE tasks SET state = 'CLOSED', outcome = 'CERTIFIED', end_reason = 'DECIDED', decided_by_id = $3, ended_at = now()
       WHERE tenant_id = $1 AND id = $2`,
      [tenantId, taskId, test.world.assignee.id],
    );
    expect(await signedOf(taskId)).toEqual({ state: 'NOT_SIGNED' });
  });

  it('that nobody decided before the close, or that is carried over into the next review, is shown as not signed by a person', async () => {
    const undecided = plain[0] ?? '';
    const path = (id: string): string => `/api/v1/access_review/${id}`;
    await test.admin('POST', `${path(reviewId)}/action/close`, { decision: 'CLOSE_DECISION_REVOKED' });
    await test.world.until(reviewId, 'CLOSED');
    const closed = await taskOf(undecided);
    expect([closed.type.certify.outcome, closed.data.signature]).toEqual(['CERTIFY_OUTCOME_DECERTIFIED', byNobody]);
    const next = (await test.admin('POST', '/api/v1/access_review', { displayName: 'Next', duplicateFrom: reviewId })).accessReview
      .accessReview.id;
    await test.admin('PUT', `${path(next)}/scope_lists`, { changesOnly: true });
    await test.admin('POST', `${path(next)}/action/prepare`, {});
    await test.world.until(next, 'REVIEW');
    await test.admin('POST', `${path(next)}/action/start`, {});
    await test.world.until(next, 'OPEN');
    const { list } = await test.admin('POST', '/api/v1/search/tasks', {
      accessReviewIds: [next],
      taskStates: ['TASK_STATE_CLOSED'],
      pageSize: 100,
    });
    const carried = list.filter(({ task }: Loose) => task.data.endReason === 'CARRIED');
    expect(carried.length).toBeGreaterThan(0);
    expect(carried.map(({ task }: Loose) => task.data.signature)).toEqual(carried.map(() => byNobody));
  });
});
