/** What the reading of statements keeps in mind: names and their values, and which way it takes at each fork. */
import { Choices } from './choices.ts';
import { nativesOfSql } from './natives.ts';
import type { Sources } from './sources.ts';
import { elementOf, isSql, literalsOf, mayBeMissing, memberOf } from './types.ts';
import { knownText, list, type Node, nothing, type Part, plain, type Scope, truthOf, type Typed, type Value, unknown } from './values.ts';

/** A statement that a call hands to the database. */
export interface Found {
  /** The file and the place of the call. */
  readonly path: string;
  readonly at: number;
  readonly parts: readonly Part[];
}

/** Values of names, and forks. */
export abstract class State {
  /** The value of an expression. */
  abstract read(node: Node, scope: Scope): Value;

  protected readonly sources: Sources;
  protected readonly onFound: (found: Found) => void;
  protected readonly modules = new Map<string, Value>();
  protected readonly natives: Readonly<Record<string, Value>>;
  protected choices!: Choices;
  protected steps = 0;
  protected readonly frames: { readonly node: Node; readonly id: string }[] = [];

  constructor(sources: Sources, onFound: (found: Found) => void) {
    this.sources = sources;
    this.onFound = onFound;
    this.natives = nativesOfSql((value) => value.kind === 'unknown' && isSql(sources, value.type));
  }

  /** Begins anew: what a file's own values are is read along the first way at each fork. */
  begin(): void {
    this.choices = new Choices(new Map());
    this.steps = 0;
    this.frames.length = 0;
  }

  /** The value that a name of a file stands for. */
  named(path: string, name: string, isExport = false): Value {
    const found = this.sources.find(path, name, isExport);
    if (found === undefined) {
      return unknown(`${path}:${name}`);
    }
    if ('module' in found) {
      return found.module === 'sql-template-tag'
        ? (this.natives[found.name] ?? unknown(found.name))
        : unknown(`${found.module}.${found.name}`);
    }
    const key = `${found.path}:${found.declared.start}:${name}`;
    const known = this.modules.get(key);
    if (known !== undefined) {
      return known;
    }
    const scope: Scope = { names: new Map(), outer: undefined, path: found.path };
    this.modules.set(key, unknown(key));
    let value: Value;
    if (found.declared.type === 'VariableDeclarator') {
      this.bind(found.declared['id'], found.declared['init'] === null ? nothing : this.read(found.declared['init'], scope), scope, key);
      value =
        found.declared['id'].type === 'Identifier'
          ? (scope.names.get(found.declared['id'].name) ?? nothing)
          : (scope.names.get(name) ?? nothing);
    } else if (found.declared.type === 'FunctionDeclaration') {
      value = { kind: 'function', node: found.declared, scope };
    } else {
      value = unknown(key);
    }
    this.modules.set(key, value);
    return value;
  }

  protected typed(value: Value, type: Typed | undefined): Value {
    return value.kind === 'unknown' && value.type === undefined && type !== undefined ? unknown(value.id, type) : value;
  }

  /** Takes one of the texts that the type of an unknown value lists. */
  protected settle(value: Value): Value {
    if (value.kind !== 'unknown') {
      return value;
    }
    const texts = literalsOf(this.sources, value.type);
    return texts === undefined
      ? value
      : { kind: 'text', parts: [{ text: texts[this.choices.choose(`${value.id}=`, texts.length)] ?? '', path: '', at: 0 }] };
  }

  protected holds(value: Value): boolean {
    const known = truthOf(value);
    if (known !== undefined) {
      return known;
    }
    return value.kind === 'unknown' ? this.choices.choose(`${value.id}?`, 2) === 0 : true;
  }

  protected isMissing(value: Value): boolean {
    if (value.kind === 'plain') {
      return value.value === undefined || value.value === null;
    }
    return value.kind === 'unknown' && mayBeMissing(this.sources, value.type) && this.choices.choose(`${value.id}?`, 2) === 1;
  }

  protected bind(pattern: Node, value: Value, scope: Scope, id: string): void {
    switch (pattern.type) {
      case 'Identifier':
        scope.names.set(
          pattern['name'],
          this.typed(value, pattern['typeAnnotation'] ? { node: pattern['typeAnnotation'], path: scope.path } : undefined),
        );
        return;
      case 'AssignmentPattern':
        // What is left out takes the default; of an unknown value it is not known.
        this.bind(pattern['left'], this.isMissing(value) ? this.read(pattern['right'], scope) : value, scope, id);
        return;
      case 'ObjectPattern': {
        const taken = new Set<string>();
        for (const one of pattern['properties'] as Node[]) {
          if (one.type === 'RestElement') {
            const rest: Value =
              value.kind === 'object' ? { ...value, members: new Map([...value.members].filter(([name]) => !taken.has(name))) } : value;
            this.bind(one['argument'], rest, scope, id);
          } else {
            const name = one['key'].name ?? String(one['key'].value);
            taken.add(name);
            this.bind(one['value'], this.member(value, name, `${scope.path}:${one.start}`), scope, id);
          }
        }
        return;
      }
      case 'ArrayPattern':
        for (const [at, one] of (pattern['elements'] as (Node | null)[]).entries()) {
          if (one?.type === 'RestElement') {
            this.bind(one['argument'], value.kind === 'list' ? list(value.items.slice(at), value.isOpen) : value, scope, id);
          } else if (one !== null && one !== undefined) {
            const item =
              value.kind === 'list'
                ? (value.items[at] ?? (value.isOpen ? unknown(`${id}[${at}]`) : nothing))
                : this.member(value, String(at), id);
            this.bind(one, item, scope, id);
          }
        }
        return;
      default:
    }
  }

  protected member(value: Value, name: string, site: string): Value {
    if (value.kind === 'object') {
      return value.members.get(name) ?? (value.isOpen ? unknown(`${site}.${name}`) : nothing);
    }
    if (value.kind === 'list') {
      return name === 'length'
        ? value.isOpen
          ? unknown(`${site}.length`)
          : plain(value.items.length)
        : (value.items[Number(name)] ?? (value.isOpen ? unknown(`${site}.${name}`) : nothing));
    }
    if (value.kind === 'unknown') {
      return unknown(
        `${value.id}.${name}`,
        /^\d+$/.test(name) ? elementOf(this.sources, value.type) : memberOf(this.sources, value.type, name),
      );
    }
    return value.kind === 'text' && name === 'length' && knownText(value) !== undefined
      ? plain(knownText(value)?.length)
      : unknown(`${site}.${name}`);
  }

  protected lookUp(name: string, scope: Scope): Value {
    for (let at: Scope | undefined = scope; at !== undefined; at = at.outer) {
      const value = at.names.get(name);
      if (value !== undefined) {
        return value;
      }
    }
    return name === 'undefined' ? nothing : this.named(scope.path, name);
  }

  protected assign(name: string, value: Value, scope: Scope): void {
    for (let at: Scope | undefined = scope; at !== undefined; at = at.outer) {
      if (at.names.has(name)) {
        at.names.set(name, value);
        return;
      }
    }
  }

  protected site(node: Node, scope: Scope): string {
    return `${this.frames.at(-1)?.id ?? ''}@${scope.path}:${node.start}`;
  }
}
