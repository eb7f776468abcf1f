/**
 * Evaluating the expressions of a policy about tasks, as things are now. For everything in a snapshot at once, the module reviews does it.
 */
import type { Context } from '../../../context.ts';
import { compileExpression, type Expression } from '../../../lib/cel/compile.ts';
import type { Environment, VariableName } from '../../../lib/cel/environments.ts';
import { evaluateAll, objectValue, type Variables, type VariablesOf } from '../../../lib/cel/index.ts';
import { type CelObject, Failure, type Result } from '../../../lib/cel/values.ts';
import { recordEvents } from '../../../foundation/audit/index.ts';
import { type GrantPlace, listConflictsOfGrants } from '../../conflicts/index.ts';
import { accountValue, answerQuestions, personValue } from '../../policies/index.ts';
import {
  type GrantTimes,
  listAccountFacts,
  listEntitlementFields,
  listGrantTimes,
  listOwnersOfApps,
  listPersonFacts,
  getPlaceKey,
} from './store-facts.ts';
import type { Task } from '../task/index.ts';

/** The most failures that an event shows. */
const maxExamples = 10;

/** Part of a task, or of an item before there is one, its expressions read. */
export type Evaluated = Pick<Task, 'id' | 'reviewId' | 'appId' | 'entitlementId' | 'accountId' | 'userId' | 'createdById' | 'createdAt'>;

/** A task as expressions see it; `times` are those of its grant, undefined where it is gone, `monitorIds` the monitors whose conflicts it makes. */
export function taskValue(
  task: Pick<Task, 'userId' | 'createdById' | 'createdAt'>,
  times: Pick<GrantTimes, 'grantedAt' | 'endsAt'> | undefined,
  monitorIds: readonly string[],
): CelObject {
  const end = times?.endsAt ?? null;
  const start = times?.grantedAt ?? null;
  return objectValue('Task', {
    origin: 'ACCESS_REVIEW',
    isGrantPermanent: end === null,
    // How long it is granted for in all; none where either end is open.
    grantDuration: end === null || start === null ? undefined : BigInt(end.getTime() - start.getTime()) * 1_000_000n,
    subjectUserId: task.userId ?? '',
    requestorUserId: task.createdById,
    createdAt: task.createdAt,
    analysis: { id: '', hasConflictViolations: monitorIds.length > 0, conflictViolations: monitorIds },
  });
}

/** The monitors of which each of these grants makes an active alert now, by app, entitlement and account. */
export async function listConflicts(context: Context, places: readonly GrantPlace[]): Promise<Map<string, readonly string[]>> {
  const found = await listConflictsOfGrants(context, places);
  return new Map(
    found.map(({ appId, entitlementId, accountId, monitorIds }) => [getPlaceKey(appId, entitlementId, accountId), monitorIds]),
  );
}

/** Lists the values of expressions' variables in tasks, in their order; a person is null where nobody owns the account. */
async function listVariables(
  context: Context,
  tasks: readonly Evaluated[],
  names: ReadonlySet<VariableName>,
): Promise<VariablesOf<'POLICY_APPROVER'>[]> {
  const userIds = tasks.flatMap(({ userId }) => userId ?? []);
  const people = names.has('subject') ? await listPersonFacts(context, userIds) : new Map();
  const accounts = names.has('account') ? await listAccountFacts(context, tasks) : new Map();
  const entitlements = names.has('entitlement') ? await listEntitlementFields(context, tasks) : new Map();
  const times = names.has('task') ? await listGrantTimes(context, tasks) : new Map<string, GrantTimes>();
  const conflicts = names.has('task') ? await listConflicts(context, tasks) : new Map<string, readonly string[]>();
  const owners = names.has('appOwners') ? await listOwnersOfApps(context, [...new Set(tasks.map(({ appId }) => appId))]) : new Map();
  const shown = new Map<unknown, CelObject>();
  const once = <T>(facts: T | undefined, show: (facts: T) => CelObject): CelObject | null => {
    if (facts === undefined) {
      return null;
    }
    const value = shown.get(facts) ?? show(facts);
    shown.set(facts, value);
    return value;
  };
  return tasks.map((task) => ({
    subject: once(people.get(task.userId ?? ''), personValue),
    account: once(accounts.get(getPlaceKey(task.appId, task.accountId)), accountValue),
    entitlement: once(entitlements.get(getPlaceKey(task.reviewId, task.appId, task.entitlementId)), (one) =>
      objectValue('AppEntitlement', { ...one }),
    ),
    task: taskValue(
      task,
      times.get(getPlaceKey(task.appId, task.entitlementId, task.accountId)),
      conflicts.get(getPlaceKey(task.appId, task.entitlementId, task.accountId)) ?? [],
    ),
    appOwners: (owners.get(task.appId) ?? []).map((one: Parameters<typeof personValue>[0]) => once(one, personValue)),
  }));
}

