/** Expressions of the code, and the statements that their calls hand to the database. */
import { callGlobal, callMethod, literal, partsInText } from './natives.ts';
import { State } from './state.ts';
import { elementOf } from './types.ts';
import { knownText, list, type Node, nothing, type Part, plain, type Scope, type Value, unknown } from './values.ts';

export class TooLong extends Error {}

/** Methods that hand a statement to the database (src/db/types.ts). */
const handing = new Set(['rows', 'maybe', 'one', 'column', 'maybeValue', 'value', 'run', 'copyFrom', 'copyTo']);

/** Reads expressions. */
export abstract class Expressions extends State {
  /** Calls a function. */
  abstract call(callee: Value, args: readonly Value[] | undefined, site: string): Value;

  /** The value of an expression. */
  read(node: Node, scope: Scope): Value {
    if (++this.steps > 60_000) {
      throw new TooLong();
    }
    switch (node.type) {
      case 'Literal':
        return literal(node, scope.path);
      case 'Identifier':
        return this.lookUp(node['name'], scope);
      case 'TemplateLiteral':
        return { kind: 'text', parts: this.partsOfTemplate(node, scope) };
      case 'TaggedTemplateExpression': {
        const tag = this.read(node['tag'], scope);
        const values = (node['quasi'].expressions as Node[]).map((one) => this.read(one, scope));
        const pieces = (node['quasi'].quasis as Node[]).map((one) => ({
          text: one['value'].cooked as string,
          path: scope.path,
          at: one.start + 1,
        }));
        return tag.kind === 'native' ? tag.call(values, pieces) : unknown(this.site(node, scope));
      }
      case 'ArrowFunctionExpression':
      case 'FunctionExpression':
        return { kind: 'function', node, scope };
      case 'AwaitExpression':
      case 'YieldExpression':
        return node['argument'] === null ? nothing : this.read(node['argument'], scope);
      case 'TSAsExpression':
      case 'TSSatisfiesExpression':
      case 'TSNonNullExpression':
      case 'ChainExpression':
      case 'ParenthesizedExpression':
      case 'TSTypeAssertion': {
        const value = this.read(node['expression'], scope);
        return node['typeAnnotation'] && value.kind === 'unknown' && node['typeAnnotation'].typeName?.name !== 'const'
          ? this.typed(value, { node: node['typeAnnotation'], path: scope.path })
          : value;
      }
      case 'ConditionalExpression':
        return this.read(this.holds(this.read(node['test'], scope)) ? node['consequent'] : node['alternate'], scope);
      case 'LogicalExpression':
        return this.logical(node, scope);
      case 'BinaryExpression':
        return this.binary(node, scope);
      case 'UnaryExpression': {
        const value = this.read(node['argument'], scope);
        if (node['operator'] === '!') {
          return plain(!this.holds(value));
        }
        return node['operator'] === '-' && value.kind === 'plain'
          ? plain(-Number(value.value))
          : node['operator'] === 'void'
            ? nothing
            : unknown(this.site(node, scope));
      }
      case 'AssignmentExpression': {
        const right = this.read(node['right'], scope);
        if (node['left'].type === 'Identifier') {
          const name: string = node['left'].name;
          const before = node['operator'] === '=' ? undefined : this.lookUp(name, scope);
          const sum = before !== undefined && node['operator'] === '+=' ? this.sum(before, right, node, scope) : undefined;
          this.assign(
            name,
            sum ??
              (before !== undefined && /^(?:\?\?|\|\|)=$/.test(node['operator']) && !this.isMissing(before)
                ? before
                : before === undefined
                  ? right
                  : unknown(this.site(node, scope))),
            scope,
          );
        }
        return right;
      }
      case 'ObjectExpression':
        return this.object(node, scope);
      case 'ArrayExpression':
        return this.array(node['elements'], scope);
      case 'MemberExpression':
        return this.access(node, scope);
      case 'CallExpression':
        return this.callOf(node, scope);
      case 'NewExpression': {
        const args = this.argumentsOf(node['arguments'], scope);
        const [first] = args;
        return /^(?:Set|Array)$/.test(node['callee'].name ?? '') && first?.kind === 'list' ? first : unknown(this.site(node, scope));
      }
      case 'SequenceExpression':
        return (node['expressions'] as Node[]).map((one) => this.read(one, scope)).at(-1) ?? nothing;
      default:
        return unknown(this.site(node, scope));
    }
  }

