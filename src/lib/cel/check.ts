/**
 * The type checker: from the parser's tree to nodes with types. It knows what an environment may name and call, and reports what is wrong
 * with the place in the text. It goes on after an error, so that one run reports several.
 */
import type { parse } from '@bufbuild/cel';
import { Calls } from './check-call.ts';
import { type DirectoryFunctionName, type Environment, environments, type VariableName } from './environments.ts';
import { maxErrors, maxNesting } from './limits.ts';
import type { Macro, Node } from './node.ts';
import { enumValue, enums, fieldNamed, objectFields } from './objects.ts';
import { isIn, timeFormats } from './calls.ts';
import type { Fault } from './scan.ts';
import {
  boolType,
  dynType,
  doubleType,
  fits,
  intType,
  join,
  listOf,
  mapType,
  typeLabel,
  nullType,
  stringType,
  type Type,
  typeType,
} from './types.ts';
import { TypeValue, type Value } from './values.ts';

/** Types that have a name, to compare what type(x) gives with; of times by the names of their functions, too. No value is of the type bytes. */
const typeNames: ReadonlyMap<string, string> = new Map([
  ...['bool', 'int', 'double', 'string', 'bytes', 'list', 'map', 'null_type', 'type'].map((name) => [name, name] as const),
  ['timestamp', 'google.protobuf.Timestamp'],
  ['duration', 'google.protobuf.Duration'],
]);

/** The parser's tree. */
export type Tree = ReturnType<typeof parse>['expr'];
type Positions = Readonly<Record<number, number>>;
type Comprehension = Extract<Tree['exprKind'], { case: 'comprehensionExpr' }>['value'];

/** Inputs of a checked expression: variables, and fields of these; functions that the inventory answers. */
export interface Uses {
  /** Each variable that is named, with the first place where it is. */
  readonly variables: Map<VariableName, number>;
  /** 'subject.department', and 'subject.profile' however much of it; 'subject' alone where the whole is handed on. */
  readonly fields: Set<string>;
  readonly functions: Set<DirectoryFunctionName>;
}

interface Local {
  readonly name: string;
  readonly slot: number;
  readonly type: Type;
}

const failed = (at: number): Node => ({ op: 'literal', value: null, type: dynType, at });

/** Checks one expression. */
export class Checker {
  readonly faults: Fault[] = [];
  readonly uses: Uses = { variables: new Map(), fields: new Set(), functions: new Set() };
  readonly environment: Environment;
  readonly text: string;
  private readonly positions: Positions;
  private readonly locals: Local[] = [];
  private readonly calls: Calls;

  constructor(environment: Environment, text: string, positions: Positions) {
    this.environment = environment;
    this.text = text;
    this.positions = positions;
    this.calls = new Calls(this);
  }

  /** Notes what is wrong at a place, and gives a node that fits everywhere. */
  fault(at: number, message: string): Node {
    if (this.faults.length < maxErrors) {
      this.faults.push({ at, message });
    }
    return failed(at);
  }

  /** Start of a tree in the text: the parser places operators and selections behind their first operand. */
  placeOf(tree: Tree): number {
    const own = this.positions[Number(tree.id)] ?? 0;
    const { exprKind } = tree;
    if (exprKind.case === 'selectExpr' && exprKind.value.operand !== undefined) {
      return Math.min(own, this.placeOf(exprKind.value.operand));
    }
    if (exprKind.case === 'callExpr') {
      const first = exprKind.value.target ?? exprKind.value.args[0];
      return first === undefined ? own : Math.min(own, this.placeOf(first));
    }
    return own;
  }

