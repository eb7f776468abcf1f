/**
 * The thread that reads the database of a c1z: it is ended where reading takes too long. It waits for whoever takes its messages, so that few are
 * under way.
 */
import { parentPort, workerData } from 'node:worker_threads';
import type { C1zOptions, Message, WantedInC1z } from './messages.ts';
import { lookIntoDatabase, readDatabase } from './read-database.ts';

/** Most messages that were sent and not taken. */
const maxUnderWay = 4;

/** Data that the thread begins with. */
export interface C1zWork {
  readonly path: string;
  readonly options: C1zOptions;
  /** Looked for in place of reading all. */
  readonly wanted: readonly WantedInC1z[] | undefined;
  /** Number of messages taken so far. */
  readonly taken: Int32Array<SharedArrayBuffer>;
}

const { path, options, wanted, taken } = workerData as C1zWork;
let sent = 0;

const send = (message: Message): void => {
  parentPort?.postMessage(message, message.kind === 'GRANTS' ? [message.accountOf.buffer, message.entitlementOf.buffer] : []);
  sent++;
  for (let count = Atomics.load(taken, 0); sent - count >= maxUnderWay; count = Atomics.load(taken, 0)) {
    Atomics.wait(taken, 0, count);
  }
};

if (wanted === undefined) {
  readDatabase(path, options, send);
} else {
  lookIntoDatabase(path, wanted, send);
}
