/**
 * The file of a backup, version 1. It is gzip; what is inside is UTF-8 text in lines:
 *
 *   {"countersignBackup":1,"release":...,"createdAt":...,"migrations":[{"number","name","checksum"},...],"tables":[{"name","columns":[...]},...]}
 *   for each of these tables, in that order, which is one in which they can be filled:
 *   {"table":NAME}
 *   one line a row, as PostgreSQL's COPY writes text
 *   \.
 *   {"rows":COUNT}
 *   and at the end:
 *   {"end":true,"rows":COUNT,"sequences":{NAME:LAST,...},"sha256":HASH}
 *
 * HASH is of everything before the last line, in hexadecimal. Who writes and who restores is in write.ts and restore.ts.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { AppError } from '../../errors.ts';
import type { Applied } from '../migrate.ts';

/** The version of the format that is written; no other is read. */
export const formatVersion = 1;
/** The line behind the rows of a table. */
export const endOfRows = '\\.\n';

/** The first line. */
export interface BackupHead {
  readonly release: string;
  readonly createdAt: string;
  readonly migrations: readonly Applied[];
  readonly tables: readonly { readonly name: string; readonly columns: readonly string[] }[];
}

/** The last line. */
export interface BackupEnd {
  readonly rows: number;
  readonly sequences: Readonly<Record<string, string>>;
  readonly sha256: string;
}

/** A file read to its end, and found complete. */
export interface BackupSummary {
  readonly head: BackupHead;
  readonly end: BackupEnd;
}

/** Callbacks for what a reader comes past. */
export interface BackupVisitor {
  head(head: BackupHead): Promise<void>;
  /** Called once for each table, in order; what it returns takes the rows, whole lines at a time. */
  table(name: string): Promise<{ rows(lines: Buffer): Promise<void>; end(): Promise<void> }>;
}

const unread: BackupVisitor = {
  head: async () => undefined,
  table: async () => ({ rows: async () => undefined, end: async () => undefined }),
};

/** No line but one of rows is longer. */
const maxLineBytes = 1024 * 1024;

/** Reads a backup. FAILED_PRECONDITION with what is wrong, where the file is not a backup, is cut off, or is not what was written. */
export async function readBackup(path: string, visitor: BackupVisitor = unread): Promise<BackupSummary> {
  const lines = createLineReader(path);
  try {
    const head = parseHead(path, await lines.next());
    await visitor.head(head);
    let total = 0;
    for (const { name } of head.tables) {
      const { table } = parseLine(path, await lines.next());
      if (table !== name) {
        throw damaged(path, `the table ${name} is not where it must be`);
      }
      const target = await visitor.table(name);
      const rows = await lines.nextRows((part) => target.rows(part));
      await target.end();
      const counted = parseLine(path, await lines.next());
      if (counted['rows'] !== rows) {
        throw damaged(path, `the table ${name} has ${rows} rows and should have ${String(counted['rows'])}`);
      }
      total += rows;
    }
    const sha256 = lines.hash();
    const end = parseLine(path, await lines.next()) as unknown as BackupEnd & { end?: boolean };
    if (end.end !== true || end.rows !== total) {
      throw damaged(path, 'its last line is not what it must be');
    }
    if (end.sha256 !== sha256) {
      throw damaged(path, `its content has the hash ${sha256}, and ${end.sha256} was written`);
    }
    await lines.end();
    return { head, end };
  } finally {
    lines.close();
  }
}

interface LineReader {
  next(): Promise<string>;
  /** Hands over the lines up to the end of the rows, and counts them. */
  nextRows(take: (lines: Buffer) => Promise<void>): Promise<number>;
  /** Of all that was handed over so far. */
  hash(): string;
  /** Refuses whatever follows. */
  end(): Promise<void>;
  close(): void;
}

