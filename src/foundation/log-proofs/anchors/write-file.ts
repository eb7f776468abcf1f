/** Writes checkpoints into the operator's folder: on storage of others, or that nothing can be changed on, they bind whoever has the database. */
import { open, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolders, reasonOfFile } from '../../../lib/files/file-reason.ts';

/** A checkpoint to be written. */
export interface CheckpointFile {
  readonly epoch: number;
  readonly size: number;
  readonly note: string;
}

/** Writes it as TENANT/EPOCH-SIZE.checkpoint: whole or not at all, and on the disk when this resolves. */
export async function writeCheckpointFile(dir: string | undefined, tenantId: string, { epoch, size, note }: CheckpointFile): Promise<void> {
  if (dir === undefined) {
    throw new Error('no folder for checkpoints is given any more (--checkpoint-dir)');
  }
  const path = join(dir, tenantId, `${epoch}-${String(size).padStart(12, '0')}.checkpoint`);
  try {
    await writeWhole(path, note);
  } catch (error) {
    const reason = reasonOfFile(error);
    throw reason === undefined ? error : new Error(`${path} cannot be written (--checkpoint-dir): ${reason}`, { cause: error });
  }
}

async function writeWhole(path: string, note: string): Promise<void> {
  await makeFolders(dirname(path));
  const file = await open(`${path}.part`, 'w', 0o644);
  try {
    await file.writeFile(note);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(`${path}.part`, path);
}
