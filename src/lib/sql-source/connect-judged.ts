/** The way to a database: a connection to a judged address, which a driver then speaks over. */
import { connect, type Socket } from 'node:net';
import { ForbiddenDestination, judgeServer } from '../outgoing.ts';
import { FetchFault, wordsOf } from '../tables/fetch-fault.ts';
import { noteConnection } from '../tables/fetch-steps.ts';
import type { FetchParts } from '../tables/fetched-table.ts';
import { isLoopback, readPort, type SqlSettings, usesTls } from './settings.ts';

const connectMs = 15_000;
/** Bytes that may come at once: 5,000 rows of an ordinary table are a hundredth of it. */
const maxBytesAtOnce = 128 * 1024 * 1024;

/** A connection that stands. */
export interface JudgedConnection {
  readonly socket: Socket;
  /** Begins a measure: more than 128 MiB from here on until the next call end the connection. */
  measure(): void;
  close(): void;
}

/** Connects. The signal ends the connection at any time. */
export async function connectJudged(
  settings: SqlSettings,
  { rules, signal, noteStep }: Omit<FetchParts, 'now'>,
): Promise<JudgedConnection> {
  const { host } = settings;
  const { port, isUsualPort } = readPort(settings);
  const name = `${host}:${port}`;
  signal.throwIfAborted();
  let socket: Socket;
  try {
    socket = connect(judgeServer(rules, { host, port, isUsualPort }));
    noteConnection(socket, noteStep);
    await stands(socket, signal);
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof ForbiddenDestination
      ? new FetchFault('REFUSED', `${name} is not asked: ${wordsOf(error)}.`, { cause: error, field: 'host' })
      : new FetchFault('UNREACHED', `${name} cannot be reached: ${wordsOf(error)}.`, { cause: error, field: 'host' });
  }
  // The name localhost may lead anywhere.
  if (!usesTls(settings) && !isLoopback((socket.remoteAddress ?? '').replace(/^::ffff:/, ''))) {
    socket.destroy();
    throw new FetchFault('REFUSED', `${name} is not this machine, and a password is not sent without TLS. Use the name of the machine.`, {
      field: 'host',
    });
  }
  socket.setKeepAlive(true, 30_000).setNoDelay(true);
  return guard(socket, signal);
}

async function stands(socket: Socket, signal: AbortSignal): Promise<void> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(connectMs)]);
  await new Promise<void>((resolve, reject) => {
    const abort = (): void => void socket.destroy(new Error(`no answer in ${connectMs / 1000} s`));
    limit.addEventListener('abort', abort);
    socket.once('connect', () => {
      limit.removeEventListener('abort', abort);
      resolve();
    });
    socket.once('error', reject);
  });
}

function guard(socket: Socket, signal: AbortSignal): JudgedConnection {
  let from = 0;
  const watch = setInterval(() => {
    if (socket.bytesRead - from > maxBytesAtOnce) {
      socket.destroy(new FetchFault('REFUSED', 'The rows are too large: more than 128 MiB came at once. A row may have 64 KiB.'));
    }
  }, 50);
  const abort = (): void => void socket.destroy(signal.reason instanceof Error ? signal.reason : new Error('the fetch was ended'));
  signal.addEventListener('abort', abort);
  // Errors are the driver's to report; without a listener one that comes late would end the process.
  socket.on('error', () => undefined);
  const end = (): void => {
    clearInterval(watch);
    signal.removeEventListener('abort', abort);
  };
  socket.once('close', end);
  return {
    socket,
    measure() {
      from = socket.bytesRead;
    },
    close() {
      end();
      socket.destroy();
    },
  };
}
