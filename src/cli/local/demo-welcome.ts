/**
 * Announces a demo that runs, in few lines with the link last, and keeps its credential in a file for shells instead of on the screen.
 */
import { isAbsolute, join, relative } from 'node:path';
import { type BootstrapCredential, writePrivateFile } from './bootstrap.ts';
import type { LoadedDemo } from './demo-load.ts';

/** A running demo as it is announced. */
interface RunningDemo {
  readonly url: string;
  readonly signInUrl: string;
  readonly dataDir: string;
}

/** The file that sets what the command line and curl need: address, client id and client secret. */
export function environmentFileIn(dataDir: string): string {
  return join(dataDir, 'environment');
}

/** Writes that file, readable by its owner alone. */
export async function writeEnvironment(
  path: string,
  { url, credential }: { readonly url: string; readonly credential: Pick<BootstrapCredential, 'clientId' | 'clientSecret'> },
): Promise<void> {
  const values = {
    COUNTERSIGN_URL: url,
    COUNTERSIGN_CLIENT_ID: credential.clientId,
    COUNTERSIGN_CLIENT_SECRET: credential.clientSecret,
  };
  const lines = Object.entries(values).map(([name, value]) => `export ${name}=${quote(value)}`);
  await writePrivateFile(path, `${lines.join('\n')}\n`);
}

/** Returns the lines that are printed once the demo runs. They hold no secret but the link, which works once. */
export function listWelcome({ url, signInUrl, dataDir }: RunningDemo, review: LoadedDemo['review'], from = process.cwd()): string[] {
  const nearby = relative(from, dataDir);
  const shown = nearby === '' || nearby.startsWith('..') || isAbsolute(nearby) ? dataDir : nearby;
  const state = (review.state ?? '').replace('ACCESS_REVIEW_STATE_', '').toLowerCase();
  return [
    '',
    `Countersign is running: ${url}`,
    `  Sample review       ${review.displayName ?? ''} (${state})`,
    `  Command line, curl  . ${quote(environmentFileIn(shown))}   sets the credential; README.md has commands to try`,
    `  API in the browser  ${url}/docs`,
    `  Mails               ${join(shown, 'mails')} (written there, not sent)`,
    `  Data                ${shown} (delete it to start again from the beginning)`,
    'Press Ctrl-C to stop. The next start uses the same data and prints a new link.',
    '',
    'Open this link to sign in as the administrator. It works once, within a day:',
    '',
    `  ${signInUrl}`,
    '',
  ];
}

/** A word of a shell; what needs no quotes gets none. */
function quote(text: string): string {
  return /^[\w./:@=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
