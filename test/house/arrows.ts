/**
 * Import rules: the arrows between the parts of src/, between modules, and between the roles of the files of one module. Tests are free to look
 * everywhere and are not asked.
 */
import { layers as layersInOrder, parts as partsInOrder } from '../../src/order.ts';
import { type Import, importsOf, isTest, type SourceFile } from './tree.ts';

/** Result of a rule: where, and the sentence of the rule that was broken. */
export type Finding = string;

/** The commands that go to the database themselves: serve, migrate, backup, tenant, demo and what is marked --local. */
const localCommands = /^src\/cli\/local\//;

type Part =
  | 'lib'
  | 'errors'
  | 'context'
  | 'events'
  | 'config'
  | 'gen'
  | 'wire'
  | 'db-types'
  | 'db'
  | 'jobs'
  | 'modules'
  | 'http'
  | 'samples'
  | 'client'
  | 'verify'
  | 'runner'
  | 'cli'
  | 'app';

/** Imports of each part besides itself, and the sentence that says so. */
const allowed: Record<Part, { from: readonly Part[]; sentence: string }> = {
  lib: { from: [], sentence: 'lib/ imports nothing of ours' },
  errors: { from: [], sentence: 'errors.ts imports nothing of ours' },
  events: { from: [], sentence: 'events/ imports nothing of ours: everybody who writes or reads events imports it' },
  context: { from: ['errors', 'db-types', 'events'], sentence: 'context.ts imports only errors.ts, db/types.ts and the types of events/' },
  config: { from: ['lib', 'errors'], sentence: 'config/ imports only lib/ and errors.ts' },
  gen: { from: [], sentence: 'gen/ is generated' },
  'db-types': { from: [], sentence: 'db/types.ts imports nothing of ours' },
  wire: {
    from: ['lib', 'errors', 'gen', 'context', 'db-types'],
    sentence: 'wire/ imports only lib/, errors.ts, gen/ and the types of context.ts',
  },
  db: { from: ['lib', 'errors', 'context', 'db-types'], sentence: 'db/ imports only lib/, errors.ts and the types of context.ts' },
  jobs: {
    from: ['lib', 'errors', 'context', 'events', 'db-types', 'db', 'wire'],
    sentence: 'jobs/ imports neither modules nor http/, client/ or cli/',
  },
  modules: {
    from: ['lib', 'errors', 'gen', 'context', 'events', 'db-types', 'wire', 'jobs'],
    sentence:
      'a module imports only lib/, errors.ts, context.ts, events/, gen/, wire/, jobs/ and earlier modules: never http/, client/, cli/ or an open database',
  },
  http: {
    from: ['lib', 'errors', 'gen', 'context', 'events', 'db-types', 'wire', 'config', 'modules', 'jobs'],
    sentence: 'http/ imports neither client/ nor cli/ nor an open database',
  },
  client: { from: ['lib', 'gen', 'wire', 'errors'], sentence: 'client/ imports only lib/, gen/, wire/ and errors.ts: it speaks HTTP' },
  samples: { from: ['gen'], sentence: 'samples/ imports only the types of gen/: the command line and the browser load them' },
  verify: { from: ['lib'], sentence: 'verify/ imports only lib/: whoever verifies evidence asks nothing of the service that made it' },
  runner: {
    from: ['lib', 'errors', 'gen', 'client'],
    sentence: 'runner/ imports only lib/, errors.ts, gen/ and client/: it runs elsewhere than the service, which it knows by its wire',
  },
  cli: {
    from: ['lib', 'gen', 'errors', 'client', 'config', 'samples', 'verify', 'runner'],
    sentence: 'cli/ speaks through client/: only the commands in cli/local/ may reach the program itself',
  },
  app: {
    from: ['lib', 'errors', 'context', 'events', 'config', 'gen', 'wire', 'db-types', 'db', 'jobs', 'modules', 'http'],
    sentence:
      'app.ts, reactions.ts, slots.ts and main.ts put the program together, stop.ts ends it, and they know neither client/ nor cli/',
  },
};

/** The part of src/ a path belongs to; undefined outside of src/ and for a place that has no rule. */
export function partOf(path: string): Part | undefined {
  const [top, second = '', ...rest] = path.split('/');
  if (top !== 'src') {
    return undefined;
  }
  if (second !== '' && rest.length > 0 && second in layersInOrder) {
    return 'modules';
  }
  if (rest.length === 0) {
    const name = second.replace(/(?:\.test)?\.ts$/, '');
    return ['gather', 'main', 'order', 'reactions', 'slots', 'stop', 'tables'].includes(name)
      ? 'app'
      : name in allowed
        ? (name as Part)
        : undefined;
  }
  return path === 'src/db/types.ts' ? 'db-types' : second in allowed ? (second as Part) : undefined;
}

