/** The thread that reads a c1z, as whoever waits for its messages sees it. */
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { C1zError } from './c1z-error.ts';
import type { C1zOptions, Message, WantedInC1z } from './messages.ts';
import type { C1zWork } from './worker.ts';

/** Longest time between two messages, and of all of them. */
const stallMs = 60_000;
const maxMs = 6 * 60 * 60_000;
const maxHeapMb = 1024;

/** Messages of a thread. */
export interface Reader {
  /** The next message. Throws where there is none any more, where it is a refusal, and where it takes too long. */
  next(): Promise<Message>;
  /** Ends the thread wherever it is. */
  end(): void;
}

/** Starts a thread that reads the database at this path, or looks for what is wanted alone. */
export function startReader(path: string, options: C1zOptions, wanted?: readonly WantedInC1z[]): Reader {
  const taken = new Int32Array(new SharedArrayBuffer(4));
  const work: C1zWork = { path, options, wanted, taken };
  const worker = new Worker(new URL(`./worker${extname(import.meta.url)}`, import.meta.url), {
    workerData: work,
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
  });
  const deadline = Date.now() + maxMs;
  const messages: Message[] = [];
  let failure: unknown;
  let wake: () => void = () => undefined;
  const fail = (error: unknown) => {
    failure ??= error;
    wake();
  };
  worker.on('message', (message: Message) => {
    messages.push(message);
    wake();
  });
  worker.on('error', (error: Error & { code?: string }) =>
    fail(
      error.code === 'ERR_WORKER_OUT_OF_MEMORY'
        ? new C1zError('the file takes more memory to read than there is for it', { reason: 'size', cause: error })
        : error,
    ),
  );
  worker.on('exit', () => fail(new Error('the thread that reads a c1z has ended')));
  const end = () => {
    worker.unref();
    void worker.terminate();
  };
  return {
    async next() {
      if (messages.length === 0 && failure === undefined) {
        const timer = setTimeout(() => fail(new C1zError('reading the file took too long')), Math.min(stallMs, deadline - Date.now()));
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        clearTimeout(timer);
      }
      const message = messages.shift();
      if (message === undefined) {
        end();
        throw failure;
      }
      Atomics.add(taken, 0, 1);
      Atomics.notify(taken, 0);
      if (message.kind === 'REFUSED') {
        throw new C1zError(message.message);
      }
      return message;
    },
    end,
  };
}
