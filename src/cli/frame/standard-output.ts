/**
 * Standard output. Node writes to a file once and does not look how much of it was written: the end of what meets a full disk would be missing without a
 * word.
 */
import { fstatSync, writeSync } from 'node:fs';
import { Writable } from 'node:stream';

/** Standard output of this process; for a file, one that writes all of it or fails. */
export function openStandardOutput(): Writable & { isTTY?: boolean } {
  return isFile(process.stdout.fd) ? createFileOutput(process.stdout.fd) : process.stdout;
}

function isFile(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isFile();
  } catch {
    return false;
  }
}

function createFileOutput(descriptor: number): Writable {
  return new Writable({
    write(piece: Buffer, _encoding, done) {
      try {
        for (let left = piece; left.length > 0; left = left.subarray(writeSync(descriptor, left)));
        done();
      } catch (error) {
        done(error as Error);
      }
    },
  });
}
