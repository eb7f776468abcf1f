/**
 * The people around a task (who is reviewed, who is asked, owners, administrators, strangers), as callers, and tasks between them: for the
 * tests of what may be done with a task. Each file gets a database of its own.
 */
import { afterAll, beforeAll } from 'vitest';
import type { Db } from '../../src/db/types.ts';
import type { Decision } from '../../src/governance/tasks/decisions/decision.ts';
import { type Submission, type Submitted, submitDecisions } from '../../src/governance/tasks/decisions/submit.ts';
import { isAppError } from '../../src/errors.ts';
import type { Context } from '../../src/context.ts';
import { openTestDatabase, type TestDatabase } from './database.ts';
import { addAssignment, addTasksOf, addPerson, addTask, askUsers, scopeOf, setTasksState } from './tasks.ts';

/** The tenant they are in. */
export const tenant = 'TenantA';

/** Parts of a task of theirs. */
export interface TaskOfPeople {
  readonly steps?: object[];
  readonly assignees?: string[];
  readonly tasksState?: string;
  readonly task?: object;
}

/** They and their tasks. */
export interface TaskPeople {
  db(): Db;
  /** URL of the database, for other processes of ours. */
  url(): string;
  /** The id of one of them by name; '' for nobody. */
  id(name: string): string;
  /** One of them as the caller of a rule, or somebody in another role: 'issued', 'super as issued', 'subject as super', 'foreign super'. */
  caller(name: string): Context;
  /** A task about subject, asked of ann and subject unless said otherwise. */
  makeTask(options?: TaskOfPeople): Promise<{ reviewId: string; taskId: string; assignmentId: string }>;
}

/** Makes them before the tests of a file, and takes the database away behind them. */
export function useTaskPeople(): TaskPeople {
  let test: TestDatabase;
  const people: Record<string, string> = {};

  beforeAll(async () => {
    test = await openTestDatabase({ poolSize: 8 });
    const db = test.database.tenant(tenant);
    for (const name of ['super', 'reader', 'owner', 'ann', 'ben', 'subject', 'stranger', 'target', 'decider']) {
      people[name] = await addPerson(db, tenant, name);
    }
    people.disabled = await addPerson(db, tenant, 'disabled', 'DISABLED');
  });
  afterAll(() => test.close());

  const id = (name: string) => people[name] ?? '';
  const db = () => test.database.tenant(tenant);

  function caller(name: string): Context {
    switch (name) {
      case 'super':
        return scopeOf(db(), tenant, id('super'), { roles: ['SUPER_ADMINISTRATOR'] });
      case 'reader':
        return scopeOf(db(), tenant, id('reader'), { roles: ['READ_ONLY_ADMINISTRATOR'] });
      case 'issued':
        return scopeOf(db(), tenant, id('ann'), { issuerId: id('subject') });
      case 'super as issued':
        return scopeOf(db(), tenant, id('super'), { roles: ['SUPER_ADMINISTRATOR'], issuerId: id('subject') });
      case 'subject as super':
        return scopeOf(db(), tenant, id('subject'), { roles: ['SUPER_ADMINISTRATOR'] });
      case 'foreign super':
        return scopeOf(test.database.tenant('TenantB'), 'TenantB', id('super'), { roles: ['SUPER_ADMINISTRATOR'] });
      default:
        return scopeOf(db(), tenant, id(name));
    }
  }

  async function makeTask(options: TaskOfPeople = {}) {
    const { steps = [askUsers([id('ann'), id('subject')])], assignees = ['ann', 'subject'], task = {} } = options;
    const reviewId = await addTasksOf(db(), tenant, { managerIds: [id('owner')], steps });
    const assignmentId = await addAssignment(db(), tenant, reviewId, assignees.map(id));
    const taskId = await addTask(db(), tenant, { reviewId, assignmentId, userId: id('subject'), ...task });
    if (options.tasksState !== undefined) {
      await setTasksState(db(), tenant, reviewId, options.tasksState);
    }
    return { reviewId, taskId, assignmentId };
  }

  return { db, url: () => test.url, id, caller, makeTask };
}

/** The status of what a rule refused; 200 where it did not. */
export async function statusOf(work: Promise<unknown>): Promise<number> {
  try {
    await work;
    return 200;
  } catch (error) {
    return isAppError(error) ? error.status : Promise.reject(error);
  }
}

/** The sentence of what a rule refused. */
export async function messageOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'nothing was refused',
    (error: Error) => error.message,
  );
}

/** A decision without a comment, about the current step, unless said otherwise. */
export function decision(taskId: string, what: Decision['decision'], more: Partial<Decision> = {}): Decision {
  return { taskId, decision: what, comment: '', policyStepId: '', ...more };
}

/** Submits decisions without a key. */
export async function submit(
  context: Context,
  reviewId: string,
  decisions: readonly Decision[],
  more: Partial<Submission> = {},
): Promise<Submitted> {
  const result = await submitDecisions(context, { reviewId, decisions, all: false, idempotencyKey: '', ...more });
  if ('signature' in result) {
    throw new Error('the review asks for signatures');
  }
  return result;
}
