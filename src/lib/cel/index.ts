/**
 * Expressions in CEL: what reviews, policies and templates ask about people, accounts and entitlements. Knows nothing of the database.
 *
 * `compileExpression(text, environment)` of compile.ts answers `{ expression }` or `{ errors }`, each error with line, column and message. An environment says
 * what may be named (REVIEW_USERS: subject), which functions may be called, and what must come out (`expression.result`).
 *
 * `objectValue('User', { id, email, department, status: 'ENABLED', profile })` makes what a variable stands for. Members have the camelCase names
 * of objects.ts, what is absent is empty, `null` instead of an object is nobody.
 *
 * `evaluate(expression, { variables, now })` gives a value, or a `Failure` where it cannot: in a review the person is then not selected, a condition
 * does not match, an approver expression gives way to the next. An expression that calls functions of the inventory (`expression.functions`) goes
 * through `evaluateAll(expression, rows, { now, load })`: `load` gets the questions of all rows at once and answers them in their order, at most
 * eight times, since arguments may come from other answers. `readIds(value)` reads the people or accounts of a result. Values are those of values.ts,
 * the functions of the inventory those of environments.ts.
 */
import { takeTurn, turnMilliseconds } from '../turns.ts';
import type { Environment, VariableName, VariableOf } from './environments.ts';
import type { Expression } from './compile.ts';
import { questionKey, type Question } from './evaluate.ts';
import { maxRounds } from './limits.ts';
import type { FieldOf, ObjectName } from './objects.ts';
import { CelObject, Failure, fromDate, pending, type Result, type Value } from './values.ts';

/** Values of the variables of one evaluation, as far as its expression needs them. */
export type Variables = Readonly<Partial<Record<VariableName, Value>>>;

/** Values of all variables that a place offers. */
export type VariablesOf<Place extends Environment> = Readonly<Record<VariableOf<Place>, Value>>;

/** An object for a variable or an answer: a field that it has and that is not given does not compile. Statuses and types may be given short: ENABLED for USER_STATUS_ENABLED. */
export function objectValue<Name extends ObjectName>(name: Name, fields: Readonly<Record<FieldOf<Name>, unknown>>): CelObject {
  return new CelObject(name, fields);
}

/** The value of an expression that calls no functions of the inventory, or why it has none. @internal */
export function evaluate(expression: Expression, { variables, now }: { readonly variables: Variables; readonly now: Date }): Result {
  const result = expression.program({ variables, now: fromDate(now), ask: () => new Failure('this function cannot be answered here') });
  return checked(expression, result);
}

/** Loads answers: one for each question, in their order. */
export type Load = (questions: readonly Question[]) => Promise<readonly Result[]>;

/**
 * The value for each row, or why it has none. Answers are kept for the whole call; `load` is called at most eight times. Goes on in turns, which are
 * shared by `whose` work it is.
 */
export async function evaluateAll(
  expression: Expression,
  rows: readonly Variables[],
  { now, load, whose = '' }: { readonly now: Date; readonly load: Load; readonly whose?: string },
): Promise<Result[]> {
  const moment = fromDate(now);
  const answers = new Map<string, Result>();
  const results: Result[] = rows.map(() => pending);
  for (let round = 0; round <= maxRounds; round++) {
    const missing = new Map<string, Question>();
    const ask = (question: Question): Result => {
      const key = questionKey(question);
      const answer = answers.get(key);
      if (answer === undefined) {
        missing.set(key, question);
      }
      return answer ?? pending;
    };
    let since = performance.now();
    for (const [at, variables] of rows.entries()) {
      if (results[at] === pending) {
        results[at] = expression.program({ variables, now: moment, ask });
        if (performance.now() - since > turnMilliseconds) {
          await takeTurn(whose);
          since = performance.now();
        }
      }
    }
    if (!results.includes(pending) || round === maxRounds) {
      break;
    }
    const keys = [...missing.keys()];
    const loaded = await load([...missing.values()]);
    for (const [at, key] of keys.entries()) {
      answers.set(key, loaded[at] ?? new Failure('there is no answer'));
    }
  }
  const tooDeep = new Failure(`functions are called with answers of functions more than ${maxRounds} deep`);
  return results.map((result) => (result === pending ? tooDeep : checked(expression, result)));
}

/** The result, if it is of the kind that the environment wants: what came out of a profile may be anything. */
function checked({ result: wanted }: Expression, result: Result): Result {
  if (result instanceof Failure) {
    return result;
  }
  const name = wanted === 'accounts' ? 'AppUser' : 'User';
  const isObject = (value: Value): boolean => value instanceof CelObject && value.name === name;
  const fits =
    wanted === 'bool'
      ? typeof result === 'boolean'
      : wanted === 'user'
        ? isObject(result)
        : Array.isArray(result) && result.every(isObject);
  return fits ? result : new Failure(`the expression gave something else than ${wanted === 'bool' ? 'true or false' : wanted}`);
}

/** The ids of the people or accounts that a result is, each once, in their order. */
export function readIds(result: Value): string[] {
  const objects = Array.isArray(result) ? (result as readonly Value[]) : [result];
  return [...new Set(objects.flatMap((value) => (value instanceof CelObject ? [value.id] : [])))];
}
