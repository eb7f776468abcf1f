/**
 * Who may import whom: the arrows between the parts of src/, between modules, and between the roles of the files of one module.
 * Tests are free to look everywhere and are not asked.
 */
import { modules as modulesInOrder } from '../../src/domains/order.ts';
import { type Import, importsOf, isTest, type SourceFile } from './tree.ts';

/** What a rule found: where, and the sentence of the rule that was broken. */
export type Finding = string;

/** The commands that go to the database themselves (design: serve, migrate, tenant, demo, verify and what is marked --local). */
const localCommands = /^src\/cli\/(?:serve|migrate|tenant|demo|verify|bootstrap|[a-z0-9-]+-local|local-[a-z0-9-]+|demo-[a-z0-9-]+)\.ts$/;

type Part =
  | 'lib'
  | 'errors'
  | 'context'
  | 'config'
  | 'gen'
  | 'wire'
  | 'db-types'
  | 'db'
  | 'jobs'
  | 'domains'
  | 'http'
  | 'samples'
  | 'client'
  | 'cli'
  | 'app';

/** What each part may import besides itself, and the sentence that says so. */
const allowed: Record<Part, { from: readonly Part[]; sentence: string }> = {
  lib: { from: [], sentence: 'lib/ imports nothing of ours' },
  errors: { from: [], sentence: 'errors.ts imports nothing of ours' },
  context: { from: ['errors', 'db-types'], sentence: 'context.ts imports only errors.ts and db/types.ts' },
  config: { from: ['lib', 'errors'], sentence: 'config.ts imports only lib/ and errors.ts' },
  gen: { from: [], sentence: 'gen/ is generated' },
  'db-types': { from: [], sentence: 'db/types.ts imports nothing of ours' },
  wire: {
    from: ['lib', 'errors', 'gen', 'context', 'db-types'],
    sentence: 'wire/ imports only lib/, errors.ts, gen/ and the types of context.ts',
  },
  db: { from: ['lib', 'errors', 'context', 'db-types'], sentence: 'db/ imports only lib/, errors.ts and the types of context.ts' },
  jobs: {
    from: ['lib', 'errors', 'context', 'db-types', 'db', 'wire'],
    sentence: 'jobs/ imports neither modules nor http/, client/ or cli/',
  },
  domains: {
    from: ['lib', 'errors', 'gen', 'context', 'db-types', 'wire', 'jobs'],
    sentence:
      'a module imports only lib/, errors.ts, context.ts, gen/, wire/, jobs/ and earlier modules: never http/, client/, cli/ or an open database',
  },
  http: {
    from: ['lib', 'errors', 'gen', 'context', 'db-types', 'wire', 'config', 'domains', 'jobs'],
    sentence: 'http/ imports neither client/ nor cli/ nor an open database',
  },
  client: { from: ['lib', 'gen', 'wire', 'errors'], sentence: 'client/ imports only lib/, gen/, wire/ and errors.ts: it speaks HTTP' },
  samples: { from: ['gen'], sentence: 'samples/ imports only the types of gen/: the command line and the browser load them' },
  cli: {
    from: ['lib', 'gen', 'errors', 'client', 'config', 'samples'],
    sentence:
      'cli/ speaks through client/: only the local commands (serve, migrate, tenant, demo, verify, *-local) may reach the program itself',
  },
  app: {
    from: ['lib', 'errors', 'context', 'config', 'gen', 'wire', 'db-types', 'db', 'jobs', 'domains', 'http'],
    sentence: 'app.ts, reactions.ts and main.ts put the program together and know neither client/ nor cli/',
  },
};

/** The part of src/ a path belongs to; undefined outside of src/ and for a place that has no rule. */
export function partOf(path: string): Part | undefined {
  const [top, second = '', ...rest] = path.split('/');
  if (top !== 'src') {
    return undefined;
  }
  if (rest.length === 0) {
    const name = second.replace(/(?:\.test)?\.ts$/, '');
    return name === 'main' || name === 'reactions' ? 'app' : name in allowed ? (name as Part) : undefined;
  }
  return path === 'src/db/types.ts' ? 'db-types' : second in allowed ? (second as Part) : undefined;
}

/** The module a path is in; undefined outside of domains/. */
export function moduleOf(path: string): string | undefined {
  return /^src\/domains\/([^/]+)\//.exec(path)?.[1];
}

function isPublicInterface(path: string): boolean {
  return /^src\/domains\/[^/]+\/index\.ts$/.test(path);
}

