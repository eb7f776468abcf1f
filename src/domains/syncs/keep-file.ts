/**
 * An upload kept as it is in a temporary file while its hash is made: whether it says anything new is known before it is taken apart.
 */
import { Readable } from 'node:stream';
import { openSource } from '../../lib/csv-source.ts';
import { fileLimits } from './limits.ts';
import { refuseUnread, type Upload } from './read-file.ts';
import { openSpool } from './spool.ts';

/** An upload that was received whole. */
export interface KeptFile {
  /** Of the expanded text, as imports record it. */
  readonly sha256: string;
  /** The expanded text, to be read as if it had just come, once. */
  upload(): Upload;
  /** Gives the file up; to be called whatever happens. */
  close(): Promise<void>;
}

/** Receives an upload to its end. Errors are those of reading a file. */
export async function keepFile(upload: Upload): Promise<KeptFile> {
  const spool = await openSpool();
  let body: Readable | undefined;
  try {
    const source = openSource(upload.body, upload.encoding, fileLimits);
    for await (const piece of source.pieces) {
      await spool.append(piece);
    }
    return {
      sha256: source.sha256(),
      upload() {
        body = Readable.from(spool.read());
        return { body, encoding: 'identity', sha256: source.sha256() };
      },
      async close() {
        // Whoever gave up reading may have asked for the rest, which would be looked for in a file that is closed.
        body?.destroy();
        await spool.close();
      },
    };
  } catch (error) {
    await spool.close();
    throw refuseUnread(error, { format: '', sha256: '', rowCount: 0, readAs: '' });
  } finally {
    // As in readFile: a client that is still sending hears of a refusal only if the rest is read.
    setImmediate(() => upload.body.resume());
  }
}
