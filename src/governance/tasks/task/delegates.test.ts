/** Deciding in somebody's place: what an actor who is a delegate may see and do; the delegations themselves are in the directory. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useTwoTenants, type TwoTenants } from '../../../../test/support/tenants.ts';
import { addPerson, askUsers, scopeOf, testNow } from '../../../../test/support/tasks.ts';
import type { Context } from '../../../context.ts';
import { findDelegator, maySeeTask, refuseDecider, standsFor } from './permit.ts';
import { listAllowedActions } from './permit-actions.ts';
import type { Task } from './task.ts';

describe('a delegate', () => {
  let two: TwoTenants;
  let ids: { asked: string; delegate: string; reviewed: string };
  beforeAll(async () => {
    two = await useTwoTenants();
    const make = (name: string) => addPerson(two.ours.system.db, two.ours.tenant.id, name);
    ids = { asked: await make('Asked'), delegate: await make('Delegate'), reviewed: await make('Reviewed') };
  });
  afterAll(() => two.close());

  const actorFor = (userId: string, delegatorIds?: readonly string[]): Context['actor'] => {
    const { actor } = scopeOf(two.ours.system.db, two.ours.tenant.id, userId);
    return delegatorIds === undefined ? actor : { ...actor, delegatorIds };
  };
  const taskOf = (more: Partial<Task> = {}, rules: object = {}): Task =>
    ({
      tasksState: 'OPEN',
      state: 'OPEN',
      step: 0,
      userId: ids.reviewed,
      assigneeIds: [ids.asked],
      formerAssigneeIds: [],
      managerIds: [],
      history: [],
      endReason: '',
      policyDocument: { policySteps: { certify: { steps: [askUsers([], { allowDelegation: true, ...rules })] } } },
      ...more,
    }) as unknown as Task;

  it('sees and decides what the person is asked, as long as the actor says so', () => {
    const delegate = actorFor(ids.delegate, [ids.asked]);
    expect(standsFor(delegate)).toEqual([ids.delegate, ids.asked]);
    expect(maySeeTask(delegate, taskOf())).toBe(true);
    expect(maySeeTask(delegate, taskOf({ tasksState: 'HIDDEN' }))).toBe(false);
    expect(refuseDecider(delegate, taskOf())).toBeUndefined();
    expect(findDelegator(delegate, taskOf())).toBe(ids.asked);
    expect(listAllowedActions(delegate, taskOf(), testNow)).toEqual(expect.arrayContaining(['APPROVE', 'DENY', 'COMMENT']));
    const nobody = actorFor(ids.delegate);
    expect(maySeeTask(nobody, taskOf())).toBe(false);
    expect(refuseDecider(nobody, taskOf())).toMatchObject({ code: 'PERMISSION_DENIED' });
  });

  it('sees and decides nothing of a step that allows no delegation', () => {
    const delegate = actorFor(ids.delegate, [ids.asked]);
    const task = taskOf({}, { allowDelegation: false });
    expect(maySeeTask(delegate, task)).toBe(false);
    expect(findDelegator(delegate, task)).toBeUndefined();
    expect(refuseDecider(delegate, task)).toMatchObject({ code: 'PERMISSION_DENIED' });
    expect(maySeeTask(delegate, taskOf({ assigneeIds: [ids.delegate] }, { allowDelegation: false }))).toBe(true);
  });

  it('who is asked themselves, or manages the review, decides in nobody else’s place', () => {
    const delegate = actorFor(ids.delegate, [ids.asked]);
    expect(findDelegator(delegate, taskOf({ assigneeIds: [ids.asked, ids.delegate] }))).toBeUndefined();
    expect(findDelegator(delegate, taskOf({ managerIds: [ids.delegate] }))).toBeUndefined();
  });

  it('never decides their own access in somebody’s place, self-review or not', () => {
    const reviewed = actorFor(ids.reviewed, [ids.asked]);
    for (const rules of [{}, { allowSelfApproval: true }]) {
      expect(refuseDecider(reviewed, taskOf({}, rules))).toMatchObject({ code: 'PERMISSION_DENIED' });
      expect(listAllowedActions(reviewed, taskOf({}, rules), testNow)).not.toContain('APPROVE');
    }
  });

  it('stands for nobody without a person behind the request', () => {
    expect(standsFor(two.ours.system.actor)).toEqual([]);
    expect(maySeeTask(two.ours.system.actor, taskOf({ assigneeIds: [''] }))).toBe(false);
  });
});
