// What the scripts beside this one share: running a program quietly, finding it, and one line of output per step.
// Plain JavaScript without dependencies: this runs on Node 20 before anything is installed.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the clone, whatever the current directory is. */
export const root = fileURLToPath(new URL('..', import.meta.url));

/** The path of a program that npm installed beside us; undefined where it is not there. */
export function findProgram(name) {
  const path = join(root, 'node_modules', '.bin', process.platform === 'win32' ? `${name}.cmd` : name);
  return existsSync(path) ? path : undefined;
}

/** Runs a program to its end and returns { ok, output }; nothing is printed. `environment` is added to ours. */
export function runQuietly(program, args, environment = {}) {
  const ended = spawnSync(program, args, {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 64 * 1024 * 1024,
  });
  const output = `${ended.stdout ?? ''}${ended.stderr ?? ''}${ended.error ? `${ended.error.message}\n` : ''}`;
  return { ok: ended.status === 0, output };
}

/** Starts a program and returns a promise of the same, so that it runs beside what comes next. */
export function runBeside(program, args, environment = {}) {
  const child = spawn(program, args, { cwd: root, env: { ...process.env, ...environment }, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (piece) => {
      output += piece;
    });
  }
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ ok: false, output: `${error.message}\n` }));
    child.once('close', (status) => resolve({ ok: status === 0, output }));
  });
}

/** Runs buf. Its cache stays in the clone: the account may have no home, and what is generated here needs nothing from elsewhere. */
export function runBuf(args) {
  const buf = findProgram('buf');
  if (buf === undefined) {
    return { ok: false, output: 'buf is not installed: run "npm ci" with the development dependencies.' };
  }
  // Its plugin is found beside it.
  const path = [join(root, 'node_modules', '.bin'), process.env.PATH].join(delimiter);
  return runQuietly(buf, args, { PATH: path, BUF_CACHE_DIR: join(root, 'node_modules', '.cache', 'buf') });
}

function begin(what) {
  process.stderr.write(`${what} ... `);
  return Date.now();
}

function finish(result, started) {
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  process.stderr.write(result.ok ? `${result.note ?? 'done'} (${seconds} s)\n` : `failed after ${seconds} s\n\n${result.output}\n`);
  if (!result.ok) {
    process.exit(1);
  }
}

/**
 * Prints `what`, does `work` and adds how it ended, all on one line. Where `work` returns { ok: false, output }, its output follows
 * and the process ends with status 1. Everything goes to standard error, so that a command's own output stays clean.
 */
export function step(what, work) {
  const started = begin(what);
  finish(work(), started);
}

/** The same for what runs already: waits for it. */
export async function waitFor(what, running) {
  const started = begin(what);
  finish(await running, started);
}
