/**
 * PostgreSQL's own words: what it said before its log began (postgres-start.log), then in its log. Its lines are read as it writes them, whatever
 * prefix an operator has set.
 */
import { type FileHandle, open, readFile, stat } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** At most so much is read from the end of a log. */
const maxTailBytes = 64 * 1024;
const maxQuoteLength = 1500;
/** The last line of a server that was not killed, and how long to wait for it. */
const lastWords = 'database system is shut down';
const maxFlushMs = 5_000;

/** One thing that the server said: its level ('' for a program that has none), and the text in one line. */
interface Said {
  readonly level: string;
  readonly text: string;
}

/** Name and size of the log in use, to read on from there; undefined where there is none yet. */
interface LogPlace {
  readonly path: string;
  readonly size: number;
}

/** Where the log of the server ends now: what comes later is of the next start. */
export async function findLogEnd(cluster: string): Promise<LogPlace | undefined> {
  const path = await currentLog(cluster);
  const found = path === undefined ? undefined : await stat(path).catch(() => undefined);
  return path === undefined || found === undefined ? undefined : { path, size: found.size };
}

/** What the server wrote into its log since `before`; '' where it wrote none. @internal */
export async function readLogSince(cluster: string, before: LogPlace | undefined): Promise<string> {
  const path = await currentLog(cluster);
  if (path === undefined) {
    return '';
  }
  const text = await readTail(path, before?.path === path ? before.size : 0).catch(() => '');
  // A log of another name may have been begun long ago.
  return before?.path === path ? text : text.slice(Math.max(0, text.lastIndexOf('starting PostgreSQL')));
}

/** The same of a server that gave up, to its last words: the process that writes the log outlives it for a moment. */
export async function readLastWords(cluster: string, before: LogPlace | undefined): Promise<string> {
  for (let waitedMs = 0; ; waitedMs += 20) {
    const text = await readLogSince(cluster, before);
    if (text.endsWith(lastWords) || waitedMs >= maxFlushMs) {
      return text;
    }
    await delay(20);
  }
}

/** The text of a file from a position on, at most its last 64 KB; from its beginning where it is shorter than that. */
export async function readTail(path: string, from: number): Promise<string> {
  let file: FileHandle | undefined;
  try {
    file = await open(path, 'r');
    const { size } = await file.stat();
    const start = Math.max(from > size ? 0 : from, size - maxTailBytes);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size - start), 0, size - start, start);
    return buffer.toString('utf8', 0, bytesRead).trim();
  } finally {
    await file?.close();
  }
}

/** The server notes where it logs in a file of its own. */
async function currentLog(cluster: string): Promise<string | undefined> {
  const noted = await readFile(join(cluster, 'current_logfiles'), 'utf8').catch(() => '');
  const path = /^(?:stderr|csvlog|jsonlog) (.+)$/m.exec(noted)?.[1];
  return path === undefined ? undefined : isAbsolute(path) ? path : join(cluster, path);
}

/** How far a server is that repairs itself after a crash, in its own words; undefined where it says nothing of that. */
export async function readProgress(cluster: string): Promise<string | undefined> {
  const all = parseServerLog(await readLogSince(cluster, undefined));
  return all.findLast(({ text }) => /^(?:redo in progress|syncing data directory|resetting unlogged relations|.*elapsed time:)/.test(text))
    ?.text;
}

/** Lines of a start and of an end that say nothing about why. */
const noise = [
  /^(?:redirecting log output|Future log output|starting PostgreSQL|listening on|database system (?:was|is) |the database system is )/,
  /^(?:redo |syncing data|resetting unlogged|checkpoint |invalid record length|entering standby|starting backup recovery)/,
  /^(?:terminating (?:\w+ other|connection)|shutting down|aborting any|abnormal database|received |all server processes terminated)/,
  /^(?:startup process|background worker|autovacuum launcher process).* exited with exit code/,
  /^(?:Aborted|child process exited|initdb: removing)/,
];

/** Takes the server's lines apart: a line without a level goes on with the one before it. */
function parseServerLog(text: string): Said[] {
  const all: { level: string; text: string }[] = [];
  for (const line of text.split('\n')) {
    const found = /(?:^|[\s\]:])(LOG|FATAL|PANIC|ERROR|WARNING|NOTICE|INFO|HINT|DETAIL|CONTEXT|STATEMENT|LOCATION):\s+(.*)$/.exec(line);
    const last = all.at(-1);
    if (found !== null) {
      all.push({ level: found[1] ?? '', text: found[2] ?? '' });
    } else if (line.startsWith('\t') && last !== undefined) {
      last.text = `${last.text} ${line.trim()}`;
    } else if (line.trim() !== '') {
      all.push({ level: '', text: line.trim() });
    }
  }
  return all.filter(({ level }) => level !== 'STATEMENT' && level !== 'LOCATION');
}

/** The lines that say why a server ended, as PostgreSQL wrote them, in one; all it said where none does. */
export function quoteServer(text: string): string {
  const all = parseServerLog(text);
  const telling = all.filter((one) => !noise.some((each) => each.test(one.text)));
  const lines = (telling.length === 0 ? all : telling).map((one) => (one.level === '' ? one.text : `${one.level}: ${one.text}`));
  const quote = [...new Set(lines)].join(' ');
  return quote.length > maxQuoteLength ? `... ${quote.slice(-maxQuoteLength)}` : quote;
}
