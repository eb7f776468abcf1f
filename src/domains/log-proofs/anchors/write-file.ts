/** Writes checkpoints into the operator's folder: on storage of others, or that nothing can be changed on, they bind whoever has the database. */
import { mkdir, open, rename } from 'node:fs/promises';
import { join } from 'node:path';

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
  const folder = join(dir, tenantId);
  await mkdir(folder, { recursive: true });
  const path = join(folder, `${epoch}-${String(size).padStart(12, '0')}.checkpoint`);
  const file = await open(`${path}.part`, 'w', 0o644);
  try {
    await file.writeFile(note);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(`${path}.part`, path);
}
