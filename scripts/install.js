// Whether what package-lock.json asks for is installed, and installing it where it is not.
// Plain JavaScript without dependencies: this runs on Node 20 before anything is installed.
import { accessSync, constants, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root, runQuietly } from './steps.js';

const wantedMajor = 24;

/**
 * The paths of packages that `wanted` (package-lock.json, parsed) asks for and `installed` (node_modules/.package-lock.json, parsed)
 * lacks or has in another version. A package for another platform may be absent.
 */
export function missingPackages(wanted, installed) {
  return Object.entries(wanted.packages ?? {})
    .filter(([path]) => path !== '')
    .filter(([path, entry]) => {
      const found = installed.packages?.[path];
      if (found === undefined) {
        return !(entry.optional || entry.devOptional || entry.peer);
      }
      return found.version !== entry.version || found.integrity !== entry.integrity;
    })
    .map(([path]) => path);
}

function readJson(path) {
  return JSON.parse(readFileSync(path, 'utf8'));
}

/** Why packages have to be installed, in a few words; undefined where all is there. */
export function reasonToInstall() {
  const installedFile = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(installedFile)) {
    return 'first run';
  }
  const missing = missingPackages(readJson(join(root, 'package-lock.json')), readJson(installedFile));
  return missing.length === 0 ? undefined : 'package-lock.json has changed';
}

/** Whether the commands after us will find a Node that is new enough. */
export function hasWantedNode() {
  if (Number(process.versions.node.split('.')[0]) >= wantedMajor) {
    return true;
  }
  const version = runQuietly(join(root, 'node_modules', '.bin', 'node'), ['--version']);
  return version.ok && Number(version.output.slice(1).split('.')[0]) >= wantedMajor;
}

// npm as the one that runs us, which need not be the first in the path.
function runNpm(args, environment) {
  const npm = process.env.npm_execpath;
  return npm?.endsWith('.js') ? runQuietly(process.execPath, [npm, ...args], environment) : runQuietly('npm', args, environment);
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

/** Installs what package-lock.json asks for, Node 24 included; returns { ok, output }. */
export function installPackages() {
  const environment = usableCache();
  try {
    return installWith(environment);
  } finally {
    if (environment.npm_config_cache !== undefined) {
      rmSync(environment.npm_config_cache, { recursive: true, force: true });
    }
  }
}

function installWith(environment) {
  // Errors only: on an older Node npm warns of every package that wants a newer one, which is what we are about to bring.
  const quiet = ['--no-audit', '--no-fund', '--no-progress', '--no-update-notifier', '--loglevel=error'];
  const installed = runNpm(['ci', ...quiet], environment);
  if (!installed.ok || hasWantedNode()) {
    return installed;
  }
  // npm was given to run no install scripts; the one that fetches Node 24 is needed all the same.
  const rebuilt = runNpm(['rebuild', 'node', '--ignore-scripts=false', ...quiet], environment);
  if (rebuilt.ok && !hasWantedNode()) {
    return {
      ok: false,
      output: `Node ${wantedMajor} could not be set up beside Node ${process.versions.node}: install Node ${wantedMajor} and try again.`,
    };
  }
  return rebuilt;
}
