/** Tasks of removals: who is asked, what each answer makes of the removal and its task, and that no review counts them. */
import { expect, it } from 'vitest';
import { june, useRemovals } from '../../../test/support/removals.ts';
import { messageOf, statusOf } from '../../../test/support/task-people.ts';
import { searchTasks } from '../tasks/queue/search.ts';
import { findShownTask } from '../tasks/views/store.ts';
import { decideTask } from '../tasks/decisions/decide.ts';
import { retryRemovalTask } from '../tasks/decisions/removal-steps.ts';
import { getTask } from '../tasks/task/get-task.ts';
import { TaskSearchRequestSchema } from '../../gen/c1/api/task/v1/task_service_pb.js';
import { fromJson, type JsonValue } from '@bufbuild/protobuf';
import type { JsonObject } from '@bufbuild/protobuf';
import { claimRemoval, getRevocation, retryRemoval } from './act.ts';
import { countRemovals } from './count.ts';
import { requestRemoval } from './create.ts';
import { followRemoval } from './follow.ts';
import { handOverJob } from './hand-over.ts';
import { states as allStates } from './record/store-states.ts';
import { describeRemoval, describeResidual } from './record/view.ts';

const removals = useRemovals(['ann', 'bob', 'cyn', 'dan', 'eve']);
const others = ['bob x', 'cyn x', 'dan x', 'eve x'];
const all = ['ann pay', ...others];
const db = () => removals.test.ours.system.db;
const tenant = () => removals.test.ours.tenant.id;

const personOf = async (name: string): Promise<string> =>
  (await db().one<{ id: string }>('SELECT id FROM users WHERE tenant_id = $1 AND email = $2', [tenant(), `${name}@example.com`])).id;

async function own(app: string, name: string): Promise<void> {
  await db().run(
    `INSERT INTO app_owners (tenant_id, app_id, user_id, created_at) SELECT $1, p.id, $3, now() FROM apps p WHERE p.tenant_id = $1 AND p.display_name = $2`,
    [tenant(), app, await personOf(name)],
  );
}

/** Gives an app a revoke policy with these steps. */
async function usePolicy(app: string, steps: JsonObject[], more: JsonObject = {}): Promise<void> {
  const document = { displayName: app, policyType: 'POLICY_TYPE_REVOKE', policySteps: { revoke: { steps } }, ...more };
  await db().run(
    `INSERT INTO policies (tenant_id, id, display_name, policy_type, document, created_at, updated_at)
     VALUES ($1, $2, $2, 'POLICY_TYPE_REVOKE', $3, now(), now())`,
    [tenant(), `policy of ${app}`, JSON.stringify(document)],
  );
  await db().run(
    `UPDATE apps SET document = document || jsonb_build_object('revokePolicyId', $3::text) WHERE tenant_id = $1 AND display_name = $2`,
    [tenant(), app, `policy of ${app}`],
  );
}

const taskOf = async (id: string, context = removals.at(june(28))) =>
  getTask(context, (await getRevocation(removals.at(june(28)), id)).revokeTaskId);
const standing = async (id: string) => {
  const { state, outcome } = await taskOf(id);
  return [(await removals.read(id)).state, state, outcome];
};
const say = async (id: string, decision: 'APPROVE' | 'DENY', who: string, comment = '') =>
  decideTask(
    removals.as(await personOf(who), june(10)),
    { taskId: (await taskOf(id)).id, decision, comment, policyStepId: '' },
    followRemoval,
  );
const search = async (request: JsonValue, context = removals.at(june(28))) =>
  (await searchTasks(context, fromJson(TaskSearchRequestSchema, request), { size: 100, after: undefined })).tasks;

