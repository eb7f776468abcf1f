/** The part of the type checker for calls: operators, functions, methods, and functions that the inventory answers. */
import { RE2JS } from '@bufbuild/re2';
import { type CallName, functions, isIn, methods, operatorSigns, operators, type Overload } from './calls.ts';
import type { Checker, Tree } from './check.ts';
import { type DirectoryFunction, directoryFunctions, type Environment, isDirectoryFunction } from './environments.ts';
import type { Node } from './node.ts';
import { enums, objectFields } from './objects.ts';
import { boolType, dynType, fits, join, typeLabel, timestampType, type Type } from './types.ts';

type Call = Extract<Tree['exprKind'], { case: 'callExpr' }>['value'];

const macros = ['all', 'exists', 'exists_one', 'map', 'filter', 'has'];

/** Checks calls for one checker. */
export class Calls {
  private readonly checker: Checker;

  constructor(checker: Checker) {
    this.checker = checker;
  }

  /** The node of a call. */
  check(tree: Tree, at: number): Node {
    const call = (tree.exprKind as { value: Call }).value;
    const { function: name, target, args } = call;
    if (target === undefined && (name === '_&&_' || name === '_||_')) {
      return this.checkChain(tree, name, at);
    }
    if (target === undefined && name === '_?_:_') {
      const condition = this.checker.checkBool(args[0]!, 'the condition before ?');
      const [yes, no] = [this.checker.check(args[1]!), this.checker.check(args[2]!)];
      return { op: 'choice', condition, yes, no, type: join(yes.type, no.type), at };
    }
    if (target === undefined && name === '_[_]') {
      return this.checkItem(args, at);
    }
    if (target === undefined && isIn(operators, name)) {
      return this.checkOperator(name, call, at);
    }
    return this.checkFunction(tree, call, at);
  }

