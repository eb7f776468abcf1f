/**
 * Statements that wait for their answer, by connection: since when, and how long the server lets them take. Whoever watches over the server
 * (watch-server.ts) sees by it who waits in vain.
 */
import type { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import type pg from 'pg';

/** A statement that was sent. */
interface Asked {
  readonly since: number;
  /** The server's own limit, where the transaction has set one; 0 for none. */
  readonly limitMs: number | undefined;
}

const asked = new WeakMap<pg.ClientBase, Asked>();
const limits = new WeakMap<pg.ClientBase, number>();
const answeredAt = new WeakMap<pg.ClientBase, number>();

/** Sends something that is answered at once or after a while, and takes down that it waits. */
export async function ask<T>(client: pg.ClientBase, send: () => Promise<T>): Promise<T> {
  asked.set(client, { since: performance.now(), limitMs: limits.get(client) });
  try {
    const answer = await send();
    answeredAt.set(client, performance.now());
    return answer;
  } finally {
    asked.delete(client);
  }
}

/** Returns what a connection waits for. */
export function findAsked(client: pg.ClientBase): Asked | undefined {
  return asked.get(client);
}

/** True if something that was asked over this connection has been answered since then. */
export function hasAnswered(client: pg.ClientBase, since: number): boolean {
  return (answeredAt.get(client) ?? Number.NEGATIVE_INFINITY) > since;
}

/** A COPY to the server, and how far it had come when it was last looked at. */
interface Copy {
  readonly sink: Writable;
  left: number;
  since: number;
}

const copies = new WeakMap<pg.ClientBase, Copy>();

/** Takes down that a COPY to the server has begun over this connection; the function that is returned says that it has ended. */
export function beginCopy(client: pg.ClientBase, sink: Writable): () => void {
  copies.set(client, { sink, left: 0, since: performance.now() });
  return () => void copies.delete(client);
}

/**
 * Returns the milliseconds for which nothing of a COPY has left this process though there is something to send, or for which all has been sent and
 * nobody has said that it is there; 0 while it waits for more to send. To be asked again and again.
 */
export function copyStallMs(client: pg.ClientBase, now: number): number {
  const copy = copies.get(client);
  if (copy === undefined) {
    return 0;
  }
  const { bytesWritten, writableLength } = streamOf(client);
  const left = bytesWritten - writableLength;
  const waitsForMore = writableLength === 0 && copy.sink.writableLength === 0 && !copy.sink.writableEnded;
  if (waitsForMore || left !== copy.left) {
    copy.left = left;
    copy.since = now;
  }
  return now - copy.since;
}

function streamOf(client: pg.ClientBase): Socket {
  return (client as unknown as { connection: { stream: Socket } }).connection.stream;
}

/** Says how long the server lets statements of this connection take from now on; undefined: as long as it does at first. */
export function setLimit(client: pg.ClientBase, milliseconds: number | undefined): void {
  if (milliseconds === undefined) {
    limits.delete(client);
  } else {
    limits.set(client, milliseconds);
  }
}

/** Ends a connection at once, whatever it does: of no use is a goodbye to somebody who does not listen. */
export function cutOff(client: pg.ClientBase): void {
  streamOf(client).destroy();
}

/** True if all that was to be sent has left this process. */
export function isSent(client: pg.ClientBase): boolean {
  return streamOf(client).writableLength === 0;
}
