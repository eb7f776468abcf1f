/** Streams an upload to a file that only we can read, counts and hashes it, and keeps the end of a log instead. */
import { createHash } from 'node:crypto';
import { maxLogBytes, maxUploadBytes, type ReceivedFile } from '../../inventory/connector-tasks/index.ts';
import { openSpool, type Spool } from '../../inventory/syncs/index.ts';
import { AppError } from '../../errors.ts';

/** Upload that is whole: a file, whose spool the caller closes, or the end of a log. */
export type SpooledUpload = { readonly kind: 'FILE'; readonly file: ReceivedFile } | { readonly kind: 'LOG'; readonly log: Buffer };

/** Pieces of an upload in order; `end` is the digest that the sender announces. */
export type UploadPiece = { readonly data: Uint8Array } | { readonly end: Uint8Array };

const fileMarks = ['C1ZF\0', 'C1Z3\0'];
const hasMark = (head: Buffer): boolean => fileMarks.includes(head.subarray(0, 5).toString('latin1'));

/** Reads an upload to its end. INVALID_ARGUMENT where it is too large, has no end, or has another digest than its sender says. */
export async function spoolUpload(pieces: AsyncIterable<UploadPiece>): Promise<SpooledUpload> {
  const spool = await atDisk(openSpool);
  let isFile = false;
  try {
    const { sha256, log } = await writePieces(spool, pieces);
    isFile = log === undefined;
    return log === undefined ? { kind: 'FILE', file: { spool, sha256 } } : { kind: 'LOG', log };
  } finally {
    if (!isFile) {
      await spool.close();
    }
  }
}

/** Writes what comes, unless it is a log, of which the end is kept. */
async function writePieces(spool: Spool, pieces: AsyncIterable<UploadPiece>) {
  const digest = createHash('sha256');
  let bytes = 0;
  let head: Buffer = Buffer.alloc(0);
  let log: Buffer | undefined;
  for await (const piece of pieces) {
    if ('end' in piece) {
      const sha256 = digest.digest('hex');
      if (Buffer.from(piece.end).toString('hex') !== sha256) {
        throw new AppError('INVALID_ARGUMENT', 'The upload has another SHA-256 than its sender says.');
      }
      return { sha256, log: log ?? (hasMark(head) ? undefined : head) };
    }
    const data = Buffer.from(piece.data.buffer, piece.data.byteOffset, piece.data.byteLength);
    bytes += data.length;
    if (bytes > maxUploadBytes) {
      throw new AppError('INVALID_ARGUMENT', 'The upload is larger than 4 GiB.');
    }
    digest.update(data);
    const isKnown = head.length >= 5;
    if (!isKnown) {
      head = Buffer.concat([head, data]);
      if (head.length >= 5 && !hasMark(head)) {
        log = head;
      } else if (head.length >= 5) {
        await atDisk(() => spool.append(head));
      }
    } else if (log !== undefined) {
      log = Buffer.concat([log, data]);
    } else {
      await atDisk(() => spool.append(data));
    }
    log = log?.subarray(-maxLogBytes);
  }
  throw new AppError('INVALID_ARGUMENT', 'The upload ended before it was whole.');
}

/** UNAVAILABLE where the disk takes no more: the connector tries again. */
async function atDisk<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new AppError('UNAVAILABLE', 'The upload could not be stored.', { cause: error });
  }
}
