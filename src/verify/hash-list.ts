/** Hashes by numbers, in 32 bytes each. */
import { hashLength } from '../lib/log/merkle.ts';

/** A list of hashes that grows; those that were never set are zeros. */
export class HashList {
  #bytes = Buffer.alloc(64 * hashLength);

  /** Sets the hash with this number, from its hexadecimal digits. What is no digit, and what follows it, counts as zeros. */
  set(number: number, hex: string): void {
    const end = (number + 1) * hashLength;
    if (end > this.#bytes.length) {
      this.#bytes = Buffer.concat([this.#bytes], Math.max(end, 2 * this.#bytes.length));
    }
    this.#bytes.write(hex, number * hashLength, hashLength, 'hex');
  }

  /** The hash with a number that is not above those that were set. */
  at(number: number): Buffer {
    return this.#bytes.subarray(number * hashLength, (number + 1) * hashLength);
  }
}
