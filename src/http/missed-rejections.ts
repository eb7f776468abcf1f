/** Promises whose rejection nobody handled. Node ends the process for one; a server goes on, logs and counts it. */
import type { EventEmitter } from 'node:events';
import type { Logger } from '../context.ts';

/** Those of this process. */
export interface MissedRejections {
  count(): number;
  stop(): void;
}

/** Watches from now on. Exceptions that nobody caught still end the process: what they left half done is not known. */
export function watchRejections(log: Logger, from: EventEmitter = process): MissedRejections {
  let missed = 0;
  const note = (reason: unknown): void => {
    missed += 1;
    log.error({ err: reason }, 'a promise was rejected and nobody handled it');
  };
  from.on('unhandledRejection', note);
  return { count: () => missed, stop: () => from.off('unhandledRejection', note) };
}
