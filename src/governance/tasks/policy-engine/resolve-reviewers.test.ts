/** Reviewers of a step, in order, by policies; and on the real database, who that is for each person reviewed. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openReviewTest, type ReviewTest } from '../../../../test/support/review.ts';
import { inTransaction } from '../../../context.ts';
import { createUser } from '../../../foundation/directory/index.ts';
import { newId } from '../../../wire/ids.ts';
import { listReviewerRules } from './resolve-reviewers.ts';
import { insertAssignment } from './store-assign.ts';
import { insertTaskReview } from '../batches/store-bulk.ts';
import { assignTasksToSteps } from './assign.ts';
import type { Task } from '../task/task.ts';

const policy = (approval: object, annotations: object = {}) => ({ annotations, policySteps: { certify: { steps: [{ approval }] } } });
const reasons = (document: object, appOwnersNext = false) =>
  listReviewerRules(document as never, 0, appOwnersNext).map((rule) => rule.reason);

describe('the order of rules', () => {
  it.each([
    ['a manager', { manager: {} }, ['MANAGER', 'REVIEW_OWNERS', 'ADMINISTRATORS']],
    ['app owners', { appOwners: {} }, ['APP_OWNERS', 'REVIEW_OWNERS', 'ADMINISTRATORS']],
    ['named people', { users: { userIds: ['a'] } }, ['USERS', 'REVIEW_OWNERS', 'ADMINISTRATORS']],
    ['oneself', { self: {} }, ['SELF', 'REVIEW_OWNERS', 'ADMINISTRATORS']],
    [
      'a manager with fallback people',
      { manager: { fallback: true, fallbackUserIds: ['b'] } },
      ['MANAGER', 'FALLBACK_USERS', 'REVIEW_OWNERS', 'ADMINISTRATORS'],
    ],
    ['fallback people that are turned off', { manager: { fallbackUserIds: ['b'] } }, ['MANAGER', 'REVIEW_OWNERS', 'ADMINISTRATORS']],
    [
      'groups before people',
      { group: { fallback: true, isGroupFallbackEnabled: true, fallbackGroupIds: [{ appId: 'a' }], fallbackUserIds: ['b'] } },
      ['GROUP', 'FALLBACK_GROUPS', 'FALLBACK_USERS', 'REVIEW_OWNERS', 'ADMINISTRATORS'],
    ],
    [
      'groups that are turned off',
      { resourceOwners: { fallback: true, fallbackGroupIds: [{ appId: 'a' }] } },
      ['RESOURCE_OWNERS', 'REVIEW_OWNERS', 'ADMINISTRATORS'],
    ],
    ['owners of the entitlement', { entitlementOwners: {} }, ['ENTITLEMENT_OWNERS', 'REVIEW_OWNERS', 'ADMINISTRATORS']],
    ['nothing we know', { webhook: {} }, ['REVIEW_OWNERS', 'ADMINISTRATORS']],
  ])('%s', (_name, approval, expected) => {
    expect(reasons(policy(approval))).toEqual(expected);
  });

  it('puts the owners of the app before those of the review where the policy says so, once', () => {
    expect(reasons(policy({ manager: {} }), true)).toEqual(['MANAGER', 'FALLBACK_APP_OWNERS', 'REVIEW_OWNERS', 'ADMINISTRATORS']);
    expect(reasons(policy({ appOwners: {} }), true)).toEqual(['APP_OWNERS', 'REVIEW_OWNERS', 'ADMINISTRATORS']);
  });

  it('lets nobody review themselves unless the policy says so', () => {
    expect(listReviewerRules(policy({ manager: {} }) as never, 0, false)[0]?.allowSelf).toBe(false);
    expect(listReviewerRules(policy({ manager: { allowSelfApproval: true } }) as never, 0, false)[0]?.allowSelf).toBe(true);
    expect(listReviewerRules(policy({ self: {} }) as never, 0, false)[0]?.allowSelf).toBe(true);
    expect(
      listReviewerRules(policy({ self: {} }) as never, 0, false)
        .slice(1)
        .every((rule) => !rule.allowSelf),
    ).toBe(true);
  });
});

describe('who that is', () => {
  let test: ReviewTest;
  const ids: Record<string, string> = {};
  const reviewId = newId(new Date());
  beforeAll(async () => {
    test = await openReviewTest();
    const system = { ...test.ours.system, now: new Date() };
    for (const name of ['boss', 'gone', 'owner', 'worker', 'orphan', 'left', 'named']) {
      ids[name] = await createUser(system, { email: `${name}@test.example`, displayName: name, roles: [] });
    }
    const set = (name: string, column: string, value: unknown) =>
      system.db.run(`UPDATE users SET ${column} = $3 WHERE tenant_id = $1 AND id = $2`, [system.tenantId, ids[name], value]);
    await set('worker', 'manager_id', ids.boss);
    await set('left', 'manager_id', ids.gone);
    await set('boss', 'manager_id', ids.boss);
    await set('gone', 'status', 'DISABLED');
    await system.db.run('INSERT INTO app_owners (tenant_id, app_id, user_id, created_at) VALUES ($1, $2, $3, $4)', [
      system.tenantId,
      test.appId,
      ids.owner,
      system.now,
    ]);
    await insertTaskReview(system, reviewId, [test.ours.adminId, ids.gone as string]);
  });
  afterAll(() => test.close());

  async function whom(document: object, subject: string | null): Promise<string[]> {
    const task = {
      id: newId(new Date()),
      reviewId,
      appId: test.appId,
      userId: subject === null ? null : ids[subject],
      policyDocument: document,
    };
    const [assignmentId] = await inTransaction(test.admin(), (context) =>
      assignTasksToSteps(context, [{ task: task as unknown as Task, step: 0 }]),
    );
    const row = await test
      .admin()
      .db.maybe<{ userIds: string[] }>('SELECT s.user_ids AS "userIds" FROM task_assignments s WHERE s.tenant_id = $1 AND s.id = $2', [
        test.ours.tenant.id,
        assignmentId,
      ]);
    const nameOf = (id: string) =>
      id === test.ours.adminId ? 'admin' : (Object.entries(ids).find(([, other]) => other === id)?.[0] ?? id);
    return (row?.userIds ?? []).map(nameOf).sort();
  }

  const managerThenOwners = policy({ manager: {} }, { 'countersign/fallback': 'app_owners' });
  const cases: [string, () => object, string | null, string[]][] = [
    ['the manager', () => policy({ manager: {} }), 'worker', ['boss']],
    ['no manager: the owners of the review', () => policy({ manager: {} }), 'orphan', ['admin']],
    ['a disabled manager: the owners of the review', () => policy({ manager: {} }), 'left', ['admin']],
    ['oneself as manager: the owners of the review', () => policy({ manager: {} }), 'boss', ['admin']],
    ['oneself as manager, self-review on', () => policy({ manager: { allowSelfApproval: true } }), 'boss', ['boss']],
    ['no manager: the owners of the app, where the policy says so', () => managerThenOwners, 'orphan', ['owner']],
    ['the only owner of the app is reviewed: the owners of the review', () => managerThenOwners, 'owner', ['admin']],
    ['an account nobody owns', () => managerThenOwners, null, ['owner']],
    ['the owners of the app', () => policy({ appOwners: {} }), 'worker', ['owner']],
    [
      'named people, without the disabled and the one reviewed',
      () => policy({ users: { userIds: [ids.named, ids.gone, ids.worker] } }),
      'worker',
      ['named'],
    ],
    [
      'named people who are all disabled: fallback people',
      () => policy({ manager: { fallback: true, fallbackUserIds: [ids.named] } }),
      'left',
      ['named'],
    ],
    ['oneself', () => policy({ self: {} }), 'worker', ['worker']],
  ];
  it.each(cases)('%s', async (_name, document, subject, expected) => {
    expect(await whom(document(), subject)).toEqual(expected);
  });

  it('says a fallback in an event', async () => {
    await whom(policy({ manager: {} }), 'left');
    const { count } = await test
      .admin()
      .db.one<{ count: number }>(`SELECT count(*) AS count FROM events e WHERE e.tenant_id = $1 AND e.kind = 'task.reviewer_fallback'`, [
        test.ours.tenant.id,
      ]);
    expect(count).toBeGreaterThan(0);
  });

  it('keeps one row for the same people and reason, in any order', async () => {
    const people = [ids.boss as string, ids.owner as string];
    const first = await insertAssignment(test.admin(), reviewId, people, 'REASSIGNED', false);
    expect(await insertAssignment(test.admin(), reviewId, [...people].reverse(), 'REASSIGNED', false)).toBe(first);
    expect(first).toMatch(/^[0-9a-f]{27}$/);
  });
});
