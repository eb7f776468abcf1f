/**
 * A digest of what the rows of a file say, in no order: two files that say the same have the same one, however their rows are sorted and quoted.
 */
import { hash } from 'node:crypto';

const lanes = 8;

/** Takes in rows one by one. */
export interface ContentDigest {
  /** `text` is a row as the database takes it, its line number in front. */
  add(text: string): void;
  /** Of all rows so far, under the names of the columns that were read. */
  value(columns: readonly string[]): string;
}

/**
 * Adds up the SHA-256 of the rows, each as eight numbers of 32 bits that are added for themselves: in any order, each row as often as it stands
 * there. Costs under a microsecond a row.
 */
export function createContentDigest(): ContentDigest {
  const sums = new Uint32Array(lanes);
  let count = 0;
  return {
    add(text) {
      // One character for each byte, which is read quicker than a buffer is made.
      const bytes = hash('sha256', text.slice(text.indexOf('\t')), 'binary');
      for (let lane = 0; lane < lanes; lane++) {
        const at = lane * 4;
        const number =
          bytes.charCodeAt(at) | (bytes.charCodeAt(at + 1) << 8) | (bytes.charCodeAt(at + 2) << 16) | (bytes.charCodeAt(at + 3) << 24);
        sums[lane] = (sums[lane] as number) + number;
      }
      count++;
    },
    value: (columns) => hash('sha256', JSON.stringify([columns, count, ...sums]), 'hex'),
  };
}