function forEachImport(
  files: readonly SourceFile[],
  judge: (file: SourceFile, target: string, imported: Import) => string | undefined,
): Finding[] {
  return files
    .filter((file) => !isTest(file))
    .flatMap((file) =>
      importsOf(file).flatMap((imported) => {
        const sentence = imported.target === undefined ? undefined : judge(file, imported.target, imported);
        return sentence === undefined ? [] : [`${file.path} imports ${imported.target}: ${sentence}`];
      }),
    );
}

/** Imports from one part of src/ into another that it may not know, and files in no known part. */
export function wrongArrows(files: readonly SourceFile[]): Finding[] {
  const homeless = files
    .filter((file) => file.path.startsWith('src/') && partOf(file.path) === undefined)
    .map((file) => `${file.path}: not a place of the house (see ARCHITECTURE.md)`);
  const wrong = forEachImport(files, (file, target) => {
    const from = partOf(file.path);
    const to = partOf(target);
    if (from === undefined) {
      return undefined;
    }
    if (to === undefined) {
      // A local command may read package.json or bench data; the rest lives off src/.
      return target === 'package.json' ? undefined : 'src/ imports nothing outside of src/';
    }
    if (from === to || allowed[from].from.includes(to) || (from === 'cli' && localCommands.test(file.path))) {
      return undefined;
    }
    return allowed[from].sentence;
  });
  return [...homeless, ...wrong];
}

/** Imports of a module that come later, or past a module's public interface, and modules that order.ts does not list. */
export function wrongModules(files: readonly SourceFile[], order: readonly string[] = modulesInOrder): Finding[] {
  const unknown = [...new Set(files.map((file) => moduleOf(file.path)))]
    .filter((module) => module !== undefined && !order.includes(module))
    .map((module) => `src/domains/${module}: a module has its place in src/domains/order.ts`);
  const wrong = forEachImport(files, (file, target) => {
    const from = moduleOf(file.path);
    const to = moduleOf(target);
    if (to === undefined || from === to) {
      return undefined;
    }
    if (!isPublicInterface(target)) {
      return 'a module is entered only through its index.ts';
    }
    if (from !== undefined && order.indexOf(to) > order.indexOf(from)) {
      return 'a module imports only modules before it (src/domains/order.ts); to tell a later one something, write an event';
    }
    return undefined;
  });
  return [...unknown, ...wrong];
}

/** The role a file has in its module: the public interface, a contract service or background work (both 'entry'), a store, plain types and limits, or a rule. */
export function roleOf(path: string): 'interface' | 'service' | 'jobs' | 'rule' | 'store' | 'types' {
  const name = path.split('/').at(-1) ?? '';
  if (name === 'index.ts') {
    return 'interface';
  }
  const role = /^(service|jobs|store|types)(?:-[a-z0-9-]+)?\.ts$/.exec(name)?.[1] ?? (name === 'limits.ts' ? 'types' : undefined);
  return (role as 'service' | 'jobs' | 'store' | 'types' | undefined) ?? 'rule';
}

const height = { interface: 3, service: 2, jobs: 2, rule: 1, store: 0, types: -1 } as const;

/** Imports inside a module that go up: from a store to a rule, from a rule to a service, from anything to the own public interface. Types may. */
export function wrongDirections(files: readonly SourceFile[]): Finding[] {
  return forEachImport(files, (file, target, { typeOnly }) => {
    if (typeOnly || moduleOf(file.path) === undefined || moduleOf(file.path) !== moduleOf(target)) {
      return undefined;
    }
    const from = roleOf(file.path);
    const to = roleOf(target);
    if (height[from] < height[to] || (from !== to && height[from] === height[to])) {
      return 'inside a module the direction is service and jobs -> rules -> store';
    }
    return undefined;
  });
}

/** Packages that src/ imports and package.json does not list among what production installs. */
export function undeclaredPackages(files: readonly SourceFile[], declared: readonly string[]): Finding[] {
  return files
    .filter((file) => !isTest(file))
    .flatMap((file) =>
      importsOf(file)
        .filter(({ target, specifier }) => target === undefined && !specifier.startsWith('node:'))
        .map(({ specifier }) =>
          specifier
            .split('/')
            .slice(0, specifier.startsWith('@') ? 2 : 1)
            .join('/'),
        )
        .filter((name) => !declared.includes(name))
        .map((name) => `${file.path} imports ${name}: what src/ imports is a dependency in package.json, not a development dependency`),
    );
}
