/** The files whose statements are read: their syntax trees, and what each exports. */
import { posix } from 'node:path';
import { parseSync } from 'vite';
import type { SourceFile } from '../tree.ts';
import type { Node, Typed } from './values.ts';

/** Where a name comes from: a declaration of the file, or the export of another. */
type Origin = { readonly declared: Node; readonly of?: Node } | { readonly from: string; readonly name: string };

/** A file that was read. */
export interface Parsed {
  readonly path: string;
  readonly body: readonly Node[];
  /** What each name of the file stands for. */
  readonly names: ReadonlyMap<string, Origin>;
  readonly exported: ReadonlyMap<string, Origin>;
  readonly types: ReadonlyMap<string, Node>;
  /** Files all of whose exports are this one's, too. */
  readonly wholes: readonly string[];
}

/** Files of the code, each read when it is first asked for. */
export interface Sources {
  get(path: string): Parsed | undefined;
  /** A type by its name, wherever it is declared. */
  type(path: string, name: string): Typed | undefined;
  /** The file and the declaration that a name of a file stands for, or what is imported from elsewhere. */
  find(
    path: string,
    name: string,
    isExport?: boolean,
  ):
    | { readonly path: string; readonly declared: Node; readonly of?: Node }
    | { readonly module: string; readonly name: string }
    | undefined;
}

function targetOf(path: string, specifier: string): string {
  return specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier) : specifier;
}

function boundNames(pattern: Node): string[] {
  switch (pattern.type) {
    case 'Identifier':
      return [pattern['name']];
    case 'ObjectPattern':
      return pattern['properties'].flatMap((one: Node) => boundNames(one['value'] ?? one['argument']));
    case 'ArrayPattern':
      return pattern['elements'].flatMap((one: Node | null) => (one === null ? [] : boundNames(one)));
    case 'AssignmentPattern':
      return boundNames(pattern['left']);
    case 'RestElement':
      return boundNames(pattern['argument']);
    default:
      return [];
  }
}

function parse({ path, text }: SourceFile): Parsed {
  const { program } = parseSync(path, text, { preserveParens: false });
  const names = new Map<string, Origin>();
  const exported = new Map<string, Origin>();
  const types = new Map<string, Node>();
  const wholes: string[] = [];
  const declare = (node: Node, isExported: boolean) => {
    if (node.type === 'VariableDeclaration') {
      for (const one of node['declarations'] as Node[]) {
        for (const name of boundNames(one['id'])) {
          names.set(name, { declared: one, of: node });
          if (isExported) {
            exported.set(name, { declared: one, of: node });
          }
        }
      }
    } else if (node['id']?.name !== undefined) {
      if (/^TS(?:Interface|TypeAlias)/.test(node.type)) {
        types.set(node['id'].name, node);
      } else {
        names.set(node['id'].name, { declared: node });
        if (isExported) {
          exported.set(node['id'].name, { declared: node });
        }
      }
    }
  };
  const body = program.body as unknown as Node[];
  for (const node of body) {
    if (node.type === 'ImportDeclaration') {
      const from = targetOf(path, node['source'].value);
      for (const one of node['specifiers'] as Node[]) {
        const name = one.type === 'ImportSpecifier' ? one['imported'].name : one.type === 'ImportDefaultSpecifier' ? 'default' : '*';
        names.set(one['local'].name, { from, name });
      }
    } else if (node.type === 'ExportNamedDeclaration') {
      if (node['declaration'] !== null) {
        declare(node['declaration'], true);
      }
      for (const one of node['specifiers'] as Node[]) {
        const origin =
          node['source'] === null ? undefined : { from: targetOf(path, node['source'].value), name: one['local'].name as string };
        exported.set(one['exported'].name, origin ?? { from: path, name: `local ${one['local'].name}` });
      }
    } else if (node.type === 'ExportAllDeclaration') {
      wholes.push(targetOf(path, node['source'].value));
    } else {
      declare(node, false);
    }
  }
  return { path, body, names, exported, types, wholes };
}

/** Reads files by their paths; `read` returns a file's text, undefined where there is none. */
export function openSources(read: (path: string) => string | undefined): Sources {
  const known = new Map<string, Parsed | undefined>();
  const sources: Sources = {
    get(path) {
      if (!known.has(path)) {
        const text = /^(?:src|test)\//.test(path) && path.endsWith('.ts') ? read(path) : undefined;
        known.set(path, text === undefined ? undefined : parse({ path, text }));
      }
      return known.get(path);
    },
    find(path, name, isExport = false) {
      const file = sources.get(path);
      if (file === undefined) {
        return { module: path, name };
      }
      const origin = isExport ? file.exported.get(name) : file.names.get(name);
      if (origin === undefined) {
        for (const whole of isExport ? file.wholes : []) {
          const found = sources.find(whole, name, true);
          if (found !== undefined && 'path' in found) {
            return found;
          }
        }
        return undefined;
      }
      if ('declared' in origin) {
        return { path, ...origin };
      }
      return origin.name.startsWith('local ') ? sources.find(path, origin.name.slice(6)) : sources.find(origin.from, origin.name, true);
    },
    type(path, name) {
      const file = sources.get(path);
      const node = file?.types.get(name);
      if (node !== undefined) {
        return { node, path };
      }
      const origin = file?.names.get(name) ?? file?.exported.get(name);
      if (origin !== undefined && 'from' in origin && origin.from !== path) {
        return sources.type(origin.from, origin.name);
      }
      return file?.wholes.map((whole) => sources.type(whole, name)).find((one) => one !== undefined);
    },
  };
  return sources;
}