it('asks the owners of the app by the starting policy; who is asked says that it is done, and a sync closes the task', async () => {
  await removals.file('Start', all, june(1));
  await own('Start', 'dan');
  const id = await removals.request('Start', 'ann', 'pay', june(5));
  const dan = removals.as(await personOf('dan'), june(6));
  const task = await taskOf(id, dan);
  expect(task).toMatchObject({ kind: 'REVOKE', state: 'OPEN', assigneeIds: [dan.actor.userId] });
  expect(await findShownTask(dan, task.id)).toMatchObject({ account: { externalId: 'ann' } });
  expect(await standing(id)).toEqual(['IN_PROGRESS', 'OPEN', '']);
  expect((await search({ myWorkUserIds: [dan.actor.userId] }, dan)).map((one) => one.id)).toEqual([task.id]);
  expect(await statusOf(say(id, 'APPROVE', 'eve'))).toBe(404);
  expect(await statusOf(say(id, 'APPROVE', 'ann'))).toBe(404);
  await say(id, 'APPROVE', 'dan', 'Ticket 7');
  expect(await standing(id)).toEqual(['CLAIMED', 'OPEN', '']);
  expect(await messageOf(say(id, 'APPROVE', 'dan'))).toMatch(/^The removal is claimed: /);
  await removals.file('Start', all, june(11));
  await removals.verify(june(11, 13));
  expect(await standing(id)).toEqual(['STILL_PRESENT', 'OPEN', '']);
  await say(id, 'APPROVE', 'dan');
  await removals.file('Start', others, june(12));
  await removals.verify(june(12, 13));
  expect(await standing(id)).toEqual(['VERIFIED', 'CLOSED', 'REVOKED']);
  expect(await statusOf(say(id, 'APPROVE', 'dan'))).toBe(409);
  await removals.file('Start', all, june(20));
  await removals.verify(june(20, 13));
  expect(await standing(id)).toEqual(['REAPPEARED', 'OPEN', '']);
  await retryRemovalTask(removals.at(june(21)), { taskId: task.id, comment: 'Again', policyStepId: '' }, followRemoval);
  expect(await standing(id)).toEqual(['IN_PROGRESS', 'OPEN', '']);
  expect((await taskOf(id)).history.map(({ kind }) => kind)).toEqual(['PROVISIONED', 'PROVISIONED', 'RETRIED']);
});

it('runs approvals first: one allows it, a refusal needs a reason and keeps the access, a failure can be tried again', async () => {
  await removals.file('Approved', all, june(1));
  await own('Approved', 'dan');
  const eve = await personOf('eve');
  await usePolicy('Approved', [{ approval: { users: { userIds: [eve] } } }, { provision: {} }]);
  const refused = await removals.request('Approved', 'ann', 'pay', june(5));
  expect(await standing(refused)).toEqual(['REQUESTED', 'OPEN', '']);
  expect(await statusOf(say(refused, 'DENY', 'eve'))).toBe(400);
  expect(await statusOf(claimRemoval(removals.at(june(6)), refused, ''))).toBe(400);
  await say(refused, 'DENY', 'eve', 'She still needs it');
  expect(await standing(refused)).toEqual(['REFUSED', 'CLOSED', 'DENIED']);
  expect(describeRemoval(await getRevocation(removals.at(june(28)), refused))).toBe('kept by eve: She still needs it');
  const allowed = await removals.request('Approved', 'bob', 'x', june(6));
  await say(allowed, 'APPROVE', 'eve');
  expect(await standing(allowed)).toEqual(['IN_PROGRESS', 'OPEN', '']);
  expect((await taskOf(allowed)).assigneeIds).toEqual([await personOf('dan')]);
  expect(await statusOf(say(allowed, 'DENY', 'dan'))).toBe(400);
  await say(allowed, 'DENY', 'dan', 'The app is down');
  expect(await standing(allowed)).toEqual(['ERROR', 'CLOSED', 'ERROR']);
  expect(describeRemoval(await getRevocation(removals.at(june(28)), allowed))).toBe('failed: The app is down');
  await retryRemoval(removals.at(june(11)), allowed, '');
  expect(await standing(allowed)).toEqual(['IN_PROGRESS', 'OPEN', '']);
  expect((await taskOf(allowed)).assigneeIds).toEqual([await personOf('dan')]);
});

it('several steps are carried out in order, what nobody carries out here is asked of the owners of the app, and a policy may refuse', async () => {
  await removals.file('Steps', all, june(1));
  await own('Steps', 'dan');
  const eve = await personOf('eve');
  const manual = { manual: { assignee: { users: { userIds: [eve] } } } };
  await usePolicy('Steps', [
    {
      provision: { provisionPolicy: { multiStep: { provisionSteps: [manual, { connector: { defaultBehavior: { connectorId: 'c' } } }] } } },
    },
  ]);
  const id = await removals.request('Steps', 'ann', 'pay', june(5));
  expect((await taskOf(id)).assigneeIds).toEqual([eve]);
  await say(id, 'APPROVE', 'eve');
  expect(await standing(id)).toEqual(['IN_PROGRESS', 'OPEN', '']);
  expect((await taskOf(id)).assigneeIds).toEqual([await personOf('dan')]);
  await say(id, 'APPROVE', 'dan');
  expect(await standing(id)).toEqual(['CLAIMED', 'OPEN', '']);
  await removals.file('Refuses', all, june(1));
  await usePolicy('Refuses', [{ reject: { rejectMessage: 'Never removed' } }]);
  const kept = await removals.request('Refuses', 'ann', 'pay', june(5));
  expect(await standing(kept)).toEqual(['REFUSED', 'CLOSED', 'DENIED']);
  expect(describeRemoval(await getRevocation(removals.at(june(28)), kept))).toBe('kept by its policy: Never removed');
});

