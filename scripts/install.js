// Tells whether what package-lock.json asks for is installed, and installs it where it is not: all of it for developers, and less for whoever
// runs a clone (everything but the workspace test/).
// Plain JavaScript without dependencies: this runs on Node 20 before anything is installed.
import { accessSync, constants, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isUpToDate } from './generate.js';
import { findProgram, root, runBeside, runQuietly } from './steps.js';

const wantedMajor = 24;

/**
 * The paths of packages that `wanted` (package-lock.json, parsed) asks for and `installed` (node_modules/.package-lock.json, parsed)
 * lacks or has in another version. A package for another platform may be absent, and so may our own workspaces, which nothing imports.
 */
export function missingPackages(wanted, installed) {
  return Object.entries(wanted.packages ?? {})
    .filter(([path, entry]) => path.includes('node_modules/') && !entry.link)
    .filter(([path, entry]) => {
      const found = installed.packages?.[path];
      return found === undefined ? !(entry.optional || entry.devOptional || entry.peer) : isOther(found, entry);
    })
    .map(([path]) => path);
}

function isOther(found, entry) {
  return found.version !== entry.version || found.integrity !== entry.integrity;
}

/**
 * The same for what runs a clone: each package that the program and the console name must be there, and whatever is there must be as wanted.
 * What those need in turn came with them.
 */
export function missingToRun(wanted, installed) {
  const named = ['', 'console'].flatMap((workspace) => {
    const { dependencies = {}, devDependencies = {} } = wanted.packages?.[workspace] ?? {};
    return Object.keys({ ...dependencies, ...devDependencies }).map((name) =>
      [`${workspace}/node_modules/${name}`, `node_modules/${name}`].find((path) => wanted.packages[path] !== undefined),
    );
  });
  const absent = named.filter((path) => installed.packages?.[path] === undefined);
  const other = Object.entries(installed.packages ?? {})
    .filter(([path, found]) => wanted.packages[path] !== undefined && isOther(found, wanted.packages[path]))
    .map(([path]) => path);
  return [...absent, ...other];
}

function readJson(path) {
  return JSON.parse(readFileSync(path, 'utf8'));
}

/** Returns the reason to install packages, briefly; undefined where all is there. `toRun`: those of developers may be absent. */
export function reasonToInstall(toRun) {
  const installedFile = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(installedFile)) {
    return 'first run';
  }
  const wanted = readJson(join(root, 'package-lock.json'));
  const installed = readJson(installedFile);
  if (missingToRun(wanted, installed).length > 0) {
    return 'package-lock.json has changed';
  }
  return toRun || missingPackages(wanted, installed).length === 0 ? undefined : 'those of developers';
}

/** True if the commands after us will find a Node that is new enough. */
export function hasWantedNode() {
  if (Number(process.versions.node.split('.')[0]) >= wantedMajor) {
    return true;
  }
  const version = runQuietly(join(root, 'node_modules', '.bin', 'node'), ['--version']);
  return version.ok && Number(version.output.slice(1).split('.')[0]) >= wantedMajor;
}

/** True if code has to be generated and what generates it was removed after the last time. */
export function lacksGenerator() {
  return findProgram('buf') === undefined && !isUpToDate();
}

// npm as the one that runs us, which need not be the first in the path: how to start it with these arguments.
function npmWith(args) {
  const npm = process.env.npm_execpath;
  return npm?.endsWith('.js') ? [process.execPath, [npm, ...args]] : ['npm', args];
}

// An account without a home of its own (or with somebody else's in HOME) cannot write npm's cache: it gets one that lasts for this run.
function usableCache() {
  const usual = process.env.npm_config_cache;
  if (usual === undefined) {
    return {};
  }
  try {
    mkdirSync(usual, { recursive: true });
    accessSync(usual, constants.W_OK);
    return {};
  } catch {
    return { npm_config_cache: mkdtempSync(join(tmpdir(), 'countersign-npm-')) };
  }
}

function dropCache({ npm_config_cache: made }) {
  if (made !== undefined) {
    rmSync(made, { recursive: true, force: true });
  }
}

// Errors only: on an older Node npm warns of every package that wants a newer one, which is what we are about to bring.
const quiet = ['--no-audit', '--no-fund', '--no-progress', '--no-update-notifier', '--loglevel=error'];

/**
 * Installs what package-lock.json asks for; returns { ok, output }. `toRun`: without those of developers, and without install scripts, of which
 * `fetchNode` runs the one that is needed.
 */
export function installPackages(toRun) {
  // What npm runs after installing (`prepare`) comes next here, each step with its own line.
  const environment = { ...usableCache(), COUNTERSIGN_SETTING_UP: 'yes' };
  const lean = ['--workspace=console', '--include-workspace-root', '--omit=peer', '--ignore-scripts'];
  try {
    return runQuietly(...npmWith(['ci', ...(toRun ? lean : []), ...quiet]), environment);
  } finally {
    dropCache(environment);
  }
}

/** Starts to put Node 24 beside the packages, whether or not npm was given to run install scripts; returns a promise of { ok, output }. */
export async function fetchNode() {
  const environment = { ...usableCache(), COUNTERSIGN_SETTING_UP: 'yes' };
  const fetched = await runBeside(...npmWith(['rebuild', 'node', '--ignore-scripts=false', ...quiet]), environment);
  dropCache(environment);
  if (fetched.ok && !hasWantedNode()) {
    return {
      ok: false,
      output: `Node ${wantedMajor} could not be set up beside Node ${process.versions.node}: install Node ${wantedMajor} and try again.`,
    };
  }
  return fetched;
}

/**
 * Removes what whoever runs a clone does not need again: the headers of Node, and what generated the code, which is large. Where the contract has
 * changed, all is installed anew (`lacksGenerator`).
 */
export function removeUnused() {
  const listBelow = (path, pattern) => {
    const folder = join(root, 'node_modules', path);
    const names = existsSync(folder) ? readdirSync(folder).filter((name) => pattern.test(name)) : [];
    return names.map((name) => join(folder, name));
  };
  for (const path of [
    ...listBelow('node/node_modules', /^node-/).map((folder) => join(folder, 'include')),
    ...listBelow('.bin', /^(?:buf|protoc-gen-)/),
    ...listBelow('@bufbuild', /^buf-/),
    ...listBelow('@bufbuild/protoplugin/node_modules', /^typescript$/),
    ...listBelow('@typescript', /^typescript-/),
  ]) {
    rmSync(path, { recursive: true, force: true });
  }
}
