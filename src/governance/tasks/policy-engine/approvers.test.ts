/** All who can be asked, every kind of approver, the levels behind it, and who takes over from somebody who left. */
import { beforeAll, describe, expect, it } from 'vitest';
import { decision, tenant, useTaskPeople } from '../../../../test/support/task-people.ts';
import { addPerson, askUsers, scopeOf } from '../../../../test/support/tasks.ts';
import { inTransaction } from '../../../context.ts';
import { newId } from '../../../wire/ids.ts';
import { ROLES } from '../../../foundation/directory/index.ts';
import { assignTasksToSteps } from './assign.ts';
import { decideTask } from '../decisions/decide.ts';
import { getTask } from '../task/get-task.ts';
import { handOver } from '../steering/hand-over.ts';

const { caller, db, id, makeTask } = useTaskPeople();

describe('approvers', () => {
  const now = new Date('2026-11-02T10:00:00Z');
  beforeAll(async () => {
    await db().run(`INSERT INTO user_roles (tenant_id, user_id, role_id, created_at) VALUES ($1, $2, $3, $4)`, [
      tenant,
      id('super'),
      ROLES.SUPER_ADMINISTRATOR.id,
      now,
    ]);
    await db().run(
      `INSERT INTO apps (tenant_id, id, display_name, name_key, created_at, updated_at) VALUES ($1, 'app', 'App', 'app', $2, $2)`,
      [tenant, now],
    );
    for (const resource of ['res', 'bare']) {
      await db().run(
        `INSERT INTO resources (tenant_id, app_id, id, resource_type_id, external_id, display_name, created_at, updated_at)
         VALUES ($1, 'app', $2, 'type', $2, $2, $3, $3)`,
        [tenant, resource, now],
      );
    }
    await db().run(`INSERT INTO resource_owners (tenant_id, app_id, resource_id, user_id, created_at) VALUES ($1, 'app', 'res', $2, $3)`, [
      tenant,
      id('ben'),
      now,
    ]);
    await db().run('INSERT INTO app_owners (tenant_id, app_id, user_id, created_at) VALUES ($1, $2, $3, $4)', [
      tenant,
      'app',
      id('ann'),
      now,
    ]);
    for (const entitlement of ['owned', 'group', 'crowd']) {
      await db().run(
        `INSERT INTO entitlements (tenant_id, app_id, id, external_id, display_name, created_at, updated_at) VALUES ($1, 'app', $2, $2, $2, $3, $3)`,
        [tenant, entitlement, now],
      );
    }
    for (const owner of ['target', 'subject']) {
      await db().run(
        `INSERT INTO entitlement_owners (tenant_id, app_id, entitlement_id, user_id, created_at) VALUES ($1, 'app', 'owned', $2, $3)`,
        [tenant, id(owner), now],
      );
    }
    await hold('group', [id('ben'), id('ben'), id('disabled')]);
    await hold('crowd', await Promise.all(Array.from({ length: 129 }, () => addPerson(db(), tenant, 'one of many'))));
  });

  /** Gives each of these people an account of their own that holds an entitlement. */
  async function hold(entitlementId: string, userIds: readonly string[]): Promise<void> {
    for (const userId of userIds) {
      const accountId = newId(now);
      await db().run(
        `INSERT INTO accounts (tenant_id, app_id, id, external_id, user_id, created_at, updated_at) VALUES ($1, 'app', $2, $2, $3, $4, $4)`,
        [tenant, accountId, userId, now],
      );
      await db().run(
        `INSERT INTO grants (tenant_id, app_id, entitlement_id, account_id, added_revision, created_at, updated_at) VALUES ($1, 'app', $2, $3, 1, $4, $4)`,
        [tenant, entitlementId, accountId, now],
      );
    }
  }

  const set = (name: string, column: string, value: unknown) =>
    db().run(`UPDATE users SET ${column} = $3 WHERE tenant_id = $1 AND id = $2`, [tenant, id(name), value]);

  /** Finds whom a step asks about a task, and the levels passed. */
  async function whom(approval: object, task: object = {}): Promise<[string[], string[]]> {
    const { taskId } = await makeTask({ steps: [{ approval }], assignees: [], task });
    const row = await getTask(caller('super'), taskId);
    const [assignmentId] = await inTransaction(caller('super'), (context) => assignTasksToSteps(context, [{ task: row, step: 0 }]));
    const sets = await db().rows<{ ids: string[] }>('SELECT user_ids AS ids FROM task_assignments WHERE tenant_id = $1 AND id = $2', [
      tenant,
      assignmentId,
    ]);
    const events = await db().rows<{ passed: string }>(
      `SELECT data ->> 'passed' AS passed FROM events WHERE tenant_id = $1 AND target_id = $2 AND kind = 'task.reviewer_fallback' ORDER BY id`,
      [tenant, taskId],
    );
    const names = ['super', 'owner', 'ann', 'ben', 'subject', 'target', 'stranger', 'decider'];
    return [(sets[0]?.ids ?? []).map((one) => names.find((name) => id(name) === one) ?? one), events.map(({ passed }) => passed)];
  }

  const crowd = { appId: 'app', appGroupId: 'crowd' };
  const cases: [string, () => object, object, string[], string[]][] = [
    ['owners of the entitlement, not the person reviewed', () => ({ entitlementOwners: {} }), { entitlementId: 'owned' }, ['target'], []],
    ['owners of the entitlement, of which it has none', () => ({ entitlementOwners: {} }), {}, ['owner'], ['ENTITLEMENT_OWNERS']],
    ['owners of the resource', () => ({ resourceOwners: {} }), { resourceId: 'res' }, ['ben'], []],
    ['owners of a resource that has none', () => ({ resourceOwners: {} }), { resourceId: 'bare' }, ['owner'], ['RESOURCE_OWNERS']],
    ['holders of a group, once each', () => ({ group: { appId: 'app', appGroupId: 'group' } }), {}, ['ben'], []],
    ['a group of nobody', () => ({ group: { appId: 'app', appGroupId: 'none' } }), {}, ['owner'], ['GROUP']],
    ['a group of 129', () => ({ group: { ...crowd, fallbackUserIds: [id('target')] } }), {}, ['owner'], ['GROUP']],
    [
      'a group of 129 with fallbacks',
      () => ({ group: { ...crowd, fallback: true, fallbackUserIds: [id('target')] } }),
      {},
      ['target'],
      ['GROUP'],
    ],
    [
      'groups to fall back to, before people',
      () => ({
        group: {
          ...crowd,
          fallback: true,
          isGroupFallbackEnabled: true,
          fallbackGroupIds: [{ appId: 'app', appEntitlementId: 'group' }],
          fallbackUserIds: [id('target')],
        },
      }),
      {},
      ['ben'],
      ['GROUP'],
    ],
    [
      'whom the first expression with people finds, though it reads the entitlement and the person together',
      () => ({
        expression: {
          expressions: [
            'subject.profile.none == "x" ? appOwners : appOwners',
            'appOwners.filter(o, o.id == entitlement.id || o.id == subject.id)',
            `[${['target', 'subject'].map((name) => `c1.directory.users.v1.GetByID("${id(name)}")`).join(', ')}]`,
            'appOwners',
          ],
        },
      }),
      {},
      ['target'],
      [],
    ],
    [
      'nobody by expression: those to fall back to',
      () => ({ expression: { expressions: ['c1.directory.users.v1.FindByEmail("no")'], fallback: true, fallbackUserIds: [id('ben')] } }),
      {},
      ['ben'],
      ['EXPRESSION'],
    ],
    ['only the person reviewed', () => ({ users: { userIds: [id('subject')] } }), {}, ['owner'], ['USERS']],
    [
      'the person reviewed where that is allowed',
      () => ({ users: { userIds: [id('subject')], allowSelfApproval: true } }),
      {},
      ['subject'],
      [],
    ],
  ];
  it.each(cases)('%s', async (_name, approval, task, people, passed) => {
    expect(await whom(approval(), task)).toEqual([people, passed]);
  });

  it('passes over a manager who is enabled but no longer employed', async () => {
    await set('subject', 'manager_id', id('ben'));
    expect(await whom({ manager: {} })).toEqual([['ben'], []]);
    await set('ben', 'employment_status', 'TERMINATED');
    const approval = { manager: { fallback: true, fallbackUserIds: [id('ben'), id('stranger')] } };
    expect(await whom(approval)).toEqual([['stranger'], ['MANAGER']]);
    await set('ben', 'employment_status', '');
  });

  it('asks somebody else where different people are wanted: the owners of the review, with an event', async () => {
    const steps = [askUsers([id('ann')]), { approval: { appOwners: { requireDistinctApprovers: true } } }];
    const { taskId } = await makeTask({ steps, assignees: ['ann'] });
    await decideTask(caller('ann'), decision(taskId, 'APPROVE'));
    expect(await getTask(caller('super'), taskId)).toMatchObject({ step: 1, assigneeIds: [id('owner')], isFallback: true });
    expect(
      await db().rows(`SELECT data FROM events WHERE tenant_id = $1 AND target_id = $2 AND kind = 'task.reviewer_fallback'`, [
        tenant,
        taskId,
      ]),
    ).toEqual([{ data: expect.objectContaining({ step: 1, passed: 'APP_OWNERS', reason: 'REVIEW_OWNERS' }) }]);
  });

  it('hands tasks on along the fallbacks of their step, nobody’s own access to themselves', async () => {
    const steps = [{ approval: { manager: { fallback: true, fallbackUserIds: [id('target'), id('stranger')] } } }];
    const { taskId, reviewId } = await makeTask({ steps, assignees: ['decider'], task: { userId: id('target') } });
    const other = await makeTask({ steps, assignees: ['decider'] });
    await set('decider', 'employment_status', 'TERMINATED');
    const system = scopeOf(db(), tenant, '');
    await inTransaction(system, (inside) => handOver(inside, 'CERTIFY', reviewId));
    await inTransaction(system, (inside) => handOver(inside, 'CERTIFY', other.reviewId));
    expect(await getTask(caller('super'), taskId)).toMatchObject({ assigneeIds: [id('stranger')], stepGeneration: 0 });
    expect((await getTask(caller('super'), other.taskId)).assigneeIds.toSorted()).toEqual([id('target'), id('stranger')].toSorted());
    await set('decider', 'employment_status', '');
    expect(await inTransaction(system, (inside) => handOver(inside, 'CERTIFY', reviewId))).toEqual({ handed: 0, stuck: 0 });
  });
});