  /** Place of the name behind the dot of a selection, or of a call on a value. */
  placeOfName(tree: Tree): number {
    let at = this.positions[Number(tree.id)] ?? 0;
    while (/[.\s(]/.test(this.text[at] ?? 'x')) {
      at++;
    }
    return at;
  }

  /** The node of a tree. */
  check(tree: Tree): Node {
    const at = this.placeOf(tree);
    const { exprKind } = tree;
    switch (exprKind.case) {
      case 'constExpr':
        return this.checkLiteral(tree, at);
      case 'identExpr':
        return this.checkName(exprKind.value.name, at);
      case 'selectExpr':
        return this.checkSelection(tree, at);
      case 'callExpr':
        return this.calls.check(tree, at);
      case 'listExpr': {
        const items = exprKind.value.elements.map((element) => this.check(element));
        return { op: 'list', items, type: listOf(joined(items)), at };
      }
      case 'structExpr': {
        if (exprKind.value.messageName !== '') {
          return this.fault(at, `${exprKind.value.messageName}{...}: messages cannot be made here`);
        }
        const entries = exprKind.value.entries.flatMap(({ keyKind, value }) =>
          keyKind.case === 'mapKey' && value !== undefined ? [{ key: this.check(keyKind.value), value: this.check(value) }] : [],
        );
        return { op: 'map', entries, type: mapType(joined(entries.map(({ value }) => value))), at };
      }
      case 'comprehensionExpr':
        return this.checkMacro(exprKind.value, at);
      default:
        return this.fault(at, 'this is not an expression');
    }
  }

  /** The node of a tree, which must be a bool. */
  checkBool(tree: Tree, what: string): Node {
    const node = this.check(tree);
    return fits(node.type, boolType) ? node : this.fault(node.at, `${what} must be a bool, and this is ${typeLabel(node.type)}`);
  }

  /** True if a name stands for the item of a comprehension here, and so hides whatever else it may be. */
  isLocal(name: string): boolean {
    return this.locals.some((local) => local.name === name);
  }

  /** 'a.b.c' where a tree is nothing but names, the first of them not an item's. */
  qualifiedName(tree: Tree): string | undefined {
    const { exprKind } = tree;
    if (exprKind.case === 'identExpr') {
      return this.isLocal(exprKind.value.name) ? undefined : exprKind.value.name.replace(/^\./, '');
    }
    if (exprKind.case === 'selectExpr' && !exprKind.value.testOnly && exprKind.value.operand !== undefined) {
      const before = this.qualifiedName(exprKind.value.operand);
      return before === undefined ? undefined : `${before}.${exprKind.value.field}`;
    }
    return undefined;
  }

  private checkLiteral(tree: Tree, at: number): Node {
    const constant = tree.exprKind.case === 'constExpr' ? tree.exprKind.value.constantKind : undefined;
    const literal = (value: Value, type: Type): Node => ({ op: 'literal', value, type, at });
    switch (constant?.case) {
      case 'stringValue':
        return literal(constant.value, stringType);
      case 'boolValue':
        return literal(constant.value, boolType);
      case 'nullValue':
        return literal(null, nullType);
      case 'doubleValue':
        return literal(constant.value, doubleType);
      case 'int64Value':
        return BigInt.asIntN(64, constant.value) === constant.value
          ? literal(constant.value, intType)
          : this.fault(at, 'this number is too large for an int');
      case 'uint64Value':
        return this.fault(at, 'unsigned numbers are not supported; write the number without u');
      default:
        return this.fault(at, 'bytes are not supported; write a text without b');
    }
  }

  private checkName(written: string, at: number): Node {
    const name = written.replace(/^\./, '');
    const local = this.locals.findLast((one) => one.name === name);
    if (local !== undefined) {
      return { op: 'local', slot: local.slot, type: local.type, at };
    }
    const { variables } = environments[this.environment];
    const type = Object.hasOwn(variables, name) ? variables[name] : undefined;
    if (type !== undefined) {
      // A person and an account each have two names.
      const canonical = this.environment === 'REVIEW_USERS' || this.environment === 'REVIEW_ACCOUNTS' ? 'subject' : (name as VariableName);
      this.uses.variables.set(canonical, this.uses.variables.get(canonical) ?? at);
      this.uses.fields.add(canonical);
      return { op: 'variable', name: canonical, type, at };
    }
    if (name === 'now') {
      return { op: 'now', type: { kind: 'timestamp' }, at };
    }
    const value = enumValue(undefined, name);
    if (value !== undefined) {
      return { op: 'literal', value, type: stringType, at };
    }
    const typeName = typeNames.get(name);
    if (typeName !== undefined) {
      return { op: 'literal', value: new TypeValue(typeName), type: typeType, at };
    }
    const names = Object.keys(variables).join(', ');
    return this.fault(at, `nothing is called ${name} here; what may be named: ${names}`);
  }

  private checkSelection(tree: Tree, at: number): Node {
    const select = tree.exprKind.case === 'selectExpr' ? tree.exprKind.value : undefined;
    if (select?.operand === undefined) {
      return this.fault(at, 'this is not an expression');
    }
    const place = this.placeOfName(tree);
    const constant = this.checkConstant(select.operand, select.field, at, place);
    if (constant !== undefined) {
      return constant;
    }
    const isBare = select.operand.exprKind.case === 'identExpr';
    const before = isBare ? new Set(this.uses.fields) : undefined;
    const of = this.check(select.operand);
    if (of.type.kind === 'object') {
      const { name: object } = of.type;
      const field = fieldNamed(object, select.field);
      if (field === undefined) {
        return this.fault(place, unknownField(object, select.field));
      }
      if (of.op === 'variable') {
        if (before !== undefined && !before.has(of.name)) {
          this.uses.fields.delete(of.name);
        }
        this.uses.fields.add(`${of.name}.${objectFields[object][field]!.alias ?? field}`);
      }
      if (select.testOnly) {
        return { op: 'has', of, key: field, type: boolType, at };
      }
      return { op: 'field', of, object, field: objectFields[object][field]!.alias ?? field, type: objectFields[object][field]!.type, at };
    }
    if (of.type.kind !== 'map' && of.type.kind !== 'dyn') {
      return this.fault(place, `${typeLabel(of.type)} has no field ${select.field}`);
    }
    if (select.testOnly) {
      return { op: 'has', of, key: select.field, type: boolType, at };
    }
    const key: Node = { op: 'literal', value: select.field, type: stringType, at: place };
    return { op: 'item', of, key, type: of.type.kind === 'map' ? of.type.of : dynType, at };
  }

  /** UserStatus.ENABLED, TimeFormat.DATE; undefined for anything that is no constant. */
  private checkConstant(operand: Tree, member: string, at: number, place: number): Node | undefined {
    const name = operand.exprKind.case === 'identExpr' ? operand.exprKind.value.name : '';
    if (this.isLocal(name)) {
      return undefined;
    }
    if (isIn(enums, name)) {
      const value = enumValue(name, member);
      return value === undefined
        ? this.fault(place, `${name} has no value ${member}; it has ${enums[name].values.join(', ')}`)
        : { op: 'literal', value, type: stringType, at };
    }
    if (name === 'TimeFormat') {
      return isIn(timeFormats, member)
        ? { op: 'literal', value: timeFormats[member], type: stringType, at }
        : this.fault(place, `TimeFormat has no ${member}; it has ${Object.keys(timeFormats).join(', ')}`);
    }
    return undefined;
  }

  private checkMacro(fold: Comprehension, at: number): Node {
    const range = this.check(fold.iterRange!);
    const place = Math.min(at, range.at);
    if (range.type.kind !== 'list' && range.type.kind !== 'map' && range.type.kind !== 'dyn') {
      return this.fault(range.at, `only lists and maps can be gone through, and this is ${typeLabel(range.type)}`);
    }
    if (this.locals.length === maxNesting) {
      return this.fault(place, `no more than ${maxNesting} of all(), exists(), exists_one(), map() and filter() may be nested`);
    }
    const slot = this.locals.length;
    this.locals.push({ name: fold.iterVar, slot, type: range.type.kind === 'list' ? range.type.of : dynType });
    const node = this.checkFold(fold, slot, range, place);
    this.locals.pop();
    return node;
  }

  /** The parser has made a loop of the macro; its first value and its step say which macro it was. */
  private checkFold(fold: Comprehension, slot: number, range: Node, at: number): Node {
    const common = { op: 'macro', slot, range, at } as const;
    const step = fold.loopStep!.exprKind;
    const args = step.case === 'callExpr' ? step.value.args : [];
    const start = fold.accuInit!.exprKind;
    if (start.case === 'constExpr' && start.value.constantKind.case === 'boolValue') {
      const macro: Macro = start.value.constantKind.value ? 'all' : 'exists';
      return { ...common, macro, test: this.checkBool(args[1]!, `what ${macro}() asks`), body: undefined, type: boolType };
    }
    const isConditional = step.case === 'callExpr' && step.value.function === '_?_:_';
    const test = isConditional ? this.checkBool(args[0]!, 'what is asked of each item') : undefined;
    if (start.case === 'constExpr') {
      return { ...common, macro: 'exists_one', test, body: undefined, type: boolType };
    }
    const sum = isConditional ? args[1]! : fold.loopStep!;
    const added = sum.exprKind.case === 'callExpr' ? sum.exprKind.value.args[1]! : sum;
    const body = this.check(added.exprKind.case === 'listExpr' ? added.exprKind.value.elements[0]! : added);
    return { ...common, macro: 'map', test, body, type: listOf(body.type) };
  }
}

function joined(nodes: readonly Node[]): Type {
  return nodes.length === 0 ? dynType : nodes.map(({ type }) => type).reduce(join);
}

function unknownField(object: keyof typeof objectFields, field: string): string {
  const later = object === 'Task' && ['id', 'numericId', 'numeric_id', 'displayName', 'display_name'].includes(field);
  const names = Object.keys(objectFields[object]).join(', ');
  return later ? `the task's ${field} is not known yet when policies are chosen` : `${object} has no field ${field}; it has ${names}`;
}
