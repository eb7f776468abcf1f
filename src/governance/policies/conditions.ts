/** Reading conditions of rules: what of an item each reads, so that it is evaluated once for each value of that. */
import { compileExpression, type Expression } from '../../lib/cel/compile.ts';
import type { Node } from '../../lib/cel/node.ts';

/** Part of an item that is read: its entitlement, what belongs to its account, or both of these, or the grant itself. */
export type ConditionSide = 'entitlement' | 'account' | 'both';

/** A condition that can be evaluated, or why it cannot. */
export type ReadCondition = { readonly expression: Expression; readonly side: ConditionSide } | { readonly problem: string };

/** Fields the same for all tasks of a review. */
const sameForAll = ['origin', 'createdAt', 'requestorUserId'];

function sideOfField({ object, field, of }: Node & { readonly op: 'field' }): ConditionSide | undefined {
  if (object === 'Task' && of.op === 'variable') {
    return sameForAll.includes(field) ? undefined : field === 'subjectUserId' ? 'account' : 'both';
  }
  return conditionSide(of);
}

/** Finds what a part of a condition reads; undefined for what is the same for every item. */
export function conditionSide(node: Node): ConditionSide | undefined {
  switch (node.op) {
    case 'variable':
      return node.name === 'entitlement' ? 'entitlement' : node.name === 'task' ? 'both' : 'account';
    case 'field':
      return sideOfField(node);
    case 'has':
      return node.of.op === 'variable' && node.of.name === 'task' ? 'both' : conditionSide(node.of);
    default:
      return partsOf(node)
        .map(conditionSide)
        .reduce((one, other) => (one === other || other === undefined ? one : one === undefined ? other : 'both'), undefined);
  }
}

/** The parts that a node is made of. */
function partsOf(node: Node): readonly Node[] {
  switch (node.op) {
    case 'field':
    case 'has':
      return [node.of];
    case 'item':
      return [node.of, node.key];
    case 'and':
    case 'or':
      return node.parts;
    case 'choice':
      return [node.condition, node.yes, node.no];
    case 'call':
    case 'ask':
      return node.args;
    case 'list':
      return node.items;
    case 'map':
      return node.entries.flatMap(({ key, value }) => [key, value]);
    case 'macro':
      return [node.range, ...[node.test, node.body].filter((part) => part !== undefined)];
    default:
      return [];
  }
}

/** True if a part names the item of a comprehension that stands around it. */
export function hasOuterLocals(node: Node, inner: readonly number[] = []): boolean {
  if (node.op === 'local') {
    return !inner.includes(node.slot);
  }
  if (node.op === 'macro') {
    const within = [...inner, node.slot];
    return hasOuterLocals(node.range, inner) || [node.test, node.body].some((part) => part !== undefined && hasOuterLocals(part, within));
  }
  return partsOf(node).some((part) => hasOuterLocals(part, inner));
}

/** Compiles a condition for a review. One that reads nothing of the item is evaluated with the accounts. */
export function readCondition(text: string): ReadCondition {
  const result = compileExpression(text, 'POLICY_CONDITION');
  if ('errors' in result) {
    const shown = JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
    return { problem: `the condition ${shown} does not compile: ${result.errors[0]?.message}` };
  }
  const { expression } = result;
  return { expression, side: conditionSide(expression.node) ?? 'account' };
}
