/**
 * Keeping the file that a connector sent: removals need the grants in it as they were written. It is kept in the database, which every process reads and every
 * backup has, and counts once its fetch is done.
 */
import type { Context } from '../../context.ts';
import type { Spool } from '../syncs/index.ts';
import { findFileFetch, insertFilePiece, readFilePieces, removeFiles } from './store-files.ts';

/** Largest file that is kept. */
const maxKeptBytes = 2 * 1024 ** 3;
const pieceBytes = 1024 ** 2;

/** Keeps the file of a fetch, unless it is too large. */
export async function keepFile(context: Context, sourceId: string, fetchId: string, spool: Spool): Promise<void> {
  await removeFiles(context, sourceId, [fetchId]);
  if (spool.size() > maxKeptBytes) {
    return;
  }
  for (let piece = 0; piece * pieceBytes < spool.size(); piece++) {
    const at = piece * pieceBytes;
    const bytes = await spool.readPart(at, Math.min(pieceBytes, spool.size() - at));
    await insertFilePiece(context, { sourceId, fetchId, piece, bytes });
  }
}

/** Opens the file that was imported last; undefined where none is kept. */
export async function openKeptFile(context: Context, sourceId: string): Promise<AsyncGenerator<Buffer> | undefined> {
  const fetchId = await findFileFetch(context, sourceId);
  return fetchId === undefined ? undefined : readFilePieces(context, sourceId, fetchId);
}