const inLayer = new RegExp(`^src/(${Object.keys(layersInOrder).join('|')})/`);

/** A path from the folder of its layer on, its module first; undefined outside of the layers. */
export function pathFromLayer(path: string): string | undefined {
  return inLayer.test(path) ? path.replace(inLayer, '') : undefined;
}

/** The module a path is in; undefined outside of the layers, and for a file beside their modules. */
export function moduleOf(path: string): string | undefined {
  return /^([^/]+)\//.exec(pathFromLayer(path) ?? '')?.[1];
}

function isPublicInterface(path: string): boolean {
  return /^[^/]+\/index\.ts$/.test(pathFromLayer(path) ?? '');
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

/** Imports of a module that come later, or past a module's public interface, and modules that order.ts does not list in the layer of their folder. */
export function wrongModules(files: readonly SourceFile[], layers: Readonly<Record<string, readonly string[]>> = layersInOrder): Finding[] {
  const order = Object.values(layers).flat();
  const folders = new Set(files.flatMap(({ path }) => (moduleOf(path) === undefined ? [] : [path.split('/').slice(0, 3).join('/')])));
  const unknown = [...folders]
    .filter((folder) => !(layers[folder.split('/')[1] ?? ''] ?? []).includes(folder.split('/')[2] ?? ''))
    .map((folder) => `${folder}: a module has its place in src/order.ts, in the layer of its folder`);
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
      return 'a module imports only modules before it (src/order.ts); to tell a later one something, write an event';
    }
    return undefined;
  });
  return [...unknown, ...wrong];
}

/** The part of a module that a path is in: its folder below the module's own; undefined for the files beside the parts. */
function partOfModule(path: string): string | undefined {
  return /^[^/]+\/([^/]+)\//.exec(pathFromLayer(path) ?? '')?.[1];
}

/** Imports from one part of a module into another that comes later or past its index.ts, and folders that order.ts does not list as parts. */
export function wrongParts(files: readonly SourceFile[], order: Readonly<Record<string, readonly string[]>> = partsInOrder): Finding[] {
  const listed = (path: string): readonly string[] => order[moduleOf(path) ?? ''] ?? [];
  const unknown = files.flatMap(({ path }) => {
    const part = partOfModule(path);
    return part === undefined || listed(path).includes(part)
      ? []
      : [`${path}: a folder of a module is a part, and has its place in src/order.ts`];
  });
  const wrong = forEachImport(files, (file, target) => {
    const [from, to] = [partOfModule(file.path), partOfModule(target)];
    if (moduleOf(file.path) === undefined || moduleOf(file.path) !== moduleOf(target) || from === to) {
      return undefined;
    }
    if (to === undefined) {
      return 'a part knows nothing of the files beside the parts';
    }
    if (!target.endsWith(`/${to}/index.ts`)) {
      return 'a part is entered only through its index.ts';
    }
    return from !== undefined && listed(target).indexOf(to) > listed(target).indexOf(from)
      ? 'a part imports only parts before it (src/order.ts)'
      : undefined;
  });
  return [...unknown, ...wrong];
}

/** The role a file has in its module: the public interface, a contract service or background work (both 'entry'), a store, plain types and limits, or a rule. */
export function roleOf(path: string): 'interface' | 'service' | 'jobs' | 'rule' | 'store' | 'types' {
  const name = path.split('/').at(-1) ?? '';
  if (name === 'index.ts') {
    return 'interface';
  }
  const role =
    /^(service|jobs|store|types)(?:-[a-z0-9-]+)?\.ts$/.exec(name)?.[1] ??
    (name === 'limits.ts' || name === 'slots.ts' ? 'types' : name === 'reads.ts' ? 'store' : undefined);
  return (role as 'service' | 'jobs' | 'store' | 'types' | undefined) ?? 'rule';
}

const height = { interface: 3, service: 2, jobs: 2, rule: 1, store: 0, types: -1 } as const;

/** Imports inside a module, or one part of it, that go up: from a store to a rule, from a rule to a service, from anything to the own public interface. Types may. */
export function wrongDirections(files: readonly SourceFile[]): Finding[] {
  return forEachImport(files, (file, target, { typeOnly }) => {
    const isNear = moduleOf(file.path) === moduleOf(target) && partOfModule(file.path) === partOfModule(target);
    if (typeOnly || moduleOf(file.path) === undefined || !isNear) {
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
