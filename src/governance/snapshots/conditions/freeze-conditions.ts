/**
 * Verdicts of the conditions of the policies of a snapshot on each entitlement, each account and, where neither decides alone, each item: evaluated
 * once for each of them and kept as the numbers of those that hold. Which route that comes to is picked by the module tasks.
 */
import type { Context } from '../../../context.ts';
import type { Expression } from '../../../lib/cel/compile.ts';
import { evaluateAll, type Variables } from '../../../lib/cel/index.ts';
import { maxCostOfPeople } from '../../../lib/cel/limits.ts';
import { Failure } from '../../../lib/cel/values.ts';
import { recordEvent } from '../../../foundation/audit/index.ts';
import { answerQuestions, type Plans } from '../../policies/index.ts';
import { refuseSnapshot } from '../scope/index.ts';
import { ofAccount, ofEntitlement, ofItem } from './frozen-variables.ts';
import { type PlannedConditions, planConditions, type SideCondition, type SnapshotMoment } from './plan-conditions.ts';
import {
  countFailures,
  countFrozen,
  type FrozenKey,
  listFrozenAccounts,
  listFrozenEntitlements,
  setPagesAnyhow,
  setPagesByKey,
  type TranslatedCondition,
  updateConditions,
  updateKeptConditions,
} from './store-conditions.ts';
import { getFailureNumber, type ItemSide } from './store-frozen-places.ts';
import {
  countItemFailures,
  firstItem,
  type FrozenItem,
  insertItems,
  type ItemKey,
  listFailedItems,
  listFrozenItems,
  updateItemConditions,
} from './store-item-conditions.ts';
import type { SnapshotItems } from '../items/index.ts';

/** Entitlements, accounts or items that are evaluated together: what functions ask of them is loaded at once. */
const batchSize = 500;

/** Rows of that written together. */
const rowsPerWrite = 20_000;

/** The most failures that the event of conditions shows. */
const maxExamples = 10;

/** Least that an item evaluated by itself counts for: finding it and its facts takes as long as so many steps. */
const minCostOfItem = 20;

interface Numbered {
  readonly number: number;
  readonly expression: Expression;
}

const refuse = (description: string) => refuseSnapshot([{ field: 'accessReview.policyId', description }]);

/** Refuses a condition that would take too long for so many. */
function checkCost({ text, cost }: Expression, count: number, of: string, wayOut: string): void {
  if (cost * count > maxCostOfPeople) {
    const shown = JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
    refuse(
      `the condition ${shown} would take ${cost * count} steps, ${cost} for each of ${count} ${of}, more than ${maxCostOfPeople}; ${wayOut}`,
    );
  }
}

/** The value of a condition for each row, or why it has none. */
const evaluated = (context: Context, { expression }: Numbered, rows: readonly Variables[]) =>
  evaluateAll(expression, rows, {
    now: context.now,
    whose: `${context.tenantId} ${context.actor.userId}`,
    load: (questions) => answerQuestions(context, questions),
  });

/** Evaluates conditions for rows, and gives for each row the numbers of those that hold, and those that say which failed. */
async function evaluateRows(context: Context, conditions: readonly Numbered[], rows: readonly Variables[]): Promise<number[][]> {
  const kept = rows.map((): number[] => []);
  for (const condition of conditions) {
    for (const [at, result] of (await evaluated(context, condition, rows)).entries()) {
      if (result === true || result instanceof Failure) {
        kept[at]?.push(result === true ? condition.number : getFailureNumber(condition.number));
      }
    }
  }
  return kept;
}

const itemKey = ({ account, entitlement }: FrozenItem): ItemKey => ({
  appId: account.appId,
  accountId: account.id,
  entitlementId: entitlement.id,
});

/** Facts of a snapshot that freezing conditions needs. */
export interface SnapshotOfConditions {
  readonly id: string;
  readonly items: SnapshotItems;
  readonly moment: SnapshotMoment;
}

/** Hands what was evaluated to `write`, in few large pieces: rows that were written are slower to page through. */
async function writeAll<T>(kept: readonly T[], write: (piece: readonly T[]) => Promise<void>): Promise<void> {
  for (let from = 0; from < kept.length; from += rowsPerWrite) {
    await write(kept.slice(from, from + rowsPerWrite));
  }
}

/** A row of a snapshot: by which key it is found, and what conditions read there. */
interface EvaluatedRow<K> {
  readonly key: K;
  readonly variables: Variables;
}

/** Evaluates conditions for all rows behind `first`, page by page, and hands over what to keep of each that something is to be kept of. */
async function evaluatePages<K>(
  context: Context,
  conditions: readonly Numbered[],
  first: K,
  read: (after: K) => Promise<EvaluatedRow<K>[]>,
  write: (kept: readonly (K & { readonly numbers: readonly number[] })[]) => Promise<void>,
): Promise<void> {
  const all: (K & { readonly numbers: readonly number[] })[] = [];
  for (let after = first, isDone = conditions.length === 0; !isDone; ) {
    await setPagesByKey(context);
    const page = await read(after);
    await setPagesAnyhow(context);
    const numbers = await evaluateRows(
      context,
      conditions,
      page.map(({ variables }) => variables),
    );
    for (const [at, { key }] of page.entries()) {
      const kept = numbers[at] ?? [];
      if (kept.length > 0) {
        all.push({ ...key, numbers: kept });
      }
    }
    after = page.at(-1)?.key ?? after;
    isDone = page.length < batchSize;
  }
  await writeAll(all, write);
}

