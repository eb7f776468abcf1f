/**
 * The rows of a file in groups, each with a digest of what its rows say in no order: the groups of two files that differ are the rows that have
 * to be looked at. All rows with one key are of one group. Where digests are kept is in store-contents.ts.
 */
import { hash, randomBytes, randomFillSync } from 'node:crypto';

/** A million rows with few others are compared as few: with 65,536 groups, each other row would bring fifteen more along. */
const groupBits = 18;
const groupCount = 1 << groupBits;
const lanes = 4;
const digestBytes = 4 * lanes;
/** So few rows make a group of their own on average, until there are as many groups as can be. */
const rowsOfGroup = 4;
const minBits = 4;

/** Rows of one file, by group. */
export interface RowGroups {
  /** The group of all rows with this key. */
  groupOf(key: string): number;
  add(group: number, text: string): void;
  /** The digests of all groups, for a file of so many rows: the more rows, the more groups. */
  digests(rowCount: number): Buffer;
  /** The groups whose digests differ from these of an earlier file with the same digest key. */
  compare(digests: Buffer): Difference;
}

/** Groups that differ. */
export interface Difference {
  has(group: number): boolean;
  readonly isEmpty: boolean;
  /** Part of the groups with rows that differs, 0 to 1. */
  readonly share: number;
}

/** A key for digests, known to nobody. */
export function makeDigestKey(): Buffer {
  return randomBytes(32);
}

/** Makes these groups differ from those of whatever file comes next: they have to be looked at again. */
export function spoilGroups(digests: Buffer, groups: readonly number[] | 'all'): void {
  if (groups === 'all') {
    randomFillSync(digests);
    return;
  }
  const shift = groupBits - Math.log2(digests.length / digestBytes);
  for (const group of groups) {
    randomBytes(digestBytes).copy(digests, (group >>> shift) * digestBytes);
  }
}

/** The group of a key. Known keys may be put into one group, which only makes that group large. */
export function groupNumber(key: string): number {
  let state = 0x811c9dc5;
  for (let at = 0; at < key.length; at++) {
    state = Math.imul(state ^ key.charCodeAt(at), 0x01000193);
  }
  state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d);
  return (state ^ (state >>> 12)) >>> (32 - groupBits);
}

/**
 * Empty groups. A digest is the sum of the first 16 bytes of each row's SHA-256 under the key, as four numbers of 32 bits that are added for
 * themselves: in any order, each row as often as it stands there. Without the key sums could be made to meet: a set of rows that adds up to
 * that of others is found by sorting.
 */
export function createRowGroups(key: Buffer): RowGroups {
  const prefix = key.toString('base64');
  const sums = new Uint32Array(groupCount * lanes);

  function fold(bits: number): Uint32Array {
    const folded = new Uint32Array(lanes << bits);
    for (let group = 0; group < groupCount; group++) {
      const to = (group >>> (groupBits - bits)) * lanes;
      for (let lane = 0; lane < lanes; lane++) {
        folded[to + lane] = (folded[to + lane] as number) + (sums[group * lanes + lane] as number);
      }
    }
    return folded;
  }

  return {
    groupOf: groupNumber,
    add(group, text) {
      // One character for each byte, which is read quicker than a buffer is made.
      const bytes = hash('sha256', prefix + text, 'binary');
      for (let lane = 0; lane < lanes; lane++) {
        const at = lane * 4;
        const number =
          bytes.charCodeAt(at) | (bytes.charCodeAt(at + 1) << 8) | (bytes.charCodeAt(at + 2) << 16) | (bytes.charCodeAt(at + 3) << 24);
        const to = group * lanes + lane;
        sums[to] = (sums[to] as number) + number;
      }
    },
    digests(rowCount) {
      const bits = Math.min(groupBits, Math.max(minBits, Math.ceil(Math.log2(rowCount / rowsOfGroup))));
      const folded = fold(bits);
      const digests = Buffer.alloc(folded.length * 4);
      for (const [at, number] of folded.entries()) {
        digests.writeUInt32LE(number, at * 4);
      }
      return digests;
    },
    compare(digests) {
      const bits = Math.log2(digests.length / digestBytes);
      const folded = fold(bits);
      const differs = new Uint8Array(1 << bits);
      let [found, filled] = [0, 0];
      for (let group = 0; group < differs.length; group++) {
        let [isOther, isFilled] = [false, false];
        for (let lane = group * lanes; lane < (group + 1) * lanes; lane++) {
          const [now, before] = [folded[lane] as number, digests.readUInt32LE(lane * 4)];
          isOther ||= now !== before;
          isFilled ||= now !== 0 || before !== 0;
        }
        differs[group] = isOther ? 1 : 0;
        found += isOther ? 1 : 0;
        filled += isFilled ? 1 : 0;
      }
      return { has: (group) => differs[group >>> (groupBits - bits)] === 1, isEmpty: found === 0, share: found / Math.max(1, filled) };
    },
  };
}