  /** a && b && c is one node: a long chain is not a deep tree. */
  private checkChain(tree: Tree, name: '_&&_' | '_||_', at: number): Node {
    const parts: Node[] = [];
    const waiting = [tree];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (next.exprKind.case === 'callExpr' && next.exprKind.value.function === name && next.exprKind.value.target === undefined) {
        waiting.push(...next.exprKind.value.args.toReversed());
      } else {
        parts.push(this.checker.checkBool(next, `each side of ${name === '_&&_' ? '&&' : '||'}`));
      }
    }
    return { op: name === '_&&_' ? 'and' : 'or', parts, type: boolType, at };
  }

  private checkItem(args: readonly Tree[], at: number): Node {
    const of = this.checker.check(args[0]!);
    const key = this.checker.check(args[1]!);
    const { type } = of;
    if (type.kind === 'list' && !fits(key.type, { kind: 'int' })) {
      return this.checker.fault(key.at, `an item of a list is named by an int, and this is ${typeLabel(key.type)}`);
    }
    if (type.kind !== 'list' && type.kind !== 'map' && type.kind !== 'dyn') {
      return this.checker.fault(of.at, `only lists and maps have items, and this is ${typeLabel(type)}`);
    }
    return { op: 'item', of, key, type: 'of' in type ? type.of : dynType, at };
  }

  private checkOperator(name: keyof typeof operators, call: Call, at: number): Node {
    const args = call.args.map((arg) => this.checker.check(arg));
    const sign = operatorSigns[name] ?? name.replaceAll('_', '');
    const overloads: readonly Overload[] = operators[name];
    const found = overloads.find((overload) => takes(overload, args));
    if (found === undefined) {
      const types = args.map(({ type }) => typeLabel(type)).join(' and ');
      return this.checker.fault(at, `${sign} does not apply to ${types}`);
    }
    this.checkEnumText(name, args);
    return { op: 'call', name, args, type: resultOf(name, found, args), at };
  }

  /** A status compared with a text that no status has is a mistake, not a comparison that is always false. */
  private checkEnumText(name: CallName, args: readonly Node[]): void {
    if (name !== '_==_' && name !== '_!=_') {
      return;
    }
    for (const [field, other] of [args, args.toReversed()] as [Node, Node][]) {
      const prefix = field.op === 'field' ? objectFields[field.object][field.field]?.prefix : undefined;
      if (prefix !== undefined && other.op === 'literal' && typeof other.value === 'string') {
        const [enumName, { values }] = Object.entries(enums).find(([, one]) => one.prefix === prefix)!;
        if (!other.value.startsWith(prefix) || !values.includes(other.value.slice(prefix.length))) {
          this.checker.fault(other.at, `${enumName} has no such value; write ${enumName}.${values[1]} or another of ${values.join(', ')}`);
        }
      }
    }
  }

  private checkFunction(tree: Tree, call: Call, at: number): Node {
    const { function: name, target } = call;
    const qualifier = target === undefined ? '' : this.checker.qualifiedName(target);
    const full = (qualifier === '' ? name : `${qualifier}.${name}`).replace(/^\./, '');
    if (qualifier !== undefined && isDirectoryFunction(full)) {
      return this.checkAsked(full, directoryFunctions[full], call, at);
    }
    if (full === 'now' && call.args.length === 0) {
      return { op: 'now', type: timestampType, at };
    }
    if (qualifier !== undefined && isIn(functions, full)) {
      const args = call.args.map((arg) => this.checker.check(arg));
      return this.applied(full, functions[full], args, at, at);
    }
    const place = target === undefined ? at : this.checker.placeOfName(tree);
    if (macros.includes(name)) {
      return this.checker.fault(place, `${name}() is written ${name === 'has' ? 'has(subject.profile.key)' : `list.${name}(item, ...)`}`);
    }
    const isNamespace = qualifier !== undefined && qualifier !== '' && /^(c1|time|ip|cidr|strings|math)(\.|$)/.test(qualifier);
    if (target === undefined || isNamespace) {
      return this.checker.fault(at, `there is no function ${full}() here`);
    }
    const args = [target, ...call.args].map((arg) => this.checker.check(arg));
    if (!isIn(methods, name)) {
      return this.checker.fault(place, `there is no function ${name}() here`);
    }
    return this.applied(name, methods[name], args, at, place);
  }

  private applied(name: CallName, overloads: readonly Overload[], args: readonly Node[], at: number, place: number): Node {
    const found = overloads.find((overload) => takes(overload, args));
    if (found === undefined) {
      const types = args.map(({ type }) => typeLabel(type)).join(', ');
      const wanted = overloads.map((overload) => `(${overload.takes.map(typeLabel).join(', ')})`).join(' or ');
      return this.checker.fault(place, `${name}() does not take (${types}); it takes ${wanted}`);
    }
    const pattern = args[1];
    if (name === 'matches' && pattern?.op === 'literal' && typeof pattern.value === 'string') {
      try {
        RE2JS.compile(pattern.value);
      } catch (error) {
        return this.checker.fault(pattern.at, `this is not a regular expression: ${error instanceof Error ? error.message : ''}`);
      }
    }
    return { op: 'call', name, args, type: resultOf(name, found, args), at };
  }

  private checkAsked(name: keyof typeof directoryFunctions, known: DirectoryFunction, call: Call, at: number): Node {
    const args = call.args.map((arg) => this.checker.check(arg));
    const where: readonly Environment[] = known.where;
    if (!where.includes(this.checker.environment)) {
      return this.checker.fault(at, `the function ${name}() is not available here`);
    }
    if (!known.takes.some((wanted) => wanted.length === args.length && wanted.every((type, index) => fits(args[index]!.type, type)))) {
      const types = args.map(({ type }) => typeLabel(type)).join(', ');
      const wanted = known.takes.map((one) => `(${one.map(typeLabel).join(', ')})`).join(' or ');
      return this.checker.fault(at, `${name}() does not take (${types}); it takes ${wanted}`);
    }
    this.checker.uses.functions.add(name);
    return { op: 'ask', name, args, type: known.gives, at };
  }
}

const takes = (overload: Overload, args: readonly Node[]): boolean =>
  overload.takes.length === args.length && overload.takes.every((type, index) => fits(args[index]!.type, type));

const arithmetic: readonly CallName[] = ['_+_', '_-_', '_*_', '_/_', '_%_', '-_', 'time.unix', 'time.unix_ms'];

/** Type a call gives: less than its table says where an argument's type is not known, more where lists are added. */
function resultOf(name: CallName, overload: Overload, args: readonly Node[]): Type {
  if (name === '_+_' && overload.gives.kind === 'list') {
    return join(args[0]!.type, args[1]!.type);
  }
  return arithmetic.includes(name) && args.some(({ type }) => type.kind === 'dyn') ? dynType : overload.gives;
}
