/** `countersign verify`: holds an evidence bundle against its seal, offline. What is checked stands in verify/. */
import { readFile } from 'node:fs/promises';
import { identifierList } from '../../lib/read-options.ts';
import { UnreadableError, type Verification, verifyBundle } from '../../verify/index.ts';
import type { Commands } from '../frame/commands.ts';
import { withJson } from '../frame/connect.ts';
import { CommandFailure, count, UsageError } from '../frame/io.ts';

/** Lines of findings that are printed; --json has more. */
const maxShown = 100;

/** Adds `verify`. */
export function addVerifyCommand(program: Commands): void {
  program.run('verify', {
    description:
      'verify an evidence bundle offline; exit code 0 if it holds, 1 if not, 2 if it cannot be read, 3 if it holds on keys of its own',
    shared: withJson,
    operands: { '<bundle>': 'the bundle, a file' },
    options: {
      '--key <file>': 'the key of the log (name+id+key), or a policy of logs and witnesses',
      '--tsa-roots <file>': 'certificates (PEM) under which time stamps count',
      '--tsa-policies <list>': 'policies that time stamps have to be made under, as object identifiers separated by commas (default: any)',
      '--idp-keys <file>': 'keys (JWKS) of the identity provider that signers signed in at',
      '--checkpoint <file>': 'a checkpoint of the log that was kept outside',
    },
    act: async (given) => {
      const [key, tsaRoots, idpKeys, checkpoint] = await Promise.all([
        readOutside('--key', given.key),
        readOutside('--tsa-roots', given.tsaRoots),
        readOutside('--idp-keys', given.idpKeys),
        readOutside('--checkpoint', given.checkpoint),
      ]);
      const policies = readPolicies(given.tsaPolicies ?? '');
      const verified = await verifyBundle(given.bundle, { key, tsaRoots, idpKeys, checkpoint }, policies).catch((error: unknown) => {
        throw error instanceof UnreadableError ? new CommandFailure(error.message, 2) : error;
      });
      return { json: verified, text: () => describe(verified), ...ending(verified) };
    },
  });
}

function readPolicies(text: string): string[] {
  try {
    return identifierList(text);
  } catch (error) {
    throw new UsageError(`--tsa-policies must be ${error instanceof Error ? error.message : String(error)}`);
  }
}

async function readOutside(option: string, path: string | undefined): Promise<Buffer | undefined> {
  if (path === undefined) {
    return undefined;
  }
  return readFile(path).catch((error: unknown) => {
    throw new UsageError(`${option}: ${error instanceof Error ? error.message : String(error)}`);
  });
}

function ending({ verdict, findings, more }: Verification): { readonly failure?: string; readonly exitCode?: number } {
  if (verdict === 'broken') {
    const found = findings.length + more;
    return { failure: `the bundle does not hold: ${count(found)} ${found === 1 ? 'thing is' : 'things are'} wrong` };
  }
  return verdict === 'unproven'
    ? { failure: 'the bundle holds, on keys that only the bundle itself brought; give them from outside', exitCode: 3 }
    : {};
}

function describe({ verdict, findings, more, notes, shown, believed }: Verification): string[] {
  const left = more + Math.max(0, findings.length - maxShown);
  return [
    ...findings
      .slice(0, maxShown)
      .map(({ file, line, sentence }) => `DOES NOT HOLD: ${file}${line === undefined ? '' : `, line ${line}`}: ${sentence}`),
    ...(left > 0 ? [`... and ${count(left)} more`] : []),
    ...(verdict === 'broken' ? [] : ['This was shown:', ...shown.map((sentence) => `- ${sentence}`), '']),
    ...notes.map((note) => `note: ${note}`),
    ...(verdict === 'broken' || believed.length === 0
      ? []
      : ['', 'This must be believed:', ...believed.map((sentence) => `- ${sentence}`)]),
  ];
}
