/**
 * Target of the log: standard output, one line at a time. A line that cannot be written (a full disk, a reader that went away) is left out and
 * counted; the service goes on, and says how many are missing when it can write again.
 */
import { writeSync } from 'node:fs';

/** Output of pino. */
export interface LogDestination {
  write(line: string): void;
}

/** A pipe whose reader is slow answers EAGAIN; waited for so long at most, since nothing else happens meanwhile. */
const longestWaitMs = 1_000;
const pauseMs = 10;

/** Writes to a file descriptor, 1 unless given; never throws. */
export function createLogDestination(descriptor = 1, write: typeof writeSync = writeSync): LogDestination {
  const sleeping = new Int32Array(new SharedArrayBuffer(4));
  let lost = 0;
  let isMidLine = false;

  function writeWhole(text: string): void {
    let left = Buffer.from(isMidLine ? `\n${text}` : text);
    for (let waitedMs = 0; left.length > 0; ) {
      try {
        const written = write(descriptor, left);
        left = left.subarray(written);
        isMidLine = left.length > 0;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN' || waitedMs >= longestWaitMs) {
          throw error;
        }
        Atomics.wait(sleeping, 0, 0, pauseMs);
        waitedMs += pauseMs;
      }
    }
  }

  return {
    write(line) {
      try {
        if (lost > 0) {
          writeWhole(
            `${JSON.stringify({ level: 'warn', time: new Date().toISOString(), lines: lost, msg: 'log lines could not be written and are lost' })}\n`,
          );
          lost = 0;
        }
        writeWhole(line);
      } catch {
        lost++;
      }
    },
  };
}
