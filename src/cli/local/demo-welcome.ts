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
  /** True in a shell on another machine: the browser that opens the link is elsewhere. */
  readonly isRemote: boolean;
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

/**
 * Returns the lines that are printed once the demo runs. They hold no secret but the link, which works once, and fit a window of 80 columns where the
 * data lie in the clone.
 */
export function listWelcome(demo: RunningDemo, review: LoadedDemo['review'], { from = process.cwd(), now = new Date() } = {}): string[] {
  const { url, dataDir } = demo;
  const shown = shortenPath(dataDir, from);
  return [
    '',
    `Countersign is running: ${url}`,
    `  Sample review       ${review.displayName ?? ''}`,
    `                      ${sayReview(review, now)}`,
    `  Command line, curl  . ${quote(environmentFileIn(shown))}   (see README.md)`,
    `  API in the browser  ${url}/docs`,
    `  Mails               ${join(shown, 'mails')} (written there, not sent)`,
    `  Data                ${shown} (delete it to begin anew)`,
    'Press Ctrl-C to stop. The next start goes on with the same data.',
    'For a new link start it again, here after a stop or in another window meanwhile.',
    ...listLink(demo, 'a day'),
  ];
}

/** Returns the lines that are printed where a demo with the same data runs already. */
export function listRunning(demo: RunningDemo, from = process.cwd()): string[] {
  const { url, dataDir } = demo;
  return [
    `This demo runs already: ${url}`,
    `  Data  ${shortenPath(dataDir, from)}`,
    'It was started elsewhere, and Ctrl-C stops it there.',
    'For a second one choose another --port and --data-dir.',
    ...listLink(demo, '10 minutes'),
  ];
}

/** The link, last and with nothing around it. */
function listLink({ url, signInUrl, isRemote }: RunningDemo, time: string): string[] {
  const port = new URL(url).port;
  return [
    ...(isRemote
      ? ['', 'Your browser is on another machine? Open a tunnel there first:', `  ssh -L ${port}:localhost:${port} <this machine>`]
      : []),
    '',
    `Open this link to sign in as the administrator. It works once, within ${time}:`,
    '',
    `  ${signInUrl}`,
    '',
  ];
}

/** What became of the review: data of a former day hold one that is overdue. */
function sayReview({ state, completionDate = '' }: LoadedDemo['review'], now: Date): string {
  const word = (state ?? '').replace('ACCESS_REVIEW_STATE_', '').toLowerCase();
  if (state !== 'ACCESS_REVIEW_STATE_OPEN' || completionDate === '') {
    return word;
  }
  const day = completionDate.slice(0, 10);
  return Date.parse(completionDate) < now.getTime() ? `overdue since ${day}: delete the data for a new one` : `open, due ${day}`;
}

function shortenPath(path: string, from: string): string {
  const nearby = relative(from, path);
  return nearby === '' || nearby.startsWith('..') || isAbsolute(nearby) ? path : nearby;
}

/** A word of a shell; what needs no quotes gets none. */
function quote(text: string): string {
  return /^[\w./:@=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
