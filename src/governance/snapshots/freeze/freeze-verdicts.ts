/**
 * Verdicts of the expressions of a scope on each person and each account. An expression that the database can evaluate becomes SQL; any other is
 * evaluated here before anything is frozen, in batches, and its answers become the SQL.
 */
import type { FieldViolation } from '../../../errors.ts';
import type { Context } from '../../../context.ts';
import { compileExpression, type Expression } from '../../../lib/cel/compile.ts';
import { evaluateAll, readIds, type Variables } from '../../../lib/cel/index.ts';
import { maxCostOfPeople } from '../../../lib/cel/limits.ts';
import { Failure, type Value } from '../../../lib/cel/values.ts';
import { accountValue, answerQuestions, personValue } from '../../policies/index.ts';
import { type Filters, refuseSnapshot } from '../scope/index.ts';
import { getFrozenHolders, type Holders, type Verdicts } from '../items/index.ts';
import {
  countSubjects,
  getVerdictSql,
  listAccountFacts,
  listFailedSubjects,
  listOwnerFacts,
  type NotedError,
  updateAccountErrors,
} from './store-verdicts.ts';
import type { FrozenAccount } from '../conditions/index.ts';
import { getTranslationSql } from '../expressions/index.ts';

/** People or accounts that are evaluated together: what functions ask of them is loaded at once. */
const batchSize = 500;

/** The compiled expressions of a scope; undefined where there is none. */
interface ScopeExpressions {
  readonly person: Expression | undefined;
  readonly account: Expression | undefined;
}

const members = { person: ['celExpression', 'REVIEW_USERS'], account: ['accountCelExpression', 'REVIEW_ACCOUNTS'] } as const;

const fieldOf = (which: keyof typeof members): string => `accessReview.scopeV2.${members[which][0]}.expression`;

/** The expressions of a scope. FAILED_PRECONDITION where one does not compile: it was written before expressions were checked. */
function compileScope({ userExpression, accountExpression }: Filters): ScopeExpressions {
  const found: FieldViolation[] = [];
  const compile = (text: string, which: keyof typeof members): Expression | undefined => {
    if (text === '') {
      return undefined;
    }
    const compiled = compileExpression(text, members[which][1]);
    if ('errors' in compiled) {
      found.push(...compiled.errors.map(({ message }) => ({ field: fieldOf(which), description: message })));
      return undefined;
    }
    return compiled.expression;
  };
  const expressions = { person: compile(userExpression, 'person'), account: compile(accountExpression, 'account') };
  refuseSnapshot(found);
  return expressions;
}

/** The verdicts of the expressions of a scope on the owners and accounts of apps, as SQL. */
export async function findVerdicts(context: Context, appIds: readonly string[], filters: Filters): Promise<Verdicts> {
  const { person, account } = compileScope(filters);
  return {
    person: person && (await verdictOf(context, person, appIds, 'person')),
    account: account && (await verdictOf(context, account, appIds, 'account')),
  };
}

async function verdictOf(context: Context, expression: Expression, appIds: readonly string[], which: keyof typeof members) {
  if (expression.result !== 'bool') {
    const [list] = await evaluated(context, expression, [{}]);
    if (list === undefined || list instanceof Failure) {
      refuseSnapshot([{ field: fieldOf(which), description: `the list cannot be made: ${list?.message}` }]);
    }
    return getVerdictSql(which, readIds(list as Value), []);
  }
  const translated = getTranslationSql(context, expression);
  if (translated !== undefined) {
    return translated;
  }
  await refuseTooMuch(context, expression, appIds, which);
  const [selected, failed]: [string[], string[]] = [[], []];
  for (let after = ''; ; ) {
    const subjects = await listSubjects(context, appIds, which, after);
    const results = await evaluated(
      context,
      expression,
      subjects.map((subject) => ({ subject })),
    );
    for (const [at, { id }] of subjects.entries()) {
      if (results[at] instanceof Failure) {
        failed.push(id);
      } else if (results[at] === true) {
        selected.push(id);
      }
    }
    const last = subjects.at(-1);
    if (last === undefined || subjects.length < batchSize) {
      return getVerdictSql(which, selected, failed);
    }
    after = last.id;
  }
}

const evaluated = (context: Context, expression: Expression, rows: readonly Variables[]) =>
  evaluateAll(expression, rows, {
    now: context.now,
    whose: `${context.tenantId} ${context.actor.userId}`,
    load: (questions) => answerQuestions(context, questions),
  });

async function listSubjects(context: Context, appIds: readonly string[], which: keyof typeof members, after: string) {
  return which === 'person'
    ? (await listOwnerFacts(context, appIds, after, batchSize)).map(personValue)
    : (await listAccountFacts(context, appIds, after, batchSize)).map(accountValue);
}

async function refuseTooMuch(
  context: Context,
  { cost }: Expression,
  appIds: readonly string[],
  which: keyof typeof members,
): Promise<void> {
  const count = await countSubjects(context, appIds, which);
  if (count * cost > maxCostOfPeople) {
    const subjects = which === 'person' ? 'people' : 'accounts';
    const description = `would take ${count * cost} steps, ${cost} for each of ${count} ${subjects}, more than ${maxCostOfPeople}; go through shorter lists or fewer apps`;
    refuseSnapshot([{ field: fieldOf(which), description }]);
  }
}

/** Accounts for which it is kept what went wrong. */
const examples = 10;

/** Says for some of the accounts that an expression failed for what went wrong: evaluated again, as the database does not say. By app and account. */
export async function listFailures(context: Context, holders: Holders, filters: Filters): Promise<NotedError[]> {
  const { person, account } = compileScope(filters);
  if (person === undefined && account === undefined) {
    return [];
  }
  const failed = await listFailedSubjects(context, holders, examples);
  const noted = new Map<string, NotedError>();
  for (const [expression, which, text, subjectOf] of [
    [account, 'account', filters.accountExpression, (one: FrozenAccount) => accountValue(one.account)],
    [person, 'person', filters.userExpression, (one: FrozenAccount) => (one.person === null ? null : personValue(one.person))],
  ] as const) {
    if (expression !== undefined) {
      const results = await evaluated(
        context,
        expression,
        failed.map((one) => ({ subject: subjectOf(one) })),
      );
      for (const [at, result] of results.entries()) {
        const { id, appId, externalId } = failed[at]!.account;
        if (result instanceof Failure && !noted.has(id)) {
          const message = result.message.slice(0, 1000);
          noted.set(id, { appId, accountId: id, account: externalId, message, field: `scopeV2.${members[which][0]}`, expression: text });
        }
      }
    }
  }
  const keyOf = ({ appId, accountId }: NotedError): string => `${appId}/${accountId}`;
  return [...noted.values()].sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
}

/** Notes what went wrong for some of the frozen accounts that an expression failed for. */
export async function explainFailures(context: Context, snapshotId: string, filters: Filters): Promise<void> {
  const failures = await listFailures(context, getFrozenHolders(context.tenantId, snapshotId), filters);
  if (failures.length > 0) {
    await updateAccountErrors(context, snapshotId, failures);
  }
}
