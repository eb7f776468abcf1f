#!/usr/bin/env node
// Starts the command line on Node 24: hands over to the Node that npm installed beside us where the machine's own is older.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const wanted = 24;
const main = fileURLToPath(new URL('../src/cli/main.ts', import.meta.url));
if (Number(process.versions.node.split('.')[0]) >= wanted) {
  await import(main);
} else {
  const bundled = fileURLToPath(new URL('../node_modules/node/bin/node', import.meta.url));
  if (!existsSync(bundled)) {
    console.error(
      `countersign needs Node ${wanted} or later and found ${process.version}. Run "npm ci" here first: it brings Node ${wanted} along.`,
    );
    process.exit(1);
  }
  // exec would be better still (one process, signals for free); Node has none, so signals are passed on below.
  const { spawn } = await import('node:child_process');
  const child = spawn(bundled, [main, ...process.argv.slice(2)], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(signal ? 128 : (code ?? 1)));
}