/** The value of a compiled expression for each of these, or why it has none. */
function evaluateFor(context: Context, expression: Expression, rows: readonly Variables[]): Promise<Result[]> {
  const load = (questions: Parameters<typeof answerQuestions>[1]) => answerQuestions(context, questions);
  return evaluateAll(expression, rows, { now: context.now, whose: `${context.tenantId} ${context.actor.userId}`, load });
}

/** The value of an expression now, or why it has none. */
export async function evaluateText(context: Context, text: string, environment: Environment, variables: Variables): Promise<Result> {
  const compiled = compileExpression(text, environment);
  if ('errors' in compiled) {
    return new Failure(compiled.errors[0]?.message ?? 'the expression does not compile');
  }
  const { expression } = compiled;
  const [result] = await evaluateFor(context, expression, [variables]);
  return result ?? new Failure('the expression gave nothing');
}

/** The value of an expression for each of these tasks, in their order, or why it has none. */
export async function evaluateForTasks(
  context: Context,
  tasks: readonly Evaluated[],
  text: string,
  environment: Environment,
): Promise<Result[]> {
  const compiled = compileExpression(text, environment);
  if ('errors' in compiled) {
    const failure = new Failure(compiled.errors[0]?.message ?? 'the expression does not compile');
    return tasks.map(() => failure);
  }
  const { expression } = compiled;
  return evaluateFor(context, expression, await listVariables(context, tasks, expression.variables));
}

/** Says in one event for each review that an expression could not be evaluated for some of its tasks. */
export async function recordFailures(
  context: Context,
  tasks: readonly Pick<Task, 'id' | 'reviewId'>[],
  text: string,
  results: readonly Result[],
  kind: 'review.conditions_failed' | 'review.approvers_failed' = 'review.conditions_failed',
): Promise<void> {
  const failed = tasks.flatMap(({ id, reviewId }, at) => {
    const result = results[at];
    return result instanceof Failure ? [{ id, reviewId, error: result.message }] : [];
  });
  await recordEvents(
    context,
    [...Map.groupBy(failed, ({ reviewId }) => reviewId)].map(([reviewId, ones]) => ({
      kind,
      targetId: reviewId,
      data: {
        counts: [{ condition: text, count: ones.length }],
        examples: ones.slice(0, maxExamples).map(({ id, error }) => ({ condition: text, id, error })),
      },
    })),
  );
}

/** Tests if a condition holds for these tasks now. For one that it cannot be evaluated for it does not, which an event says. */
export async function holdForTasks(
  context: Context,
  tasks: readonly Evaluated[],
  condition: string,
  environment: 'WAIT' | 'POLICY_CONDITION' = 'WAIT',
): Promise<boolean[]> {
  const results = await evaluateForTasks(context, tasks, condition, environment);
  await recordFailures(context, tasks, condition, results);
  return results.map((result) => result === true);
}
