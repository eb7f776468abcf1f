/**
 * Plans how each condition of the policies of a snapshot is evaluated. One that reads the entitlement alone, or what belongs to the account alone,
 * is evaluated once for each of these. Of one that reads both, the parts that read one side are evaluated so too, and the database puts them
 * together for each item. Only where it cannot do that, the condition is evaluated here for one item after the other.
 */
import type { FieldViolation } from '../../../errors.ts';
import type { Context } from '../../../context.ts';
import type { Expression } from '../../../lib/cel/compile.ts';
import { costOf } from '../../../lib/cel/cost.ts';
import { makeProgram } from '../../../lib/cel/evaluate.ts';
import type { Node } from '../../../lib/cel/node.ts';
import type { Sql } from '../../../lib/sql.ts';
import { hasOuterLocals, type Plans, readCondition, conditionSide } from '../../policies/index.ts';
import { refuseSnapshot } from '../scope/index.ts';
import { getFrozenPartSql, type ItemSide, getFrozenPlaces, getItemPlaces } from './store-frozen-places.ts';
import { getTranslationSql } from '../expressions/index.ts';

/** A condition, or a part of one, that reads one side; `number` is what it is kept by. */
export interface SideCondition {
  readonly number: number;
  readonly expression: Expression;
  readonly side: ItemSide;
  /** Over a frozen account with its owner, or a frozen entitlement; undefined where the database cannot evaluate it. */
  readonly sql: Sql | undefined;
}

/** A condition that reads both sides, or the grant. */
export interface ItemCondition {
  readonly number: number;
  readonly expression: Expression;
  /** Over an item; undefined where the database cannot evaluate it. */
  readonly sql: Sql | undefined;
}

/** All conditions of the policies of a snapshot. The same policies always give the same. */
export interface PlannedConditions {
  readonly sides: readonly SideCondition[];
  readonly items: readonly ItemCondition[];
}

/** Facts that all tasks of a review share: who made it, and when its snapshot was taken. */
export interface SnapshotMoment {
  readonly createdById: string;
  readonly takenAt: Date;
}

/** The most parts that are evaluated by themselves: each is a number in the row of every account or entitlement. */
const maxParts = 1_000;

/** A part of an expression by itself. */
function partOf(expression: Expression, node: Node): Expression {
  return { ...expression, result: 'bool', node, program: makeProgram(node), cost: costOf(node) };
}

/** Plans the conditions; FAILED_PRECONDITION with every one that does not compile. */
export function planConditions(context: Context, plans: Plans, { createdById, takenAt }: SnapshotMoment): PlannedConditions {
  // What says `now` in an expression is the moment of the snapshot.
  const then = { ...context, now: takenAt };
  const task = { requestorUserId: createdById, createdAt: takenAt };
  const violations: FieldViolation[] = [];
  const sides: SideCondition[] = [];
  const items: ItemCondition[] = [];
  const translateSide = (part: Expression): Sql | undefined => getTranslationSql(then, part, { places: getFrozenPlaces(task) });
  let next = plans.conditions.length;
  for (const [number, text] of plans.conditions.entries()) {
    const read = readCondition(text);
    if ('problem' in read) {
      violations.push({ field: 'accessReview.policyId', description: read.problem });
      continue;
    }
    const { expression, side } = read;
    if (side !== 'both') {
      sides.push({ number, expression, side, sql: translateSide(expression) });
      continue;
    }
    const parts: SideCondition[] = [];
    const getKnown = (node: Node): Sql | undefined => {
      const of = conditionSide(node);
      if (of === undefined || of === 'both' || hasOuterLocals(node)) {
        return undefined;
      }
      const part = partOf(expression, node);
      parts.push({ number: next + parts.length, expression: part, side: of, sql: translateSide(part) });
      return getFrozenPartSql(of, next + parts.length - 1);
    };
    const sql = getTranslationSql(then, expression, { places: getItemPlaces(task), getKnown, isLater: true });
    const isUsed = sql !== undefined && next + parts.length <= plans.conditions.length + maxParts;
    items.push({ number, expression, sql: isUsed ? sql : undefined });
    if (isUsed) {
      sides.push(...parts);
      next += parts.length;
    }
  }
  refuseSnapshot(violations);
  return { sides, items };
}
