/**
 * Statements that the code puts together, each as it is handed to the database: from pieces of other functions and files, from names that are
 * constants, along each way through a function. Each part of a statement knows the file it stands in.
 */
import { runAll, Choices } from './statements/choices.ts';
import { Reader } from './statements/reader.ts';
import { openSources } from './statements/sources.ts';
import type { Found } from './statements/state.ts';
import type { Node, Part, Value } from './statements/values.ts';
import { isTest, type SourceFile } from './tree.ts';

export type { Found } from './statements/state.ts';

/** The functions that a value of a file is, or holds. */
function functionsIn(value: Value, depth = 0): Value[] {
  switch (value.kind) {
    case 'function':
      return [value];
    case 'object':
      return depth > 2 ? [] : [...value.members.values()].flatMap((one) => functionsIn(one, depth + 1));
    case 'list':
      return depth > 2 ? [] : value.items.flatMap((one) => functionsIn(one, depth + 1));
    default:
      return [];
  }
}

/** Reads the statements that functions of these files hand to the database, once each; `entries` are the files to begin with. */
export function readStatements(files: readonly SourceFile[], entries: readonly string[], filled?: string): Found[] {
  const texts = new Map(files.filter((file) => !isTest(file)).map(({ path, text }) => [path, text]));
  const sources = openSources((path) => texts.get(path));
  const found = new Map<string, Found>();
  const reader = new Reader(sources, (one) => {
    found.set(`${one.path}:${one.at}:${keyOf(one)}`, one);
  });
  if (filled !== undefined) {
    reader.runFile(filled, new Choices(new Map()));
  }
  for (const path of entries) {
    for (const name of sources.get(path)?.names.keys() ?? []) {
      const origin = sources.get(path)?.names.get(name);
      if (origin === undefined || 'from' in origin) {
        continue;
      }
      reader.begin();
      for (const entry of functionsIn(reader.named(path, name))) {
        runAll((choices) => reader.follow(entry, choices));
      }
    }
  }
  return [...found.values()];
}

/** The pieces of SQL of a file, each as it stands there: what is put into them is not told. */
export function literalsOf(file: SourceFile): (readonly Part[])[] {
  const found: (readonly Part[])[] = [];
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) {
      node.forEach(visit);
    } else if (typeof node === 'object' && node !== null) {
      const one = node as Node;
      if (one.type === 'Literal' && typeof one['value'] === 'string') {
        found.push([{ text: one['value'], path: file.path, at: one.start + 1 }]);
      } else if (one.type === 'TemplateLiteral') {
        found.push(
          (one['quasis'] as Node[]).flatMap((quasi, at) => [
            ...(at === 0 ? [] : [{ gap: 'put in' }]),
            { text: quasi['value'].cooked as string, path: file.path, at: quasi.start + 1 },
          ]),
        );
      }
      Object.values(one).forEach(visit);
    }
  };
  visit(openSources((path) => (path === file.path ? file.text : undefined)).get(file.path)?.body);
  return found;
}

/** A statement without the names of its parameters. */
function keyOf({ parts }: Found): string {
  return parts.map((part) => ('text' in part ? part.text : 'gap' in part ? '\u0001' : '\u0002')).join('');
}