it('says by which other ways the access is held, and of inherited access what has to be cut', async () => {
  await removals.file('Paths', [...all, 'ann staff'], june(1));
  const { appId, accountId, entitlementId, userId } = await removals.find('Paths', 'ann', 'pay');
  const staff = await removals.find('Paths', 'ann', 'staff');
  await db().run('UPDATE grants SET paths = $4 WHERE tenant_id = $1 AND app_id = $2 AND account_id = $5 AND entitlement_id = $3', [
    tenant(),
    appId,
    entitlementId,
    JSON.stringify([[], [staff.entitlementId]]),
    accountId,
  ]);
  // Another account of hers holds it as well.
  const other = await removals.find('Paths', 'eve', 'x');
  await db().run('UPDATE accounts SET user_id = $4 WHERE tenant_id = $1 AND app_id = $2 AND id = $3', [
    tenant(),
    appId,
    other.accountId,
    userId,
  ]);
  await db().run('UPDATE grants SET entitlement_id = $4 WHERE tenant_id = $1 AND app_id = $2 AND account_id = $3 AND entitlement_id = $5', [
    tenant(),
    appId,
    other.accountId,
    entitlementId,
    other.entitlementId,
  ]);
  const id = await removals.request('Paths', 'ann', 'pay', june(5));
  expect(await countRemovals(removals.at(june(20)), removals.reviewId)).toEqual({
    total: 1,
    held: 0,
    open: 1,
    overdue: 1,
    proven: 0,
    withdrawn: 0,
  });
  const row = await getRevocation(removals.at(june(6)), id);
  expect(describeResidual(row.residual)).toMatch(/^also held by the account eve, through .*staff/i);
  expect((await findShownTask(removals.at(june(28)), row.revokeTaskId))?.revocation?.targets).toEqual([staff.entitlementId]);
});

it('keeps the task of a removal in step with it, state by state', async () => {
  await removals.file('Table', all, june(1));
  const id = await removals.request('Table', 'ann', 'pay', june(5));
  const expected: Record<string, string> = {
    REFUSED: 'DENIED',
    VERIFIED: 'REVOKED',
    ATTESTED: 'REVOKED',
    ERROR: 'ERROR',
    CANCELLED: 'CANCELLED',
  };
  for (const state of allStates) {
    await db().run('UPDATE revocations SET state = $3 WHERE tenant_id = $1 AND id = $2', [tenant(), id, state]);
    const outcome = expected[state];
    expect(await standing(id)).toEqual([state, outcome === undefined ? 'OPEN' : 'CLOSED', outcome ?? '']);
  }
});

it('is asked for by administrators and owners of the app, with everything that is wrong at once', async () => {
  await removals.file('Asked', all, june(1));
  await own('Asked', 'dan');
  const { appId, entitlementId, accountId, userId } = await removals.find('Asked', 'ann', 'pay');
  const ask = (more: object, context = removals.at(june(5))) =>
    requestRemoval(context, { appId, entitlementId, accountId, userId: '', description: 'Left the team', ...more });
  expect(await messageOf(ask({ appId: '', entitlementId: '', accountId: '' }))).toBe(
    'appId: must not be empty; appEntitlementId: must not be empty; appUserId: must name the account that holds the entitlement, or identityUserId the person who owns it',
  );
  expect(await messageOf(ask({ entitlementId: 'none', accountId: 'none', userId: 'none' }))).toBe(
    'appEntitlementId: the app has no such entitlement; appUserId: the app has no such account; identityUserId: there is no such person',
  );
  expect(await statusOf(ask({ appId: 'none' }))).toBe(404);
  expect(await statusOf(ask({}, removals.as(await personOf('eve'), june(5))))).toBe(403);
  const taskId = await ask({ accountId: '', userId: userId ?? '' }, removals.as(await personOf('dan'), june(5)));
  const task = await getTask(removals.at(june(5)), taskId);
  expect(task).toMatchObject({ kind: 'REVOKE', revocation: { state: 'IN_PROGRESS', reviewId: '', requestedById: await personOf('dan') } });
  expect(await statusOf(ask({}))).toBe(409);
  expect(await statusOf(ask({ accountId: (await removals.find('Asked', 'bob', 'x')).accountId }))).toBe(400);
});