  protected partsOfTemplate(node: Node, scope: Scope): Part[] {
    return (node['quasis'] as Node[]).flatMap((one, at) => {
      const next: Node | undefined = node['expressions'][at];
      const piece = { text: one['value'].cooked as string, path: scope.path, at: one.start + 1 };
      return next === undefined ? [piece] : [piece, ...partsInText(this.settle(this.read(next, scope)))];
    });
  }

  protected logical(node: Node, scope: Scope): Value {
    const left = this.read(node['left'], scope);
    if (node['operator'] === '??') {
      return this.isMissing(left) ? this.read(node['right'], scope) : left;
    }
    const isLeft = this.holds(left) === (node['operator'] === '||');
    if (!isLeft) {
      return this.read(node['right'], scope);
    }
    return left.kind === 'unknown' && node['operator'] === '&&'
      ? plain(false)
      : left.kind === 'unknown' && left.type === undefined
        ? plain(true)
        : left;
  }

  protected sum(left: Value, right: Value, node: Node, scope: Scope): Value {
    if (left.kind === 'plain' && right.kind === 'plain' && typeof left.value === 'number' && typeof right.value === 'number') {
      return plain(left.value + right.value);
    }
    return left.kind === 'text' || right.kind === 'text'
      ? { kind: 'text', parts: [...partsInText(this.settle(left)), ...partsInText(this.settle(right))] }
      : unknown(this.site(node, scope));
  }

  protected binary(node: Node, scope: Scope): Value {
    const left = this.read(node['left'], scope);
    const right = this.read(node['right'], scope);
    const operator: string = node['operator'];
    if (operator === '+') {
      return this.sum(left, right, node, scope);
    }
    if (!/^[!=]==?$/.test(operator)) {
      const [first, second] = [left, right].map((one) => (one.kind === 'plain' ? one.value : undefined));
      if (typeof first === 'number' && typeof second === 'number' && /^[<>]=?$/.test(operator)) {
        return plain(
          operator === '<' ? first < second : operator === '>' ? first > second : operator === '<=' ? first <= second : first >= second,
        );
      }
      return unknown(this.site(node, scope));
    }
    return plain(this.areSame(left, right, node, scope) === operator.startsWith('='));
  }

  protected areSame(left: Value, right: Value, node: Node, scope: Scope): boolean {
    const isNothing = (value: Value) => value.kind === 'plain' && (value.value === undefined || value.value === null);
    if (isNothing(right) || isNothing(left)) {
      return this.isMissing(isNothing(right) ? left : right);
    }
    const [first, second] = [this.settle(left), this.settle(right)];
    const [one, other] = [knownText(first), knownText(second)];
    if (one !== undefined && other !== undefined) {
      return one === other;
    }
    if (first.kind === 'unknown' && second.kind === 'plain' && typeof second.value === 'boolean') {
      return this.holds(first) === second.value;
    }
    if (first.kind === 'unknown' && other !== undefined) {
      return this.choices.choose(`${first.id}===${other}`, 2) === 0;
    }
    return first.kind !== 'unknown' && second.kind !== 'unknown' && first.kind !== second.kind
      ? false
      : this.choices.choose(this.site(node, scope), 2) === 0;
  }

  protected object(node: Node, scope: Scope): Value {
    const members = new Map<string, Value>();
    let isOpen = false;
    for (const one of node['properties'] as Node[]) {
      if (one.type === 'SpreadElement') {
        const value = this.read(one['argument'], scope);
        for (const [name, member] of value.kind === 'object' ? value.members : []) {
          members.set(name, member);
        }
        isOpen ||= value.kind === 'object' ? value.isOpen : value.kind === 'unknown';
      } else {
        const name = one['computed'] ? knownText(this.settle(this.read(one['key'], scope))) : (one['key'].name ?? String(one['key'].value));
        if (name !== undefined) {
          members.set(name, this.read(one['value'], scope));
        }
      }
    }
    return { kind: 'object', members, isOpen };
  }

  protected array(nodes: readonly (Node | null)[], scope: Scope): Value {
    const items: Value[] = [];
    let isOpen = false;
    for (const node of nodes) {
      if (node?.type === 'SpreadElement') {
        const value = this.read(node['argument'], scope);
        items.push(
          ...(value.kind === 'list'
            ? value.items
            : value.kind === 'unknown'
              ? [unknown(`${value.id}[]`, elementOf(this.sources, value.type))]
              : []),
        );
        isOpen ||= value.kind === 'list' ? value.isOpen : true;
      } else {
        items.push(node === null ? nothing : this.read(node, scope));
      }
    }
    return list(items, isOpen);
  }

  protected argumentsOf(nodes: readonly Node[], scope: Scope): readonly Value[] {
    const value = this.array(nodes, scope);
    return value.kind === 'list' ? value.items : [];
  }

