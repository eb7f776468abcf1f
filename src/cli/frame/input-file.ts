/** Opening a file (or standard input, `-`) to be sent to the server as it is: gzip and Excel are recognised by their first bytes, not their name. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Upload } from '../../client/index.ts';
import { CommandFailure, type CommandIo } from './io.ts';

/** The bytes of a file with their number, or of standard input (`-`), whose number is not known: 0. CommandFailure where there is no such file. */
async function inputStream(io: CommandIo, path: string): Promise<{ readonly stream: Readable; readonly size: number }> {
  if (path === '-') {
    return { stream: io.stdin, size: 0 };
  }
  const info = await stat(path).catch((error: unknown) => {
    throw new CommandFailure(
      `cannot read ${path}: ${error instanceof Error && 'code' in error && error.code === 'ENOENT' ? 'there is no such file' : String(error)}`,
    );
  });
  if (info.isDirectory()) {
    throw new CommandFailure(`cannot read ${path}: it is a directory`);
  }
  return { stream: createReadStream(path, { highWaterMark: 256 * 1024 }), size: info.size };
}

/**
 * An upload with its size in bytes, 0 where it is not known; `onBytes` hears how many have been read so far. Of a text no more than about
 * `maxTextBytes` are sent, where that is given; an Excel file is nothing without its end.
 */
export async function openInput(
  io: CommandIo,
  path: string,
  onBytes: (read: number, size: number) => void,
  maxTextBytes = Number.POSITIVE_INFINITY,
): Promise<Upload> {
  const { stream, size } = await inputStream(io, path);
  const pieces = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  const first = await pieces.next();
  const head = first.done ? Buffer.alloc(0) : Buffer.from(first.value);
  const isExcel = head.length >= 4 && head.subarray(0, 4).toString('latin1') === 'PK\u0003\u0004';
  let read = 0;
  async function* all(): AsyncGenerator<Uint8Array> {
    for (let piece = head; ; ) {
      read += piece.length;
      onBytes(read, size);
      if (piece.length > 0) {
        yield piece;
      }
      const next = !isExcel && read >= maxTextBytes ? await endOf(pieces) : await pieces.next();
      if (next.done) {
        return;
      }
      piece = Buffer.from(next.value);
    }
  }
  return {
    content: Readable.toWeb(Readable.from(all(), { objectMode: false, highWaterMark: 256 * 1024 })) as Upload['content'],
    gzip: head.length >= 2 && head[0] === 0x1f && head[1] === 0x8b,
    ...(isExcel && { contentType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet' }),
  };
}

/** Gives up what has not been read. */
async function endOf(pieces: AsyncIterator<Buffer>): Promise<IteratorResult<Buffer>> {
  return (await pieces.return?.()) ?? { done: true, value: undefined };
}

/** Writes a reply's body to a file, or to standard output for `-`; resolves when all of it is written. */
export async function writeBody(io: CommandIo, body: ReadableStream<Uint8Array> | null, open: () => NodeJS.WritableStream): Promise<void> {
  if (body === null) {
    return;
  }
  const to = open();
  await pipeline(Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]), to, { end: to !== io.stdout });
}
