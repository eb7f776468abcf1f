/**
 * Starting a TypeScript file of ours as a process of its own, and reading what it prints line by line. For tests that kill.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** A process that was started. */
export interface RunningProcess {
  readonly child: ChildProcess;
  /** Output so far. */
  readonly lines: string[];
  /** Resolves to the first line that matches, printed already or later; rejects when the process ends before. */
  line(pattern: RegExp): Promise<string>;
  /** Sends a signal and waits for the end; resolves to the exit code (null after a kill). */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/** Runs a file with Node, as another account where one is given, by a program that runs it (`within`, with its arguments) where there is one. */
export function runProcess(
  file: string,
  args: readonly string[],
  account: { uid?: number; gid?: number; env?: NodeJS.ProcessEnv; within?: readonly string[] } = {},
): RunningProcess {
  const { env = {}, within = [], ...ids } = account;
  const [program = process.execPath, ...rest] = [...within, process.execPath, file, ...args];
  const child = spawn(program, rest, {
    ...ids,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NODE_OPTIONS: '', ...env },
  });
  const lines: string[] = [];
  let said = '';
  child.stderr?.on('data', (chunk) => {
    said += String(chunk);
  });
  const ended = once(child, 'exit') as Promise<[number | null]>;
  const reader = createInterface({ input: child.stdout as NodeJS.ReadableStream });
  reader.on('line', (text) => lines.push(text));
  return {
    child,
    lines,
    line(pattern) {
      return new Promise((resolve, reject) => {
        const look = () => {
          const found = lines.find((text) => pattern.test(text));
          if (found !== undefined) {
            reader.off('line', look);
            resolve(found);
          }
        };
        reader.on('line', look);
        void ended.then(([code]) => reject(new Error(`the process ended (${code}) before it printed ${pattern}: ${said.trim()}`)));
        look();
      });
    },
    async end(signal) {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill(signal);
        await ended;
      }
      return child.exitCode;
    },
  };
}
