// Builds the console into console/dist, with each file compressed beside itself, unless what it is made of is as it was. A package comes with
// it built, and then there is nothing to build from.
// Plain JavaScript without dependencies: npm runs this as part of demo, test and build, on whatever Node the machine has.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { listTexts } from './list-texts.js';
import { findProgram, root, runQuietly, step } from './steps.js';

const folder = join(root, 'console');
const target = join(folder, 'dist');
const stamp = join(target, '.made-from');

function listFiles(path) {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort();
}

/** The hash of all that the build depends on: its sources, the client, the events, the samples, the routes of the contract, and the versions of packages. */
export function hashOfSources() {
  const hash = createHash('sha256');
  const files = [
    ...listFiles(join(folder, 'src')).filter((name) => !name.endsWith('keys.d.ts') && !name.includes('.test.')),
    ...listFiles(join(folder, 'public')),
    ...['index.html', 'vite.config.ts', 'vite-chunks.ts', 'vite-react.ts', 'vite-routes.ts', 'vite-texts.ts', 'package.json'].map((name) =>
      join(folder, name),
    ),
    ...['client', 'events', 'samples'].flatMap((name) => listFiles(join(root, 'src', name))).filter((name) => !name.includes('.test.')),
    join(root, 'src', 'gen', 'routes.js'),
    join(root, 'package-lock.json'),
    join(root, 'scripts', 'build-console.js'),
    join(root, 'scripts', 'compress-files.js'),
  ];
  for (const file of files) {
    hash
      .update(`${relative(root, file).split(sep).join('/')}\0`)
      .update(readFileSync(file))
      .update('\0');
  }
  return hash.digest('hex');
}

/** True if console/dist is there and made from the sources as they are now. */
export function isConsoleUpToDate() {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === hashOfSources();
}

/** True if there is something to build from. */
export function hasSources() {
  return existsSync(join(folder, 'src')) && findProgram('vite') !== undefined;
}

/** True if worth compressing; fonts and pictures are compressed already. */
const isText = (name) => /\.(?:html|js|css|svg|json)$/.test(name);

/** Builds; returns { ok, output }. */
export function buildConsole() {
  listTexts();
  const made = hashOfSources();
  // The Node of the project, which need not be the one that runs this.
  const built = runQuietly(findProgram('node') ?? process.execPath, [findProgram('vite'), 'build', folder, '--logLevel', 'error'], {
    // Whatever this runs in: another value would build React as its developers need it, half as large again.
    NODE_ENV: 'production',
  });
  if (!built.ok) {
    rmSync(stamp, { force: true });
    return built;
  }
  const compressed = runQuietly(process.execPath, [join(root, 'scripts', 'compress-files.js'), ...listFiles(target).filter(isText)]);
  if (!compressed.ok) {
    return compressed;
  }
  writeFileSync(stamp, made);
  return { ok: true, output: '' };
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href && !isConsoleUpToDate()) {
  step('Building the console', buildConsole);
}