function createLineReader(path: string): LineReader {
  const file = createReadStream(path, { highWaterMark: 256 * 1024 });
  const gunzip = createGunzip({ chunkSize: 256 * 1024 });
  file.on('error', (error) => gunzip.destroy(error));
  const chunks = file.pipe(gunzip)[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  const hash = createHash('sha256');
  let left: Buffer = Buffer.alloc(0);

  async function more(): Promise<Buffer | undefined> {
    try {
      const { done, value } = await chunks.next();
      return done === true ? undefined : value;
    } catch (error) {
      throw explain(path, error);
    }
  }

  /** Whole lines, at least one. */
  async function nextLines(maxBytes = Number.POSITIVE_INFINITY): Promise<Buffer> {
    const parts = [left];
    let size = left.length;
    for (;;) {
      const newline = (parts.at(-1) as Buffer).lastIndexOf(10);
      if (newline >= 0) {
        const all = parts.length === 1 ? left : Buffer.concat(parts, size);
        const length = size - (parts.at(-1) as Buffer).length + newline + 1;
        left = all.subarray(length);
        return all.subarray(0, length);
      }
      if (size > maxBytes) {
        throw damaged(path, 'a line of it is too long');
      }
      const chunk = await more();
      if (chunk === undefined) {
        throw cutOff(path);
      }
      parts.push(chunk);
      size += chunk.length;
    }
  }

  return {
    async next() {
      const lines = await nextLines(maxLineBytes);
      const length = lines.indexOf(10) + 1;
      left = Buffer.concat([lines.subarray(length), left]);
      hash.update(lines.subarray(0, length));
      return lines.toString('utf8', 0, length - 1);
    },
    async nextRows(take) {
      for (let count = 0; ; ) {
        const lines = await nextLines();
        const inside = lines.indexOf(`\n${endOfRows}`);
        const length = lines.subarray(0, 3).equals(Buffer.from(endOfRows)) ? 0 : inside < 0 ? lines.length : inside + 1;
        const rows = lines.subarray(0, length);
        count += countLines(rows);
        hash.update(rows);
        if (length > 0) {
          await take(rows);
        }
        if (length < lines.length) {
          hash.update(endOfRows);
          left = Buffer.concat([lines.subarray(length + endOfRows.length), left]);
          return count;
        }
      }
    },
    hash: () => hash.copy().digest('hex'),
    async end() {
      if (left.length > 0 || (await more()) !== undefined) {
        throw damaged(path, 'something stands behind its last line');
      }
    },
    close() {
      file.destroy();
      gunzip.destroy();
    },
  };
}

/** Counts the rows that COPY wrote as text: a row is a line, and a line break inside a value is escaped. */
export function countLines(rows: Buffer): number {
  let count = 0;
  for (let at = rows.indexOf(10); at >= 0; at = rows.indexOf(10, at + 1)) {
    count++;
  }
  return count;
}

function parseHead(path: string, line: string): BackupHead {
  let parsed: Record<string, unknown>;
  try {
    parsed = JSON.parse(line) as Record<string, unknown>;
  } catch {
    throw notOurs(path);
  }
  if (typeof parsed['countersignBackup'] !== 'number') {
    throw notOurs(path);
  }
  if (parsed['countersignBackup'] !== formatVersion) {
    throw refuse(
      `The backup ${path} has the format ${parsed['countersignBackup']}; this release reads ${formatVersion}. Use the release that wrote it, or a later one.`,
    );
  }
  return parsed as unknown as BackupHead;
}

function parseLine(path: string, line: string): Record<string, unknown> {
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    throw damaged(path, 'a line of it cannot be read');
  }
}

function explain(path: string, error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'Z_BUF_ERROR') {
    return cutOff(path);
  }
  if (code === 'Z_DATA_ERROR') {
    return /incorrect header check/.test((error as Error).message) ? notOurs(path) : damaged(path, (error as Error).message);
  }
  return typeof code === 'string' && code !== 'ERR_STREAM_PREMATURE_CLOSE'
    ? refuse(`The backup ${path} cannot be read: ${(error as Error).message}.`)
    : error;
}

function notOurs(path: string): AppError {
  return refuse(`${path} is not a backup made by countersign backup.`);
}

function cutOff(path: string): AppError {
  return refuse(`The backup ${path} is cut off: its end is missing. Use another copy of it.`);
}

function damaged(path: string, what: string): AppError {
  return refuse(`The backup ${path} is damaged: ${what}. Use another copy of it.`);
}

function refuse(message: string): AppError {
  return new AppError('FAILED_PRECONDITION', message);
}
