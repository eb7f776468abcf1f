#!/usr/bin/env node
// Starts the command line on Node 24: in a clone from its sources, on the Node that npm installed beside them where the machine's own is
// older; in an installed package from dist/. Plain JavaScript without dependencies: it must at least load on an old Node.
import { existsSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';

const wanted = 24;
const pathOf = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const isClone = existsSync(pathOf('src/cli/main.ts'));
const main = pathOf(isClone ? 'src/cli/main.ts' : 'dist/cli/main.js');
const bundled = pathOf('node_modules/node/bin/node');

function refuse(sentence) {
  console.error(`countersign: ${sentence}`);
  process.exit(1);
}

if (isClone && !existsSync(pathOf('node_modules'))) {
  refuse(`nothing is installed in this clone yet; run "npm ci" in ${pathOf('.')} first`);
} else if (Number(process.versions.node.split('.')[0]) >= wanted) {
  await import(pathToFileURL(main).href);
} else if (!existsSync(bundled)) {
  const way = isClone ? ', or run "npm ci" in the clone, without --ignore-scripts, which brings it along' : '';
  refuse(`this program needs Node ${wanted} or later, and this is Node ${process.versions.node}; install Node ${wanted}${way}`);
} else if (typeof process.execve === 'function') {
  // One process: signals reach it without anybody's help.
  process.execve(bundled, [bundled, main, ...process.argv.slice(2)], process.env);
} else {
  const { spawn } = await import('node:child_process');
  const child = spawn(bundled, [main, ...process.argv.slice(2)], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR1', 'SIGUSR2']) process.on(signal, () => child.kill(signal));
  const parent = process.ppid;
  // npm ends without a word to what it started; see src/cli/local/follow-parent.ts.
  if (process.env.npm_command !== undefined) setInterval(() => process.ppid !== parent && child.kill('SIGTERM'), 250).unref();
  child.on('exit', (code, signal) => process.exit(signal ? 128 : (code ?? 1)));
}
