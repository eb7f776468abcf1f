/** The parts of expressions that depend on nothing but the moment: evaluated here, and values in the statement. */
import { makeProgram } from '../../../lib/cel/evaluate.ts';
import type { Node } from '../../../lib/cel/node.ts';
import { Duration, Failure, fromDate, Timestamp, type Value } from '../../../lib/cel/values.ts';
import { fixed, sql } from '../../../lib/sql.ts';
import { hasOnlyStorable, type Kind, type Piece } from './store-translate-columns.ts';

/** True if a node names neither the subject nor an item, and asks nothing. */
export function hasConstantValue(node: Node): boolean {
  switch (node.op) {
    case 'literal':
    case 'now':
      return true;
    case 'and':
    case 'or':
      return node.parts.every(hasConstantValue);
    case 'choice':
      return [node.condition, node.yes, node.no].every(hasConstantValue);
    case 'call':
      return node.args.every(hasConstantValue);
    case 'item':
      return hasConstantValue(node.of) && hasConstantValue(node.key);
    case 'list':
      return node.items.every(hasConstantValue);
    default:
      return false;
  }
}

/** The value of a constant node at a moment; undefined where SQL has none like it. */
export function getConstant(now: Date, node: Node): Piece | undefined {
  const value = makeProgram(node)({ variables: {}, now: fromDate(now), ask: () => new Failure('') });
  return value instanceof Failure ? constantError(node) : constant(value);
}

function constant(value: Value): Piece | undefined {
  if (typeof value === 'string') {
    return hasOnlyStorable(value) ? { kind: 'text', sql: sql`(${value}::text COLLATE "C")`, value } : undefined;
  }
  if (typeof value === 'boolean') {
    return { kind: 'bool', sql: fixed(String(value)), value };
  }
  if (typeof value === 'bigint') {
    return { kind: 'int', sql: sql`${String(value)}::bigint`, value };
  }
  if (typeof value === 'number') {
    return Number.isFinite(value) ? { kind: 'double', sql: sql`${String(value)}::float8`, value } : undefined;
  }
  if (value instanceof Timestamp || value instanceof Duration) {
    return { kind: 'nanos', sql: sql`${String(value.nanos)}::numeric`, isDuration: value instanceof Duration };
  }
  return undefined;
}

const kinds: Readonly<Record<string, [Kind, string]>> = {
  bool: ['bool', 'boolean'],
  string: ['text', 'text'],
  int: ['int', 'bigint'],
  timestamp: ['nanos', 'numeric'],
};

function constantError({ type }: Node): Piece | undefined {
  const found = kinds[type.kind];
  return found && { kind: found[0], sql: fixed(`NULL::${found[1]}`), mayFail: true };
}
