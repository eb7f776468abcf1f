/** Reads what functions of the code do with pieces of SQL, without running them: a value that only a run would tell stays unknown. */
import type { Choices } from './choices.ts';
import { Expressions, TooLong } from './expressions.ts';
import { elementOf, optional } from './types.ts';
import { knownText, list, type Node, nothing, type Scope, type Typed, type Value, unknown } from './values.ts';

/** End of a function, of a loop or of a run that became too long. */
type End = { readonly returned: Value } | 'thrown' | 'left' | undefined;

/** Reads functions, one way through each at a time. */
export class Reader extends Expressions {
  /** Goes one way through a function, nothing of whose arguments is known. */
  follow(entry: Value, choices: Choices): void {
    this.choices = choices;
    this.steps = 0;
    this.frames.length = 0;
    try {
      this.call(entry, undefined, 'entry');
    } catch (error) {
      if (!(error instanceof TooLong)) {
        throw error;
      }
    }
  }

  /** Runs the statements of a file that stand in no function, such as the filling of slots. */
  runFile(path: string, choices: Choices): void {
    this.choices = choices;
    this.steps = 0;
    const scope: Scope = { names: new Map(), outer: undefined, path };
    for (const node of this.sources.get(path)?.body ?? []) {
      if (node.type === 'ExpressionStatement') {
        this.read(node['expression'], scope);
      }
    }
  }

  /** Calls a function; without arguments its parameters are unknown, each of its type. */
  call(callee: Value, args: readonly Value[] | undefined, site: string): Value {
    if (callee.kind === 'native') {
      return callee.call((args ?? []).map((arg) => this.settle(arg)));
    }
    if (callee.kind !== 'function') {
      return unknown(
        `${callee.kind === 'unknown' ? callee.id : callee.kind}()${site}`,
        callee.kind === 'unknown' ? this.resultOf(callee.type) : undefined,
      );
    }
    const { node, scope } = callee;
    const id = `${this.frames.at(-1)?.id ?? ''}>${site}`;
    if (this.frames.length > 24 || this.frames.filter((frame) => frame.node === node).length > 1) {
      return unknown(id, node['returnType'] ? { node: node['returnType'], path: scope.path } : undefined);
    }
    const inner: Scope = { names: new Map(), outer: scope, path: scope.path };
    this.frames.push({ node, id });
    for (const [at, parameter] of (node['params'] as Node[]).entries()) {
      if (parameter.type === 'RestElement') {
        this.bind(parameter['argument'], args === undefined ? unknown(id) : list(args.slice(at)), inner, id);
        continue;
      }
      const annotated = typeOfParameter(parameter, scope.path);
      const name = parameter.type === 'Identifier' ? parameter['name'] : `${at}`;
      this.bind(
        parameter,
        this.typed(args === undefined ? unknown(`${id}.${name}`, annotated) : (args[at] ?? nothing), annotated),
        inner,
        id,
      );
    }
    const end: End =
      node['body'].type === 'BlockStatement' ? this.block(node['body'].body, inner) : { returned: this.read(node['body'], inner) };
    this.frames.pop();
    const returned = typeof end === 'object' ? end.returned : nothing;
    return this.typed(returned, node['returnType'] ? { node: node['returnType'], path: scope.path } : undefined);
  }

  protected resultOf(type: Typed | undefined): Typed | undefined {
    const inner = type?.node.type === 'TSTypeAnnotation' ? (type.node['typeAnnotation'] as Node) : type?.node;
    return inner?.type === 'TSFunctionType' && type !== undefined ? { node: inner['returnType'], path: type.path } : undefined;
  }

  protected block(nodes: readonly Node[], outer: Scope): End {
    const scope: Scope = { names: new Map(), outer, path: outer.path };
    for (const node of nodes) {
      if (node.type === 'FunctionDeclaration') {
        scope.names.set(node['id'].name, { kind: 'function', node, scope });
      }
    }
    for (const node of nodes) {
      const end = this.statement(node, scope);
      if (end !== undefined) {
        return end;
      }
    }
    return undefined;
  }

