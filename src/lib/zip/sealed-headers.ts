/**
 * Headers of the container of evidence: a zip file of which every byte outside of its members follows from their names, sizes and checksums. Whoever
 * writes it and whoever verifies it have them from here; test/support/bundle.ts and docs/verify/verify.py write them once more, to judge both.
 */
import { firstDay, max16, max32, pack } from './parts.ts';

/** A member, as its entry in the directory describes it. */
export interface SealedEntry {
  readonly name: string;
  readonly isStored: boolean;
  /** Place of its header. */
  readonly offset: number;
  readonly crc: number;
  readonly bytes: number;
  readonly packed: number;
}

/** The comment behind a file with this SHA-256 (hex) of all bytes before it. */
export const commentOf = (sha256: string): string => `sha256:${sha256}`;

/** Bytes of the comment. */
export const commentLength = commentOf('').length + 64;

/** Version 4.5, the first with ZIP64. */
const version = 45;
/** Made on Unix, so that the attributes mean a file that all may read. */
const madeBy = 0x032d;
const attributes = 0o10_0644 * 0x1_0000;
/** Sizes behind the data, names in UTF-8. */
const flags = 0x0808;
const extraId = 0x0001;

/** Fields that both headers of a member share. */
const sharedFields = ({ name, isStored }: SealedEntry, crc: number, extra: Buffer): Buffer =>
  pack(
    [2, version],
    [2, flags],
    [2, isStored ? 0 : 8],
    [2, 0],
    [2, firstDay],
    [4, crc],
    [4, max32],
    [4, max32],
    [2, Buffer.byteLength(name)],
    [2, extra.length],
  );

/** The header before a member: its sizes and its checksum are not known yet. */
export function localHeader(entry: SealedEntry): Buffer {
  const extra = pack([2, extraId], [2, 16], [8, 0], [8, 0]);
  return Buffer.concat([pack([4, 0x0403_4b50]), sharedFields(entry, 0, extra), Buffer.from(entry.name), extra]);
}

/** The record behind a member. */
export function descriptor({ crc, packed, bytes }: SealedEntry): Buffer {
  return pack([4, 0x0807_4b50], [4, crc], [8, packed], [8, bytes]);
}

/** The entry of a member in the directory. */
export function centralHeader(entry: SealedEntry): Buffer {
  const extra = pack([2, extraId], [2, 24], [8, entry.bytes], [8, entry.packed], [8, entry.offset]);
  return Buffer.concat([
    pack([4, 0x0201_4b50], [2, madeBy]),
    sharedFields(entry, entry.crc, extra),
    // No comment, the first disk, and a place that stands in the extra field.
    pack([2, 0], [2, 0], [2, 0], [4, attributes], [4, max32]),
    Buffer.from(entry.name),
    extra,
  ]);
}

/** The records at the end but for the comment: behind a directory of `count` entries that begins at `start` and has `length` bytes. */
export function endRecords(count: number, length: number, start: number): Buffer {
  return Buffer.concat([
    pack([4, 0x0606_4b50], [8, 44], [2, madeBy], [2, version], [4, 0], [4, 0], [8, count], [8, count], [8, length], [8, start]),
    pack([4, 0x0706_4b50], [4, 0], [8, start + length], [4, 1]),
    pack([4, 0x0605_4b50], [2, 0], [2, 0], [2, max16], [2, max16], [4, max32], [4, max32], [2, commentLength]),
  ]);
}