/** The conditions of a side that the database does not evaluate, for all rows of it. */
function freezeSide(context: Context, of: SnapshotOfConditions, side: ItemSide, conditions: readonly SideCondition[]): Promise<void> {
  const read = async (after: FrozenKey): Promise<EvaluatedRow<FrozenKey>[]> =>
    side === 'account'
      ? (await listFrozenAccounts(context, of.id, { after }, batchSize)).map((one) => ({
          key: { appId: one.account.appId, id: one.account.id },
          variables: ofAccount(of.moment, one),
        }))
      : (await listFrozenEntitlements(context, of.id, { after }, batchSize)).map((one) => ({
          key: { appId: one.appId, id: one.id },
          variables: ofEntitlement(one),
        }));
  return evaluatePages(context, conditions, { appId: '', id: '' }, read, (kept) => updateKeptConditions(context, of.id, side, kept));
}

/** True if some condition or first step is evaluated for one row after the other, so that a review may be too large for it. */
export function needsRows(context: Context, plans: Plans, moment: SnapshotMoment): boolean {
  const { sides, items } = planConditions(context, plans, moment);
  return [...sides, ...items].some((one) => one.sql === undefined) || plans.routes.some(({ reads }) => reads === 'ITEM');
}

/** The policies some of whose items are evaluated one by one: by a condition, or to find whom the first step asks. */
function listPoliciesOfItems({ routes, turns, rootIds }: Plans, untranslated: readonly Numbered[]): string[] {
  return rootIds.filter((id) =>
    (turns.get(id) ?? []).some(
      ({ conditions, route }) =>
        routes[route]?.reads === 'ITEM' || conditions.some((one) => untranslated.some(({ number }) => number === one)),
    ),
  );
}

/** Keeps the items that are evaluated one by one. FAILED_PRECONDITION where they are too many. */
async function keepItems(context: Context, of: SnapshotOfConditions, plans: Plans, untranslated: readonly Numbered[]): Promise<void> {
  const policyIds = listPoliciesOfItems(plans, untranslated);
  if (policyIds.length === 0) {
    return;
  }
  const most = Math.floor(maxCostOfPeople / minCostOfItem);
  const count = await insertItems(context, of.items, policyIds, most + 1);
  const wayOut =
    'compare what the database can evaluate (docs/expressions.md, "Large reviews"), split the condition into rules that each read one side, or narrow the scope';
  for (const { expression } of untranslated) {
    checkCost(expression, count, 'items', wayOut);
  }
  if (count > most) {
    refuse(
      `more than ${most} items would be evaluated one by one, by expressions that read the entitlement and its holder together; ${wayOut}`,
    );
  }
}

function freezeItems(context: Context, of: SnapshotOfConditions, untranslated: readonly Numbered[]): Promise<void> {
  const read = async (after: ItemKey): Promise<EvaluatedRow<ItemKey>[]> =>
    (await listFrozenItems(context, of.id, { after }, batchSize)).map((one) => ({ key: itemKey(one), variables: ofItem(of.moment, one) }));
  return evaluatePages(context, untranslated, firstItem, read, (kept) => updateItemConditions(context, of.id, kept));
}

/** Refuses what would take too long: FAILED_PRECONDITION. Keeps the items that are evaluated one by one. */
async function checkAll(context: Context, of: SnapshotOfConditions, plans: Plans, { sides, items }: PlannedConditions): Promise<void> {
  const frozen = await countFrozen(context, of.id);
  for (const { expression, side, sql } of sides) {
    if (sql === undefined) {
      const [count, what] = side === 'entitlement' ? [frozen.entitlements, 'entitlements'] : [frozen.accounts, 'accounts'];
      checkCost(expression, count, what, 'make it simpler, or narrow the scope');
    }
  }
  await keepItems(
    context,
    of,
    plans,
    items.filter(({ sql }) => sql === undefined),
  );
}

/** Refuses the conditions of plans where evaluating them would take too long, and evaluates none. */
export async function checkConditions(context: Context, of: SnapshotOfConditions, plans: Plans): Promise<void> {
  await checkAll(context, of, plans, planConditions(context, plans, of.moment));
}

/**
 * Evaluates the conditions of plans for everything in a snapshot. An event names those that could not be evaluated for something, with examples:
 * such a condition does not match. FAILED_PRECONDITION where one reads what cannot be read, or would take too long.
 */
