/** Most nodes an evaluation may visit, as far as the expression alone says. */
import { maxListItems } from './limits.ts';
import type { Node } from './node.ts';

/** People and accounts have few of each. */
const fewItems = 100;
const shortLists = ['emails', 'usernames', 'employeeIds'];

/** Nodes that one evaluation visits at most. */
export function costOf(node: Node): number {
  switch (node.op) {
    case 'literal':
    case 'variable':
    case 'local':
    case 'now':
      return 1;
    case 'field':
    case 'has':
      return 1 + costOf(node.of);
    case 'item':
      return 1 + costOf(node.of) + costOf(node.key);
    case 'and':
    case 'or':
      return 1 + sum(node.parts);
    case 'choice':
      return 1 + costOf(node.condition) + Math.max(costOf(node.yes), costOf(node.no));
    case 'call':
    case 'ask':
      return 1 + sum(node.args);
    case 'list':
      return 1 + sum(node.items);
    case 'map':
      return 1 + sum(node.entries.flatMap(({ key, value }) => [key, value]));
    case 'macro': {
      const each = 1 + (node.test === undefined ? 0 : costOf(node.test)) + (node.body === undefined ? 0 : costOf(node.body));
      return 1 + costOf(node.range) + sizeOf(node.range) * each;
    }
  }
}

const sum = (nodes: readonly Node[]): number => nodes.reduce((total, node) => total + costOf(node), 0);

/** Most items a range may have: what is written out has its size, and a comprehension over it no more. */
function sizeOf(range: Node): number {
  if (range.op === 'list') {
    return range.items.length;
  }
  if (range.op === 'map') {
    return range.entries.length;
  }
  if (range.op === 'macro' && range.macro === 'map') {
    return sizeOf(range.range);
  }
  return range.op === 'field' && shortLists.includes(range.field) ? fewItems : maxListItems;
}
