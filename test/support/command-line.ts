/** The command line in this process: arguments and environment in, exit code and what was printed out. */
import { Readable, Writable } from 'node:stream';
import { runCommand } from '../../src/cli/program.ts';
import type { ClientCredential } from '../../src/client/index.ts';

/** Exit code and output. */
export interface CommandResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CommandInput {
  readonly env?: Record<string, string>;
  readonly stdin?: string | Buffer;
  /** True if somebody sits there, who can be asked. */
  readonly isTerminal?: true;
  readonly signal?: AbortSignal;
}

/** Runs one command to its end. */
export async function runInProcess(args: readonly string[], input: CommandInput = {}): Promise<CommandResult> {
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  const code = await runCommand(args, {
    env: input.env ?? {},
    stdin: Object.assign(Readable.from(input.stdin === undefined ? [] : [Buffer.from(input.stdin)]), {
      isTTY: input.isTerminal === true,
    }),
    stdout: collector(out),
    stderr: collector(err),
    signal: input.signal ?? new AbortController().signal,
  });
  const result = { code, stdout: Buffer.concat(out).toString('utf8'), stderr: Buffer.concat(err).toString('utf8') };
  // Whatever is tested of a command, an object that it puts into words has to be spelled out.
  if (/\[object \w+\]|(^|\s)undefined(\s|$)/m.test(`${result.stdout}\n${result.stderr}`)) {
    throw new Error(`countersign ${args.join(' ')} prints what is no text:\n${result.stdout}${result.stderr}`);
  }
  return result;
}

/** The environment with which commands speak to a server as this person. */
export function environmentFor(url: string, credential: ClientCredential): Record<string, string> {
  return { COUNTERSIGN_URL: url, COUNTERSIGN_CLIENT_ID: credential.clientId, COUNTERSIGN_CLIENT_SECRET: credential.clientSecret };
}

function collector(into: Buffer[]): Writable {
  return new Writable({
    write(piece: Buffer | string, _encoding, done) {
      into.push(Buffer.from(piece));
      done();
    },
  });
}