  protected statement(node: Node, scope: Scope): End {
    switch (node.type) {
      case 'BlockStatement':
        return this.block(node['body'], scope);
      case 'ExpressionStatement':
        this.read(node['expression'], scope);
        return undefined;
      case 'VariableDeclaration':
        for (const one of node['declarations'] as Node[]) {
          this.bind(one['id'], one['init'] === null ? nothing : this.read(one['init'], scope), scope, `${this.site(one, scope)}`);
        }
        return undefined;
      case 'ReturnStatement':
        return { returned: node['argument'] === null ? nothing : this.read(node['argument'], scope) };
      case 'IfStatement': {
        const branch: Node | null = this.holds(this.read(node['test'], scope)) ? node['consequent'] : node['alternate'];
        return branch === null ? undefined : this.statement(branch, scope);
      }
      case 'ThrowStatement':
        return 'thrown';
      case 'BreakStatement':
      case 'ContinueStatement':
        return 'left';
      case 'ForOfStatement':
      case 'ForInStatement':
        return this.loop(node, scope);
      case 'ForStatement':
      case 'WhileStatement':
      case 'DoWhileStatement': {
        const inner: Scope = { names: new Map(), outer: scope, path: scope.path };
        if (node['init']) {
          this.statement(node['init'], inner);
        }
        if (node['test']) {
          this.read(node['test'], inner);
        }
        const end = this.statement(node['body'], inner);
        // A loop that ends only from within ends somewhere else than at its first turn.
        return typeof end === 'object' ? end : undefined;
      }
      case 'TryStatement': {
        const end = this.statement(node['block'], scope);
        const last = node['finalizer'] === null ? undefined : this.statement(node['finalizer'], scope);
        return last ?? (end === 'thrown' && node['handler'] !== null ? this.statement(node['handler'].body, scope) : end);
      }
      case 'SwitchStatement':
        return this.chooseCase(node, scope);
      default:
        return undefined;
    }
  }

  protected chooseCase(node: Node, scope: Scope): End {
    const wanted = this.settle(this.read(node['discriminant'], scope));
    const cases = node['cases'] as Node[];
    const text = knownText(wanted);
    const at =
      text === undefined
        ? this.choices.choose(`${this.site(node, scope)}=`, Math.max(cases.length, 1))
        : cases.findIndex((one) => one['test'] === null || knownText(this.read(one['test'], scope)) === text);
    for (const one of at < 0 ? [] : cases.slice(at)) {
      const end = this.block(one['consequent'], scope);
      if (end !== undefined) {
        return end === 'left' ? undefined : end;
      }
    }
    return undefined;
  }

  protected loop(node: Node, outer: Scope): End {
    const over = this.read(node['right'], outer);
    const site = this.site(node, outer);
    const items =
      over.kind === 'list' ? over.items : [unknown(`${site}[]`, over.kind === 'unknown' ? elementOf(this.sources, over.type) : undefined)];
    for (const item of items.slice(0, 40)) {
      const scope: Scope = { names: new Map(), outer, path: outer.path };
      this.bind(node['left'].type === 'VariableDeclaration' ? node['left'].declarations[0].id : node['left'], item, scope, site);
      const end = this.statement(node['body'], scope);
      // Of an unknown list another element may not end the function.
      if (typeof end === 'object' && over.kind === 'list') {
        return end;
      }
    }
    return undefined;
  }
}

/** The type of a parameter, as it is written. */
function typeOfParameter(parameter: Node, path: string): Typed | undefined {
  const inner: Node = parameter.type === 'AssignmentPattern' ? parameter['left'] : parameter;
  const type = inner['typeAnnotation'] ? { node: inner['typeAnnotation'], path } : undefined;
  return type && optional(type, inner['optional'] || inner !== parameter);
}