it('is asked for by whoever holds the access, of their own alone, and they read its task', async () => {
  await removals.file('Dropped', all, june(1));
  const mine = await removals.find('Dropped', 'ann', 'pay');
  const other = await removals.find('Dropped', 'bob', 'x');
  const ann = removals.as(mine.userId ?? '', june(5));
  const ask = ({ appId, entitlementId }: typeof mine, who: { accountId?: string; userId?: string }) =>
    requestRemoval(ann, { appId, entitlementId, accountId: '', userId: '', description: 'I do not need it.', ...who });
  expect(await statusOf(ask(other, { accountId: other.accountId }))).toBe(403);
  expect(await statusOf(ask(other, { userId: other.userId ?? '' }))).toBe(403);
  // To name oneself beside an account of somebody else asks for theirs.
  expect(await statusOf(ask(other, { accountId: other.accountId, userId: mine.userId ?? '' }))).toBe(403);
  expect(await statusOf(ask(other, { userId: mine.userId ?? '' }))).toBe(400);
  const taskId = await ask(mine, { accountId: mine.accountId });
  expect(await getTask(ann, taskId)).toMatchObject({ kind: 'REVOKE', revocation: { requestedById: mine.userId } });
  expect(await statusOf(getTask(removals.as(other.userId ?? '', june(5)), taskId))).toBe(404);
  expect(await statusOf(ask(mine, { userId: mine.userId ?? '' }))).toBe(409);
  // Who asks for it does not say that it is done.
  expect(await statusOf(decideTask(ann, { taskId, decision: 'APPROVE', comment: '', policyStepId: '' }, followRemoval))).toBe(403);
});

it('is found by its type and outcome, and no number of its review has it', async () => {
  await removals.file('Counted', all, june(1));
  const before = await db().one<{ n: number }>('SELECT count(*) AS n FROM task_progress_changes WHERE tenant_id = $1', [tenant()]);
  const { appId, accountId, entitlementId } = await removals.find('Counted', 'ann', 'pay');
  const taskId = await requestRemoval(removals.at(june(5)), { appId, accountId, entitlementId, userId: '', description: '' });
  await decideTask(removals.at(june(6)), { taskId, decision: 'APPROVE', comment: '', policyStepId: '' }, followRemoval);
  // Neither the task nor what was done to it was reported to what counts reviews.
  expect(await db().one('SELECT count(*) AS n FROM task_progress_changes WHERE tenant_id = $1', [tenant()])).toEqual(before);
  const inApp = (request: object) => search({ applicationIds: [appId], ...request });
  const ids = async (request: object) => (await inApp(request)).map(({ id }) => id);
  expect(await ids({})).toEqual([taskId]);
  expect(await ids({ taskTypes: [{ revoke: {} }] })).toEqual([taskId]);
  expect(await ids({ taskTypes: [{ certify: {} }] })).toEqual([]);
  expect(await ids({ currentStep: 'TASK_SEARCH_CURRENT_STEP_PROVISION' })).toEqual([taskId]);
  expect(await ids({ currentStep: 'TASK_SEARCH_CURRENT_STEP_APPROVAL' })).toEqual([]);
  expect(await ids({ sortBy: 'TASK_SEARCH_SORT_BY_ACCOUNT' })).toEqual([taskId]);
  await removals.file('Counted', others, june(7));
  await removals.verify(june(7, 13));
  expect(await ids({ revokeOutcomes: ['REVOKE_OUTCOME_REVOKED'] })).toEqual([taskId]);
  expect(await ids({ certifyOutcomes: ['CERTIFY_OUTCOME_CERTIFIED'] })).toEqual([]);
});

it('hands the tasks of people who left on: to the others who are asked, else along the fallbacks of the step; removals of others stay', async () => {
  await removals.file('Handed', all, june(1));
  await own('Handed', 'dan');
  const [bob, cyn, eve] = [await personOf('bob'), await personOf('cyn'), await personOf('eve')];
  const asking = (userIds: string[]) => ({ manual: { assignee: { users: { userIds, fallbackUserIds: [eve] } } } });
  await usePolicy('Handed', [{ provision: { provisionPolicy: asking([bob, cyn]) } }]);
  const id = await removals.request('Handed', 'ann', 'pay', june(5));
  const other = await removals.request('Start', 'eve', 'x', june(5));
  expect((await taskOf(id)).assigneeIds.toSorted()).toEqual([bob, cyn].toSorted());
  const before = (await taskOf(other)).assigneeIds;
  const leave = (userId: string) => db().run("UPDATE users SET status = 'DISABLED' WHERE tenant_id = $1 AND id = $2", [tenant(), userId]);
  await leave(bob);
  expect(await removals.run(handOverJob, tenant(), june(6))).toBe(1);
  expect((await taskOf(id)).assigneeIds).toEqual([cyn]);
  await leave(cyn);
  expect(await removals.run(handOverJob, tenant(), june(7))).toBe(1);
  expect((await taskOf(id)).assigneeIds).toEqual([eve]);
  expect(await statusOf(say(id, 'APPROVE', 'cyn'))).toBe(403);
  await say(id, 'APPROVE', 'eve');
  expect(await standing(id)).toEqual(['CLAIMED', 'OPEN', '']);
  expect((await taskOf(other)).assigneeIds).toEqual(before);
  expect(await removals.run(handOverJob, tenant(), june(8))).toBe(0);
  await db().run("UPDATE users SET status = 'ENABLED' WHERE tenant_id = $1 AND id = ANY ($2)", [tenant(), [bob, cyn]]);
});
