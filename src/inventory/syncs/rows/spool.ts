/**
 * A temporary file that nobody else can open and that is gone when the process is: what was read of an upload waits here until the
 * database takes it, so that a slow client holds neither a connection nor a transaction.
 */
import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError } from '../../../errors.ts';

const pieceBytes = 64 * 1024;

/** Rows in PostgreSQL's COPY text format, or a file as it came: written once, and read as often as the transaction is tried. */
export interface Spool {
  append(text: string | Buffer): Promise<void>;
  /** The descriptor, for those who read at places of their own choosing. */
  readonly fd: number;
  /** Counts the bytes written. */
  size(): number;
  read(): AsyncGenerator<Buffer>;
  /** Reads a part of what was written. */
  readPart(at: number, length: number): Promise<Buffer>;
  /** Gives the file up; to be called whatever happens. */
  close(): Promise<void>;
}

/** Opens an empty spool in the temporary directory (TMPDIR). UNAVAILABLE if it is full or cannot be written to. */
export async function openSpool(): Promise<Spool> {
  const path = join(tmpdir(), `countersign-import-${randomUUID()}`);
  const file = await atDisk(() => open(path, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL, 0o600));
  // Without a name the system takes it back even after a kill. Where an open file cannot lose its name, close() removes it.
  const isNameless = await unlink(path).then(
    () => true,
    () => false,
  );
  let size = 0;
  return {
    fd: file.fd,
    size: () => size,
    async append(text) {
      const bytes = typeof text === 'string' ? Buffer.from(text, 'utf8') : text;
      await atDisk(() => writeAll(file, bytes, size));
      size += bytes.length;
    },
    async *read() {
      for (let at = 0; at < size; at += pieceBytes) {
        yield await atDisk(() => readAll(file, at, Math.min(pieceBytes, size - at)));
      }
    },
    readPart: (at, length) => atDisk(() => readAll(file, at, length)),
    async close() {
      await file.close();
      if (!isNameless) {
        await unlink(path).catch(() => undefined);
      }
    },
  };
}

async function writeAll(file: FileHandle, bytes: Buffer, at: number): Promise<void> {
  for (let offset = 0; offset < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, offset, bytes.length - offset, at + offset);
    offset += bytesWritten;
  }
}

async function readAll(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length);
  for (let offset = 0; offset < length; ) {
    const { bytesRead } = await file.read(bytes, offset, length - offset, at + offset);
    if (bytesRead === 0) {
      throw new AppError('INTERNAL', 'Something went wrong on our side.', { detail: 'a spool file is shorter than what was written' });
    }
    offset += bytesRead;
  }
  return bytes;
}

async function atDisk<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const unavailable = (message: string): AppError => new AppError('UNAVAILABLE', message, { cause: error, retryAfterSeconds: 60 });
    if (/^(ENOSPC|EDQUOT|EMFILE|ENFILE)$/.test(code)) {
      throw unavailable('The temporary directory of the server is full. Free some space there, and send the file again.');
    }
    if (/^(EACCES|EPERM|EROFS|ENOENT|ENOTDIR)$/.test(code)) {
      throw unavailable('The server cannot write to its temporary directory (TMPDIR). Mend that, and send the file again.');
    }
    throw error;
  }
}
