// Builds dist/ and the console: the sources as plain JavaScript with source maps, and beside them what the program reads while it runs. The package and the
// image run it; a clone runs its sources and needs none of this. With a folder as argument the build goes there.
// Plain JavaScript without dependencies: npm runs this as part of `prepack`, on whatever Node the machine has.
import { spawnSync } from 'node:child_process';
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildConsole, hasSources, isConsoleUpToDate } from './build-console.js';
import { findProgram, root, runQuietly, step } from './steps.js';

const source = join(root, 'src');
const target = resolve(process.argv[2] ?? join(root, 'dist'));

/** True for plain copies: generated code, migrations and the files of the browser's pages. */
const isCopied = (path) => /(?:\/gen\/.*\.js(?:on)?|\.sql|\/http\/browser\/.*)$/.test(path) || !/\.[a-z-]+$/.test(path);

function compile() {
  const tsc = findProgram('tsc');
  if (tsc === undefined) {
    return { ok: false, output: 'tsc is not installed: run "npm ci" with the development dependencies.' };
  }
  return runQuietly(process.execPath, [tsc, '-p', join(root, 'tsconfig.build.json'), '--outDir', target]);
}

/** On Node 24, which need not be the one that runs this script: the OpenAPI document of what was just built. */
function describe() {
  const program = `
    const { describeContract } = await import(${JSON.stringify(pathToFileURL(join(target, 'app.js')).href)});
    process.stdout.write(describeContract());`;
  const node = findProgram('node') ?? process.execPath;
  const ended = spawnSync(node, ['--input-type=module', '--eval', program], { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  if (ended.status !== 0) {
    return { ok: false, output: ended.stderr };
  }
  writeFileSync(join(target, 'openapi.json'), ended.stdout);
  return { ok: true, output: '' };
}

step('Compiling the sources', () => {
  rmSync(target, { recursive: true, force: true });
  return compile();
});
step('Copying what goes along', () => {
  cpSync(source, target, { recursive: true, filter: (path) => isCopied(path) });
  return { ok: true, output: '' };
});
step('Writing openapi.json', describe);
if (hasSources() && !isConsoleUpToDate()) {
  step('Building the console', buildConsole);
}
