/**
 * Time a client may take to send a body that is read into memory. The framework sets no limit of its own, and a body that never ends would hold its
 * connection for ever. Streamed bodies have their own limit, in the imports module.
 */
import type { IncomingMessage } from 'node:http';

/** Longer than any honest client needs for 1 MiB. */
export const defaultBodyTimeMs = 60_000;

/** False where the headers say that nothing follows them, as with most reads. */
function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

/** Calls `close` unless the whole request has arrived in time. */
export function limitBodyTime(request: IncomingMessage, milliseconds: number, close: () => void): void {
  if (request.complete || !hasBody(request)) {
    return;
  }
  const timer = setTimeout(() => {
    if (!request.complete && !request.destroyed) {
      close();
    }
  }, milliseconds);
  timer.unref();
  const stop = (): void => clearTimeout(timer);
  request.once('end', stop).once('close', stop);
}
