/** The command line's process: connects it to this process's streams and signals. What it does is in program.ts. */
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { programFolder } from '../lib/installation.ts';
import { followParent } from './local/follow-parent.ts';
import type { CommandIo } from './frame/io.ts';
import { openStandardOutput } from './frame/standard-output.ts';
import { flagsOfVerifier, restartWithLeanHeap } from './local/lean-heap.ts';

// Reading and compiling the program is most of what a short command does; beside the packages only their owner can put something there.
// Where nobody may write it goes without.
enableCompileCache(join(programFolder, 'node_modules/.cache/countersign'));

const args = process.argv.slice(2);
if ((isServer() || args[0] === 'verify') && !args.includes('--help')) {
  restartWithLeanHeap(import.meta.filename, args, args[0] === 'verify' ? flagsOfVerifier : undefined);
}
const stopping = new AbortController();
let interrupts = 0;
// A hang-up is the end of the terminal. Without one it is nohup's, which Node does not leave ignored, or an operator's who means a reload.
const hasTerminal = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY;
let hasHungUp = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    if (signal === 'SIGHUP' && !hasTerminal) {
      sayUnmoved(signal);
      return;
    }
    hasHungUp ||= signal === 'SIGHUP';
    stopping.abort();
    interrupts += 1;
    if (interrupts > 2) {
      process.exit(1);
    }
    if (!isServer()) {
      // Time for a last word; a transfer under way would not end by itself.
      setTimeout(() => process.exit(hasHungUp ? 129 : 130), 300).unref();
    }
  });
}
// By itself Node opens its debugger to every account of the machine at the one, and ends without order at the other.
process.on('SIGUSR1', sayUnmoved);
process.on('SIGUSR2', sayUnmoved);
if (isServer()) {
  followParent(process.env, () => stopping.abort());
}
// A terminal that has hung up takes no last words.
process.stderr.on('error', () => undefined);
const stdout = openStandardOutput();
stdout.on('error', endWithoutOutput);

// Only now: before the restart it would be loaded twice, and while it loads, a signal to the first process of a container would be lost.
const { runCommand } = await import('./program.ts');
const io: CommandIo = { env: process.env, stdin: process.stdin, stdout, stderr: process.stderr, signal: stopping.signal };
process.exitCode = await runCommand(args, io);
if (stdout.errored !== null) {
  // The event of a write to a file would come after the end.
  endWithoutOutput(stdout.errored);
}
if (stopping.signal.aborted && process.exitCode === 0 && (hasHungUp || !isServer())) {
  process.exitCode = hasHungUp ? 129 : 130;
}
// Connections that a client keeps alive would hold the process open for seconds.
if (process.exitCode !== 0 || !stdout.writableNeedDrain) {
  process.exit();
} else if (isServer()) {
  // Nor would a reader of what it prints that does not read.
  setTimeout(() => process.exit(), 1_000);
}

/** An operator who asks other programs to read their files or begin a new log by a signal. */
function sayUnmoved(signal: string): void {
  process.stderr.write(`countersign: ${signal} changes nothing; restart to take new options and certificates\n`);
}

/** A reader that went away (| head) is no failure of ours; a file that is not whole must not look as if it were. The log of a server has its own way. */
function endWithoutOutput(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') {
    process.exit(0);
  }
  if (!isServer()) {
    process.stderr.write(`countersign: standard output cannot be written: ${error.message}\n`);
    // 1 of these two says that something does not hold.
    process.exit(args[0] === 'verify' || (args[0] === 'log' && args[1] === 'check') ? 2 : 1);
  }
}

/** True if the command is one that runs until it is stopped. */
function isServer(): boolean {
  const [command, what] = args;
  return command === 'serve' || command === 'demo' || (command === 'connector' && what === 'run');
}
