/**
 * The messages of one connection to a directory. The library ldapts writes requests; answers are read here, because its client takes a page without entries,
 * and an answer without the control for pages, for the end of a search, and so may return a part as the whole.
 */
import type { Duplex } from 'node:stream';
import { type Answer, BerError, readAnswer, readPiece } from './ber.ts';
import { FetchFault } from '../tables/fetch-fault.ts';

/** A group of a million members, in one message. */
const maxMessageBytes = 128 * 1024 * 1024;
/** Bytes of answers that wait to be taken; then the server waits, too. */
const maxWaitingBytes = 2 * 1024 * 1024;
/** A server that is silent for so long while it is asked is lost. */
const silenceMs = 120_000;

/** Answers in the order in which they come. */
export interface Wire {
  /** Sends a request. */
  send(bytes: Buffer): void;
  /** Returns the answers that wait, at least one. Rejects with an FetchFault once the connection is lost. */
  take(): Promise<readonly Answer[]>;
  /** Called with each result at once, before it is taken. */
  onResult: ((answer: Answer & { kind: 'RESULT' }) => void) | undefined;
  /** Ends reading, so that the stream can be wrapped. Throws if bytes wait that nobody asked for. */
  release(): void;
  /** Ends the connection; whoever waits learns of the error. */
  fail(error: unknown): void;
}

/** Reads a stream as messages. `name` is the server in sentences. */
export function openWire(stream: Duplex, name: string): Wire {
  let answers: Answer[] = [];
  let answerBytes = 0;
  let pieces: Buffer[] = [];
  let pieceBytes = 0;
  let wantedBytes = 2;
  let failure: { readonly error: unknown } | undefined;
  let waiting: { resolve: (taken: readonly Answer[]) => void; reject: (error: unknown) => void } | undefined;
  let timer: NodeJS.Timeout | undefined;

  const settle = (): void => {
    if (waiting === undefined || (answers.length === 0 && failure === undefined)) {
      return;
    }
    clearTimeout(timer);
    const { resolve, reject } = waiting;
    waiting = undefined;
    if (answers.length === 0) {
      reject(failure?.error);
      return;
    }
    const taken = answers;
    answers = [];
    answerBytes = 0;
    stream.resume();
    resolve(taken);
  };
  const fail = (error: unknown): void => {
    failure ??= { error };
    stream.destroy();
    settle();
  };
  const lost = (why: string, cause?: unknown): void =>
    fail(new FetchFault('UNREACHED', `The connection to ${name} was lost before everything was read: ${why}.`, { cause }));

  const take = (message: Buffer): void => {
    const answer = readAnswer(message);
    if (answer === undefined) {
      return;
    }
    if (answer.id === 0 && answer.kind === 'RESULT') {
      lost(`the server ended it with result ${answer.code}`);
      return;
    }
    answers.push(answer);
    answerBytes += message.length;
    if (answer.kind === 'RESULT') {
      wire.onResult?.(answer);
    }
  };
  const onData = (data: Buffer): void => {
    pieces.push(data);
    pieceBytes += data.length;
    // A long message is put together once, not with each piece of it.
    if (pieceBytes < wantedBytes) {
      return;
    }
    let bytes = pieces.length === 1 ? data : Buffer.concat(pieces);
    try {
      for (;;) {
        wantedBytes = messageLength(bytes);
        if (bytes.length < wantedBytes || failure !== undefined) {
          break;
        }
        take(bytes.subarray(0, wantedBytes));
        bytes = bytes.subarray(wantedBytes);
      }
    } catch (error) {
      lost(error instanceof BerError ? `it sent what is no LDAP (${error.message})` : 'its answer could not be read', { cause: error });
      return;
    }
    pieces = bytes.length === 0 ? [] : [bytes];
    pieceBytes = bytes.length;
    if (answerBytes > maxWaitingBytes) {
      stream.pause();
    }
    settle();
  };
  const onError = (error: Error): void => lost(error.message, error);
  const onClose = (): void => lost('the server closed it');

  const wire: Wire = {
    onResult: undefined,
    send(bytes) {
      if (failure === undefined) {
        stream.write(bytes);
      }
    },
    take: () =>
      new Promise((resolve, reject) => {
        waiting = { resolve, reject };
        timer = setTimeout(() => lost(`the server was silent for ${silenceMs / 1000} s`), silenceMs);
        settle();
      }),
    release() {
      stream.off('data', onData).off('error', onError).off('close', onClose);
      if (pieceBytes > 0 || answers.length > 0) {
        throw new FetchFault('UNREACHED', `${name} sent more than it was asked for before the connection was encrypted.`);
      }
    },
    fail,
  };
  stream.on('data', onData).on('error', onError).on('close', onClose);
  return wire;
}

/** Bytes of the message that begins here, as far as its head is there. */
function messageLength(bytes: Buffer): number {
  if (bytes.length < 2) {
    return 2;
  }
  const lengthBytes = (bytes[1] as number) >= 0x80 ? (bytes[1] as number) - 0x80 : 0;
  if (bytes[0] !== 0x30 || lengthBytes > 4) {
    throw new BerError('a message does not begin as one');
  }
  if (bytes.length < 2 + lengthBytes) {
    return 2 + lengthBytes;
  }
  const { to } = readPiece(bytes, 0, Number.MAX_SAFE_INTEGER);
  if (to > maxMessageBytes) {
    throw new BerError(`a message is longer than ${maxMessageBytes} bytes`);
  }
  return to;
}