  protected access(node: Node, scope: Scope): Value {
    const object = this.read(node['object'], scope);
    return this.accessOn(object, node, scope);
  }

  protected accessOn(object: Value, node: Node, scope: Scope): Value {
    if (!node['computed']) {
      return this.member(object, node['property'].name, this.site(node, scope));
    }
    const key = this.settle(this.read(node['property'], scope));
    const name = knownText(key);
    if (name !== undefined) {
      return this.member(object, name, this.site(node, scope));
    }
    const members = object.kind === 'object' ? [...object.members.values()] : object.kind === 'list' ? object.items : [];
    return members.length > 0
      ? (members[this.choices.choose(`${key.kind === 'unknown' ? key.id : this.site(node, scope)}[]`, members.length)] ?? nothing)
      : unknown(this.site(node, scope), object.kind === 'unknown' ? elementOf(this.sources, object.type) : undefined);
  }

  protected callOf(node: Node, scope: Scope): Value {
    const site = this.site(node, scope);
    const callee: Node = node['callee'];
    const call = (value: Value, args: readonly Value[]) => this.call(value, args, `${scope.path}:${node.start}`);
    if (callee.type !== 'MemberExpression') {
      const target = this.read(callee, scope);
      const args = this.argumentsOf(node['arguments'], scope);
      return (
        (target.kind === 'unknown' && callee.type === 'Identifier'
          ? callGlobal(
              callee['name'],
              args.map((arg) => this.settle(arg)),
              call,
            )
          : undefined) ?? this.called(target, args, node, scope)
      );
    }
    const name: string = callee['computed'] ? '' : callee['property'].name;
    const object = this.read(callee['object'], scope);
    if (callee['optional'] && this.isMissing(object)) {
      return nothing;
    }
    const args = this.argumentsOf(node['arguments'], scope);
    const [first] = args;
    if (handing.has(name) && first !== undefined && object.kind === 'unknown') {
      const isDb = /(?:^|\.)(?:db|system|owner|tx)$/.test(object.id) || object.id.endsWith('db');
      if (first.kind === 'sql' || first.kind === 'text' || (isDb && first.kind === 'unknown')) {
        this.onFound({ path: scope.path, at: node.start, parts: first.kind === 'unknown' ? [{ gap: first.id }] : first.parts });
        return unknown(site);
      }
    }
    if (name === 'push' && object.kind === 'list' && callee['object'].type === 'Identifier') {
      this.assign(callee['object'].name, list([...object.items, ...args], object.isOpen), scope);
      return unknown(site);
    }
    const known =
      callMethod(object, name, args, call, site) ??
      (callee['object'].type === 'Identifier' ? callGlobal(`${callee['object'].name}.${name}`, args, call) : undefined);
    if (known !== undefined) {
      return known;
    }
    if (object.kind === 'unknown' || object.kind === 'list') {
      return this.overUnknown(object, name, args, node, scope);
    }
    return this.called(this.accessOn(object, callee, scope), args, node, scope);
  }

  /** Lets a function that is handed to an unknown value's method run once, with an unknown argument. */
  protected overUnknown(object: Value, name: string, args: readonly Value[], node: Node, scope: Scope): Value {
    const site = this.site(node, scope);
    const element = object.kind === 'unknown' ? elementOf(this.sources, object.type) : undefined;
    const item = unknown(`${object.kind === 'unknown' ? object.id : site}[]`, element);
    const results = args
      .filter((arg) => arg.kind === 'function')
      .map((arg) => this.call(arg, name === 'transaction' || name === 'reduce' ? undefined : [item, unknown(`${site}#`)], site));
    const [result] = results;
    if (result !== undefined && (name === 'map' || name === 'flatMap')) {
      return result.kind === 'list' && name === 'flatMap' ? result : list([result], true);
    }
    if (result !== undefined && name === 'transaction') {
      return result;
    }
    if (/^(?:filter|toSorted|slice|sort|values)$/.test(name) && object.kind === 'unknown') {
      return unknown(`${object.id}.${name}`, object.type);
    }
    return object.kind === 'unknown' ? this.call(this.member(object, name, site), args, site) : unknown(site);
  }

  protected called(target: Value, args: readonly Value[], node: Node, scope: Scope): Value {
    for (const arg of target.kind === 'unknown' ? args : []) {
      if (arg.kind === 'function') {
        this.call(arg, undefined, `${scope.path}:${node.start}`);
      }
    }
    return this.call(target, args, `${scope.path}:${node.start}`);
  }
}