export async function freezeConditions(context: Context, of: SnapshotOfConditions, plans: Plans): Promise<void> {
  const planned = planConditions(context, plans, of.moment);
  await checkAll(context, of, plans, planned);
  for (const side of ['entitlement', 'account'] as const) {
    const own = planned.sides.filter((one) => one.side === side);
    const translated = own.flatMap(({ number, sql }) => (sql === undefined ? [] : [{ number, sql }]));
    if (translated.length > 0) {
      await updateConditions(context, of.id, side, translated);
    }
    await freezeSide(
      context,
      of,
      side,
      own.filter(({ sql }) => sql === undefined),
    );
  }
  const untranslated = planned.items.filter(({ sql }) => sql === undefined);
  await freezeItems(context, of, untranslated);
  if (plans.conditions.length > 0) {
    const counts = await countFailures(context, of.id, plans.conditions.length);
    await recordFailures(context, of, { plans, planned }, counts, (number, limit) => listExamples(context, of, planned, number, limit));
  }
}

/**
 * Evaluates the conditions of plans that read the entitlement alone, and returns those that read the account, for whoever reads accounts. Only for
 * plans that need no rows.
 */
export async function evaluateOnce(context: Context, of: SnapshotOfConditions, plans: Plans): Promise<TranslatedCondition[]> {
  const { sides } = planConditions(context, plans, of.moment);
  const ofSide = (which: ItemSide): TranslatedCondition[] =>
    sides.flatMap(({ number, side, sql }) => (side === which && sql !== undefined ? [{ number, sql }] : []));
  const ofEntitlements = ofSide('entitlement');
  if (ofEntitlements.length > 0) {
    await updateConditions(context, of.id, 'entitlement', ofEntitlements);
  }
  return ofSide('account');
}

/** Something that a condition fails for: its id, and what the condition reads there. */
interface Example {
  readonly id: string;
  readonly variables: Variables;
}

const itemExample =
  ({ moment }: SnapshotOfConditions) =>
  (one: FrozenItem): Example => ({ id: `${one.account.id}/${one.entitlement.id}`, variables: ofItem(moment, one) });

async function listExamples(
  context: Context,
  of: SnapshotOfConditions,
  { sides }: PlannedConditions,
  number: number,
  limit: number,
): Promise<Example[]> {
  const page = { failure: getFailureNumber(number) };
  switch (sides.find((one) => one.number === number)?.side) {
    case 'entitlement':
      return (await listFrozenEntitlements(context, of.id, page, limit)).map((one) => ({ id: one.id, variables: ofEntitlement(one) }));
    case 'account':
      return (await listFrozenAccounts(context, of.id, page, limit)).map((one) => ({
        id: one.account.id,
        variables: ofAccount(of.moment, one),
      }));
    default:
      return (await listFrozenItems(context, of.id, page, limit)).map(itemExample(of));
  }
}

/** Records for how much each condition failed, with a few examples: those are evaluated again, as nothing kept says why. */
async function recordFailures(
  context: Context,
  of: SnapshotOfConditions,
  { plans, planned }: { readonly plans: Plans; readonly planned: PlannedConditions },
  failed: ReadonlyMap<number, number>,
  list: (number: number, limit: number) => Promise<Example[]>,
): Promise<void> {
  const examples: { condition: string; id: string; error: string }[] = [];
  const expressions = new Map([...planned.sides, ...planned.items].map((one) => [one.number, one]));
  for (const number of failed.keys()) {
    const condition = expressions.get(number);
    const rows = condition === undefined || examples.length >= maxExamples ? [] : await list(number, maxExamples - examples.length);
    const results =
      condition === undefined || rows.length === 0
        ? []
        : await evaluated(
            context,
            condition,
            rows.map(({ variables }) => variables),
          );
    for (const [at, result] of results.entries()) {
      const error = result instanceof Failure ? result.message : 'the condition failed';
      examples.push({ condition: plans.conditions[number] ?? '', id: rows[at]?.id ?? '', error });
    }
  }
  if (failed.size > 0) {
    const counts = [...failed].map(([number, count]) => ({ condition: plans.conditions[number] ?? '', count }));
    const data = { counts, examples };
    await recordEvent(context, { kind: 'review.conditions_failed', targetId: of.id, data });
  }
}

/**
 * Says in an event for how many items of a snapshot that the planner knows a condition failed, where the database evaluates it: such a condition does
 * not match.
 */
export async function recordConditionFailures(context: Context, of: SnapshotOfConditions, plans: Plans): Promise<void> {
  const planned = planConditions(context, plans, of.moment);
  const translated = planned.items.flatMap(({ number, sql }) => (sql === undefined ? [] : [{ number, sql }]));
  const failures =
    translated.length === 0
      ? []
      : await countItemFailures(
          context,
          of.items,
          translated.map(({ sql }) => sql),
        );
  const failed = new Map(translated.flatMap(({ number }, at) => ((failures[at] ?? 0) > 0 ? [[number, failures[at] ?? 0] as const] : [])));
  await recordFailures(context, of, { plans, planned }, failed, async (number, limit) => {
    const condition = translated.find((one) => one.number === number);
    return condition === undefined ? [] : (await listFailedItems(context, of.items, condition.sql, limit)).map(itemExample(of));
  });
}
