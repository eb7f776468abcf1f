/** Data the modules let others read: the views that each `reads.ts` describes, held against the schema that the migrations leave behind. */
import { type Finding, moduleOf, pathFromLayer } from './arrows.ts';
import { isTest, type SourceFile } from './tree.ts';

/** A view as the interface of a `reads.ts` describes it. */
export interface DescribedView {
  readonly view: string;
  /** The module that promises it. */
  readonly owner: string;
  /** Names and types of its columns, `name: type`, sorted. */
  readonly columns: readonly string[];
  /** Names in backticks in its comment besides the view. */
  readonly named: readonly string[];
}

/** A view as the catalogs describe it; types are those of TypeScript, as the connections read them. */
export interface FoundView {
  readonly view: string;
  readonly columns: readonly string[];
  /** The columns and indexes of the table behind it. */
  readonly names: readonly string[];
  /** True if row-level security is that of the role that reads. */
  readonly isOfInvoker: boolean;
}

/** The views that are described: each interface of a `reads.ts`, whose comment begins with the view in backticks. */
export function viewsOf(files: readonly SourceFile[]): DescribedView[] {
  const described = /\/\*\*\s+(?:\*\s+)?`(\w+)`:((?:(?!\*\/)[\s\S])*)\*\/\s*export interface \w+ \{([^}]*)\}/g;
  return files
    .filter((file) => !isTest(file) && /^[^/]+\/reads\.ts$/.test(pathFromLayer(file.path) ?? ''))
    .flatMap(({ path, text }) =>
      [...text.matchAll(described)].map(([, view = '', comment = '', members = '']) => ({
        view,
        owner: moduleOf(path) ?? '',
        columns: [...members.matchAll(/readonly (\w+): ([^;]+);/g)].map(([, name, type]) => `${name}: ${type}`).sort(),
        named: [...comment.matchAll(/`(\w+)`/g)].map(([, name = '']) => name),
      })),
    );
}

/** Views that are not described, or otherwise than they are, or that read with the rights of their owner. */
export function driftOfViews(found: readonly FoundView[], described: readonly DescribedView[]): Finding[] {
  return [
    ...found
      .filter(({ view }) => !described.some((one) => one.view === view))
      .map(({ view }) => `view ${view}: the reads.ts of the module that owns its table describes it`),
    ...found
      .filter(({ isOfInvoker }) => !isOfInvoker)
      .map(({ view }) => `view ${view}: its migration says WITH (security_invoker = true), so that row-level security holds`),
    ...described.flatMap(({ view, owner, columns, named }) => {
      const real = found.find((one) => one.view === view);
      if (real === undefined) {
        return [`reads.ts of ${owner} describes ${view}: no migration makes it`];
      }
      return [
        ...real.columns
          .filter((column) => !columns.includes(column))
          .map((column) => `${view} has ${column}: reads.ts of ${owner} does not`),
        ...columns
          .filter((column) => !real.columns.includes(column))
          .map((column) => `reads.ts of ${owner} gives ${view} ${column}: the schema does not`),
        ...named
          .filter((name) => !real.names.includes(name))
          .map((name) => `reads.ts of ${owner} names ${name}: the table of ${view} has no such column or index`),
      ];
    }),
  ];
}

/** Words that a comment of what a `reads.ts` exports begins with: they say what comes of it. */
const verbs = /^(?:Returns|Selects|Tests|Counts|Lists|Locks|Holds)\b/;

/** Functions and pieces of SQL of a `reads.ts` whose comment does not say what they return, or names no index that answers. */
export function silentReads(files: readonly SourceFile[], indexes: ReadonlySet<string>): Finding[] {
  const exported = /(?:\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*)?^export (?:async function|function|const) (\w+)/gm;
  return files
    .filter((file) => !isTest(file) && /^src\/.*\/reads\.ts$/.test(file.path))
    .flatMap(({ path, text }) =>
      [...text.matchAll(exported)].flatMap(([, comment = '', name]) => {
        const words = comment.replace(/^\s*\*/gm, '').trim();
        const named = [...words.matchAll(/`(\w+)`/g)].map(([, one = '']) => one);
        return [
          ...(verbs.test(words)
            ? []
            : [`${path}: the comment of ${name} begins with what comes of it: Returns, Selects, Tests, Counts, Locks, ...`]),
          ...(named.some((one) => indexes.has(one)) ? [] : [`${path}: the comment of ${name} names the index that answers`]),
        ];
      }),
    );
}
