/** Approvers by expression: the first expression of a step that finds 1 to 128 people names whom it asks. */
import { AppError } from '../../../errors.ts';
import type { Context } from '../../../context.ts';
import { compileExpression } from '../../../lib/cel/compile.ts';
import { readIds } from '../../../lib/cel/index.ts';
import { maxCostOfPeople } from '../../../lib/cel/limits.ts';
import { Failure, type Result } from '../../../lib/cel/values.ts';
import { type Evaluated, evaluateForTasks, recordFailures } from './evaluate.ts';
import { listEligibleUsers } from './store-eligible.ts';

/** The most people that an expression may find. */
const maxPeople = 128;

/** People a result names, where they are 1 to 128; else nobody, so that the next expression is asked. */
export function peopleOfResult(result: Result): string[] {
  const ids = result instanceof Failure ? [] : readIds(result);
  return ids.length > maxPeople ? [] : ids;
}

/** Refuses expressions that would take too long for so many. */
function checkCost(text: string, count: number): void {
  const compiled = compileExpression(text, 'POLICY_APPROVER');
  const steps = 'expression' in compiled ? compiled.expression.cost * count : 0;
  if (steps > maxCostOfPeople) {
    const description = `the approver expression ${JSON.stringify(text.slice(0, 80))} would take ${steps} steps, more than ${maxCostOfPeople}; make it simpler`;
    throw new AppError('FAILED_PRECONDITION', `accessReview.policyId: ${description}`, {
      violations: [{ field: 'accessReview.policyId', description }],
    });
  }
}

/**
 * Those whom the first expression with people finds for each of these items or tasks and who can be asked, in their order; nobody where none has
 * any. An expression that cannot be evaluated gives way to the next, which an event says.
 */
export async function findByExpressions(
  context: Context,
  items: readonly Evaluated[],
  expressions: readonly string[],
): Promise<readonly (readonly string[])[]> {
  const found = items.map((): string[] => []);
  for (const text of expressions) {
    const left = [...items.keys()].filter((at) => found[at]?.length === 0);
    const asked = left.flatMap((at) => items[at] ?? []);
    checkCost(text, asked.length);
    const results = asked.length === 0 ? [] : await evaluateForTasks(context, asked, text, 'POLICY_APPROVER');
    await recordFailures(context, asked, text, results, 'review.approvers_failed');
    for (const [n, at] of left.entries()) {
      found[at] = peopleOfResult(results[n] ?? new Failure(''));
    }
  }
  const eligible = new Set(await listEligibleUsers(context, [...new Set(found.flat())]));
  return found.map((ids) => ids.filter((id) => eligible.has(id)).sort());
}
