/**
 * A c1z file is five bytes and a SQLite database in zstd. The database is expanded into a directory of its own, because SQLite puts files of its
 * own beside one in WAL mode. A directory is named by its host and process, so that what a kill left behind is found and removed by the next process of
 * that host, and nothing that is in use is.
 */
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createZstdDecompress } from 'node:zlib';
import { C1zError } from './c1z-error.ts';

/** Bounds on what a file may expand to. */
export interface ExpandLimits {
  readonly maxBytes: number;
  /** Most times its size, once it is over `graceBytes`. */
  readonly maxExpansion: number;
  readonly graceBytes: number;
}

/** Bounds of every c1z. */
const expandLimits: ExpandLimits = { maxBytes: 20 * 1024 ** 3, maxExpansion: 200, graceBytes: 1024 ** 3 };

/** A database on disk. */
export interface ExpandedC1z {
  readonly path: string;
  /** Removes it with all that lies beside it; a second time does nothing. */
  remove(): Promise<void>;
}

const magicBytes = 5;
const sqliteMagic = 'C1ZF\0';
const pebbleMagic = 'C1Z3\0';

/** Expands a c1z into a new directory. Throws a C1zError for what is none, and for one that is cut, damaged or too large. */
export async function expandC1z(bytes: AsyncIterable<Uint8Array>, limits: ExpandLimits = expandLimits): Promise<ExpandedC1z> {
  const directory = await makeDirectory();
  const remove = () => removeDirectory(directory);
  const path = join(directory, 'sync.db');
  const counts = { read: 0, written: 0 };
  try {
    await pipeline(
      readBody(bytes, counts),
      createZstdDecompress(),
      boundSize(counts, limits),
      createWriteStream(path, { flags: 'wx', mode: 0o600 }),
    );
  } catch (error) {
    await remove();
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (code.startsWith('ZSTD_') || code === 'Z_BUF_ERROR' || code === 'ERR_TRAILING_JUNK_AFTER_STREAM_END') {
      throw new C1zError('the file is damaged or was cut off: its zstd cannot be expanded to the end', { cause: error });
    }
    throw error;
  }
  return { path, remove };
}

/** The bytes behind the magic ones, which are checked before anything is expanded. */
async function* readBody(bytes: AsyncIterable<Uint8Array>, counts: { read: number }): AsyncGenerator<Uint8Array> {
  let head: Uint8Array | undefined = new Uint8Array();
  for await (const piece of bytes) {
    counts.read += piece.length;
    if (head === undefined) {
      yield piece;
      continue;
    }
    head = Buffer.concat([head, piece]);
    if (head.length >= magicBytes) {
      checkMagic(head);
      yield head.subarray(magicBytes);
      head = undefined;
    }
  }
  if (head !== undefined) {
    checkMagic(head);
  }
}

function checkMagic(head: Uint8Array): void {
  const magic = Buffer.from(head.subarray(0, magicBytes)).toString('latin1');
  if (magic === pebbleMagic) {
    throw new C1zError('the file holds a Pebble store, which is not read here; run the connector with BATON_STORAGE_ENGINE=sqlite');
  }
  if (magic !== sqliteMagic) {
    throw new C1zError('the file is no c1z: it does not begin with C1ZF');
  }
}

function boundSize(counts: { read: number; written: number }, limits: ExpandLimits): Transform {
  return new Transform({
    transform(piece: Buffer, _encoding, done) {
      counts.written += piece.length;
      if (counts.written > limits.maxBytes) {
        done(new C1zError(`the file expands to more than ${limits.maxBytes} bytes`, { reason: 'size' }));
      } else if (counts.written > Math.max(limits.graceBytes, limits.maxExpansion * counts.read)) {
        done(new C1zError(`the file expands to more than ${limits.maxExpansion} times its size`, { reason: 'size' }));
      } else {
        done(null, piece);
      }
    },
  });
}

const host = createHash('sha256').update(hostname()).digest('hex').slice(0, 8);
const prefix = `countersign-c1z-${host}-`;

/** Directories of this process. */
const ours = new Set<string>();

/** Makes a directory for one database. */
export async function makeDirectory(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), `${prefix}${process.pid}-`));
  ours.add(basename(path));
  return path;
}

/** Removes one with all that is in it; a second time does nothing. */
export async function removeDirectory(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true });
  ours.delete(basename(path));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Somebody else's process is alive as well.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Removes the directories of processes of this host that are gone. Returns how many there were. */
export async function sweepDirectories(): Promise<number> {
  const left = (await readdir(tmpdir())).filter((name) => {
    const pid = name.startsWith(prefix) ? Number(name.slice(prefix.length).split('-')[0]) : Number.NaN;
    // In a container the process before had our number.
    return Number.isInteger(pid) && pid > 0 && (pid === process.pid ? !ours.has(name) : !isAlive(pid));
  });
  await Promise.all(left.map((name) => rm(join(tmpdir(), name), { recursive: true, force: true })));
  return left.length;
}
