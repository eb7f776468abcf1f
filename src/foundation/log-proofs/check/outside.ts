/** Checkpoints that somebody keeps outside the database: read from files, and believed where a key of the log signed them. */
import type { Context } from '../../../context.ts';
import { openCheckpoint } from '../../../lib/log/checkpoint.ts';
import { trustLogs } from '../../../lib/log/log-policy.ts';
import { NoteError } from '../../../lib/log/signed-note.ts';
import { listEpochs, listKeys, noteKeyOf } from '../../audit/index.ts';
import type { OutsideCheckpoint } from './state.ts';

/** The checkpoint in a file; a sentence where it is none of this log. */
export async function readOutsideCheckpoint(context: Context, file: string, note: Buffer): Promise<OutsideCheckpoint | string> {
  const epochs = await listEpochs(context);
  const keys = await listKeys(context);
  const policy = trustLogs(epochs.flatMap(({ origin }) => keys.map((key) => noteKeyOf(key, origin))));
  try {
    const { origin, size, root } = openCheckpoint(policy, note);
    const epoch = epochs.find((one) => one.origin === origin)?.epoch ?? 0;
    return { file, epoch, size, root: root.toString('base64') };
  } catch (error) {
    if (error instanceof NoteError) {
      return `${file} holds no checkpoint of this log: ${error.message}`;
    }
    throw error;
  }
}
