/**
 * The settings of V8's heap that a server runs with, and what verifies a bundle of a million decisions. By default V8 lets garbage pile up to hundreds of megabytes on a machine with much
 * memory: a report of 100,000 rows took 300 MB more than an idle server, of which 20 were in use. With these it is about 110.
 */
import { isCompiled } from '../../lib/installation.ts';

/** Stack traces of the compiled program name the lines of its sources. */
const ownFlags = ['--heap-growing-percent=30', ...(isCompiled ? ['--enable-source-maps'] : [])];

/** Flags of V8 with which bundles are verified: they are read in pieces that die young. */
export const flagsOfVerifier: readonly string[] = flagsFor(2);

function flagsFor(maxSemiSpaceMegabytes: number): string[] {
  return [`--max-semi-space-size=${maxSemiSpaceMegabytes}`, ...ownFlags];
}

/**
 * Replaces this process by `main` with the settings: same pid, streams and arguments. They are read when V8 starts, so setting them later has
 * no effect. Does nothing where they are set already, or where Node cannot replace a process.
 */
export function restartWithLeanHeap(main: string, args: readonly string[], flags: readonly string[] = flagsFor(16)): void {
  if (flags.every((flag) => process.execArgv.includes(flag)) || typeof process.execve !== 'function') {
    return;
  }
  process.execve(process.execPath, [process.execPath, ...process.execArgv, ...flags, main, ...args], process.env);
}
