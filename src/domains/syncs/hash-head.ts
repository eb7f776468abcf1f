/**
 * A look at the first bytes of an upload before anything is read: a file that begins as the one before is likely the same, and is received whole
 * before it is taken apart; any other is taken apart while it comes.
 */
import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';

/** So much of the first piece that came is looked at. */
const headBytes = 4096;

/** SHA-256 in hex of the first bytes, which stay to be read; '' where none come, which is reported to whoever reads. */
export function hashHead(body: Readable, patienceMs: number): Promise<string> {
  return new Promise((resolve) => {
    const patience = setTimeout(() => finish(''), patienceMs);
    const events = ['readable', 'end', 'close', 'error'] as const;
    const finish = (hash: string): void => {
      clearTimeout(patience);
      for (const event of events) {
        body.off(event, look);
      }
      resolve(hash);
    };
    const look = (): void => {
      const piece: unknown = body.destroyed ? null : body.read();
      if (Buffer.isBuffer(piece)) {
        body.unshift(piece);
        finish(createHash('sha256').update(piece.subarray(0, headBytes)).digest('hex'));
      } else if (body.destroyed || body.readableEnded) {
        finish('');
      }
    };
    for (const event of events) {
      body.on(event, look);
    }
    // Whoever reads on begins a moment later: an upload that breaks off in between must not end the process. The reader gets it.
    body.on('error', () => undefined);
    look();
  });
}
