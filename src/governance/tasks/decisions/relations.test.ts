/** Relation of a decider to the person and the access: noted on each decision, refused where the review blocks it, and counted. */
import { describe, expect, it } from 'vitest';
import { decision, messageOf, statusOf, submit, tenant, useTaskPeople } from '../../../../test/support/task-people.ts';
import { addAssignment, addTask, askUsers, scopeOf } from '../../../../test/support/tasks.ts';
import type { Context } from '../../../context.ts';
import { decideTask } from './decide.ts';
import { countRelations, listRelatedDecisions, type Relation } from '../task/store-relations.ts';

const { caller, db, id, makeTask } = useTaskPeople();
const run = async (statement: string, values: readonly unknown[]): Promise<void> => {
  await db().run(statement, [tenant, ...values] as never);
};
const at = new Date('2026-01-01T00:00:00Z');

async function block(reviewId: string, ...blocked: Relation[]): Promise<void> {
  await run(`UPDATE reviews SET independence = $3 WHERE tenant_id = $1 AND id = $2`, [reviewId, JSON.stringify({ blocked })]);
}

async function addAccount(appId: string, accountId: string, userId: string): Promise<void> {
  await run(
    `INSERT INTO accounts (tenant_id, app_id, id, external_id, user_id, created_at, updated_at) VALUES ($1, $2, $3, $3, $4, $5, $5)`,
    [appId, accountId, userId, at],
  );
}

/** Setups that put ann in a relation to the task, by its name; each in an app of its own. */
const setups: Readonly<
  Record<
    Exclude<Relation, 'ISSUED_CREDENTIAL' | 'SELF'>,
    (task: { appId: string; reviewId: string; accountId: string; entitlementId: string }) => Promise<void>
  >
> = {
  MANAGER: () => run('UPDATE users SET manager_id = $2 WHERE tenant_id = $1 AND id = $3', [id('ann'), id('subject')]),
  REPORT: () => run('UPDATE users SET manager_id = $2 WHERE tenant_id = $1 AND id = $3', [id('subject'), id('ann')]),
  GRANTER: async ({ appId, accountId }) => {
    await run(
      `INSERT INTO inventory_revisions (tenant_id, revision, app_id, cause, actor_id, made_at) VALUES ($1, 77, $2, 'MANUAL', $3, $4)`,
      [appId, id('ann'), at],
    );
    await run(`UPDATE grants SET added_revision = 77 WHERE tenant_id = $1 AND app_id = $2 AND account_id = $3`, [appId, accountId]);
  },
  APP_OWNER: ({ appId }) =>
    run(`INSERT INTO app_owners (tenant_id, app_id, user_id, created_at) VALUES ($1, $2, $3, $4)`, [appId, id('ann'), at]),
  APP_ADMINISTRATOR: async ({ appId }) => {
    await addAccount(appId, `admin-${appId}`, id('ann'));
    await run(
      `INSERT INTO classification_values (tenant_id, id, attribute_type_id, value, value_key, created_at, updated_at)
       VALUES ($1, 'critical', 'risk', 'Critical', 'critical', $2, $2)`,
      [at],
    );
    await run(
      `INSERT INTO entitlements (tenant_id, app_id, id, external_id, display_name, slug, risk_level_value_id, created_at, updated_at)
       VALUES ($1, $2, 'root', 'root', 'root', 'root', 'critical', $3, $3)`,
      [appId, at],
    );
    await run(
      `INSERT INTO grants (tenant_id, app_id, entitlement_id, account_id, added_revision, created_at, updated_at) VALUES ($1, $2, 'root', $3, 1, $4, $4)`,
      [appId, `admin-${appId}`, at],
    );
  },
  RECIPROCAL: async ({ appId, reviewId }) => {
    await addAccount(appId, `of-ann-${appId}`, id('ann'));
    const assignmentId = await addAssignment(db(), tenant, reviewId, [id('subject')]);
    const taskId = await addTask(db(), tenant, { reviewId, assignmentId, appId, accountId: `of-ann-${appId}`, userId: id('ann') });
    await decideTask(caller('subject'), decision(taskId, 'DENY'));
  },
};

const noted = async (reviewId: string, context: Context = caller('super')) =>
  (await listRelatedDecisions(context, reviewId, [], '', 10)).filter((one) => one.userId === id('ann'));

describe('the relation of a reviewer', () => {
  it.each(Object.entries(setups))('%s is noted, found by its name, counted, and refused where it is blocked', async (name, setup) => {
    const relation = name as Relation;
    const task = { appId: `app-${name}`, accountId: `account-${name}`, entitlementId: `right-${name}` };
    const { reviewId, taskId } = await makeTask({ task });
    const context = caller('ann');
    // Nothing before: the relation is what the setup makes.
    await setup({ ...task, reviewId });
    await block(reviewId, relation);
    expect(await statusOf(decideTask(context, decision(taskId, 'APPROVE')))).toBe(403);
    expect(await messageOf(decideTask(context, decision(taskId, 'DENY')))).toMatch(
      /keeps you from deciding here: .*its owners can reassign/,
    );
    const { results } = await submit(context, reviewId, [decision(taskId, 'APPROVE')]);
    expect(results).toMatchObject([{ decided: false, code: 'PERMISSION_DENIED' }]);
    // Blocking another relation keeps no one from it.
    await block(reviewId, 'SELF');
    await submit(context, reviewId, [decision(taskId, 'APPROVE')]);
    expect((await noted(reviewId))[0]).toMatchObject({ taskId, personId: id('subject'), isApproved: true, relations: [relation] });
    expect(await listRelatedDecisions(context, reviewId, ['SELF'], '', 10)).toEqual([]);
    expect(await countRelations(context, reviewId)).toContainEqual({ relation, decisions: 1, approvals: 1 });
    await run('UPDATE users SET manager_id = NULL WHERE tenant_id = $1 AND id = ANY ($2)', [[id('ann'), id('subject')]]);
  });

  it('to their own access is noted where the policy allows it, and a credential of somebody else is', async () => {
    const own = await makeTask({ steps: [askUsers([id('subject')], {}, { allowSelfApproval: true })], assignees: ['subject'] });
    await decideTask(caller('subject'), decision(own.taskId, 'APPROVE'));
    expect(await countRelations(caller('super'), own.reviewId)).toEqual([{ relation: 'SELF', decisions: 1, approvals: 1 }]);
    const issued = await makeTask();
    await decideTask(scopeOf(db(), tenant, id('ann'), { issuerId: id('super') }), decision(issued.taskId, 'DENY'));
    expect(await countRelations(caller('super'), issued.reviewId)).toEqual([{ relation: 'ISSUED_CREDENTIAL', decisions: 1, approvals: 0 }]);
  });

  it('is nothing where there is none, and the decision notes nothing', async () => {
    const { reviewId, taskId } = await makeTask();
    await block(reviewId, 'SELF', 'MANAGER', 'REPORT', 'GRANTER', 'APP_OWNER', 'APP_ADMINISTRATOR', 'ISSUED_CREDENTIAL', 'RECIPROCAL');
    await decideTask(caller('ann'), decision(taskId, 'APPROVE'));
    expect([await noted(reviewId), await countRelations(caller('super'), reviewId)]).toEqual([[], []]);
    const { data } = await db().one<{ data: object }>('SELECT data FROM task_actions WHERE tenant_id = $1 AND task_id = $2', [
      tenant,
      taskId,
    ]);
    expect(data).not.toHaveProperty('relations');
  });
});
