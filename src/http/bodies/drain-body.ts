/**
 * Reading and throwing away what is left of a request's body before a refusal is sent. A server that closes while its client still sends
 * resets the connection, and the client never reads why it was refused.
 */
import type { IncomingMessage } from 'node:http';

/** A client that sends more, or slower, may meet a closed connection. */
const maxBytes = 256 * 1024 * 1024;
const maxMilliseconds = 10_000;

/**
 * Resolves when the body has been read, at once where the connection stays open after the answer (the rest is then read behind it). Never
 * rejects.
 */
export function drainBody(request: IncomingMessage): Promise<void> {
  if (request.complete || request.destroyed) {
    return Promise.resolve();
  }
  const closesAfterwards = request.httpVersion === '1.0' || /\bclose\b/i.test(request.headers.connection ?? '');
  if (!closesAfterwards) {
    request.resume();
    return Promise.resolve();
  }
  return new Promise((resolve) => {
    let bytes = 0;
    const onData = (piece: Buffer): void => {
      bytes += piece.length;
      if (bytes > maxBytes) {
        finish();
      }
    };
    const finish = (): void => {
      clearTimeout(timer);
      request.off('data', onData).off('end', finish).off('close', finish).off('error', finish);
      resolve();
    };
    const timer = setTimeout(finish, maxMilliseconds);
    request.on('data', onData).on('end', finish).on('close', finish).on('error', finish);
    request.resume();
  });
}
