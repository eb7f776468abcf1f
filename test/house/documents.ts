/** Names in documents and comments, held against what is there: links, files, metrics, commands. */
import type { Finding } from './arrows.ts';
import { commentsOf, type SourceFile } from './tree.ts';

/** A document of the repository, its path relative to the root. */
export interface Document {
  readonly path: string;
  readonly text: string;
}

/** The anchors GitHub makes of headings. */
function anchorsOf(text: string): Set<string> {
  return new Set(
    [...text.matchAll(/^#{1,6} +(.+)$/gm)].map(([, title = '']) =>
      title
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

function resolvePath(from: string, link: string): string {
  const parts = from.split('/').slice(0, -1);
  for (const part of link.split('/')) {
    if (part === '..') {
      parts.pop();
    } else if (part !== '.' && part !== '') {
      parts.push(part);
    }
  }
  return parts.join('/');
}

/** Links between documents that lead nowhere: no such file, or no such heading in it. `exists` knows every file and folder. */
export function deadLinks(documents: readonly Document[], exists: (path: string) => boolean): Finding[] {
  const textOf = new Map(documents.map(({ path, text }) => [path, text]));
  return documents.flatMap(({ path, text }) =>
    [...text.replace(/^```.*?^```$/gms, '').matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, link = '']) => {
      const [target = '', anchor] = link.split('#');
      if (/^[a-z]+:/.test(link)) {
        return [];
      }
      const file = target === '' ? path : resolvePath(path, target);
      if (!exists(file)) {
        return [`${path} links to ${link}: there is no such file`];
      }
      const linked = textOf.get(file);
      return anchor === undefined || linked === undefined || anchorsOf(linked).has(anchor)
        ? []
        : [`${path} links to ${link}: there is no such heading`];
    }),
  );
}

/** Files that comments name and that are not there: a name counts by the end of its path. */
export function deadFileNames(files: readonly SourceFile[], known: readonly string[]): Finding[] {
  const isThere = (name: string): boolean => known.some((path) => path === name || path.endsWith(`/${name}`));
  return files.flatMap((file) => {
    const names = commentsOf(file.text)
      .join('\n')
      .matchAll(/(?<![\w/.*-])(?:\.{1,2}\/)*((?:[\w.-]+\/)*[a-z0-9][\w.-]*\.(?:ts|js|md|sql))\b(?![\w*-])/g);
    return [...names].flatMap(([, name = '']) => (isThere(name) ? [] : [`${file.path} names ${name} in a comment: there is no such file`]));
  });
}

/** Metrics that a document names and the program does not have, and the other way round. */
export function driftOfMetrics(code: string, markdown: string): Finding[] {
  const inCode = new Set([...code.matchAll(/name: '(countersign_[a-z_]+)'/g)].map(([, name = '']) => name));
  const states = new Set([...code.matchAll(/state: '([a-z]+)'/g)].map(([, state = '']) => state));
  // The roles of the database begin like metrics.
  const named = [...markdown.matchAll(/\b(countersign_(?!(?:owner|app)`)[a-z_]+?)(?:_count|_bucket|_sum)?(?:\{state="([^"]+)"\})?`/g)];
  return [
    ...named.filter(([, name = '']) => !inCode.has(name)).map(([, name]) => `docs/operations.md names the metric ${name}: there is none`),
    ...named.flatMap(([, name, state]) =>
      state !== undefined && !states.has(state) ? [`docs/operations.md names the state ${state} of ${name}: there is none`] : [],
    ),
    ...[...inCode]
      .filter((name) => !named.some(([, one]) => one === name))
      .map((name) => `${name}: every metric stands in docs/operations.md`),
  ];
}

/** Options of `serve` that its table lacks, has twice or has too many of; `options` are their names, without dashes. */
export function driftOfOptions(options: readonly string[], markdown: string): Finding[] {
  const rows = [...markdown.matchAll(/^\| `--([a-z0-9-]+) [^`]*` \| `COUNTERSIGN_/gm)].map(([, name = '']) => name);
  const counted = (name: string): number => rows.filter((row) => row === name).length;
  return [...new Set([...options, ...rows])].flatMap((name) => {
    const wanted = options.includes(name) ? 1 : 0;
    return counted(name) === wanted
      ? []
      : [`docs/operations.md has --${name} ${counted(name)} times in its table of options, not ${wanted}`];
  });
}

/**
 * Modules that the table of ARCHITECTURE.md lacks or has too many of: `built` have a folder. Those that have a place in the order alone are named by one sentence.
 */
export function driftOfModules(modules: readonly string[], built: readonly string[], markdown: string): Finding[] {
  const table = markdown.slice(markdown.indexOf('| layer | module |')).split('\n\n')[0] ?? '';
  const named = table.split('\n').flatMap((row) => [...(row.split('|')[2] ?? '').matchAll(/`([a-z-]+)`/g)].map(([, name = '']) => name));
  const planned = modules.filter((module) => !built.includes(module));
  const said = [...(/`src\/order\.ts` has a place for .*/.exec(markdown)?.[0] ?? '').matchAll(/`([a-z-]+)`/g)].map(([, name = '']) => name);
  const compare = (wanted: readonly string[], found: readonly string[], where: string): Finding[] => [
    ...wanted.filter((one) => !found.includes(one)).map((one) => `ARCHITECTURE.md does not name ${one} ${where}`),
    ...found.filter((one) => !wanted.includes(one)).map((one) => `ARCHITECTURE.md names ${one} ${where}, where it is not`),
  ];
  return [...compare(built, named, 'in its table of modules'), ...compare(planned, said, 'among what is not built')];
}

/**
 * Labels of the console that a document names and the catalogue does not have: each is in italics and begins with a capital; commas lead from a menu to
 * its entry. Of a text with an argument the words before it are the label.
 */
export function unknownLabels({ path, text }: Document, texts: readonly string[]): Finding[] {
  const known = new Set(texts.flatMap((one) => [one, one.replace(/\s*\{.*$/s, '')]));
  const labels = [...text.replace(/^```.*?^```$/gms, '').matchAll(/(?<![\w*])\*([A-Z][^*\n]*)\*(?![\w*])/g)].map(([, label = '']) => label);
  return labels
    .filter((label) => !known.has(label) && !label.split(', ').every((part) => known.has(part)))
    .map((label) => `${path} names ${label}: no text of the console says that`);
}

/** Points of 21 CFR Part 11 in the tables of docs/compliance.md about signatures that the product has a part in and no test is named by, or the reverse. */
export function unheldPoints(compliance: string, tests: string): string[] {
  const tables = compliance.slice(compliance.indexOf('### Signatures: 11.50'), compliance.indexOf('### What to set up'));
  const rows = [...tables.matchAll(/^\| (\d+[^|]*?) \| [^|]* \| (product|both|you) \|/gm)];
  const named = new Set([...tests.matchAll(/^it\('(11\.[^:]+):/gm)].flatMap(([, points = '']) => points.split(', ')));
  const ours = rows.filter(([, , who]) => who !== 'you').map(([, point]) => `11.${point}`);
  return [
    ...ours.filter((point) => !named.has(point)).map((point) => `no test is named by ${point}`),
    ...[...named].filter((point) => !ours.includes(point)).map((point) => `${point} has a test and no row`),
  ];
}
