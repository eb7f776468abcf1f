/** Parts of zip files that every writer of them needs. */
import { constants, deflateRawSync } from 'node:zlib';

export const max32 = 0xffff_ffff;
export const max16 = 0xffff;
/** 1980-01-01, the first day a zip knows: when it was made is no part of the content. */
export const firstDay = 0x21;
/** An empty last block of deflate. */
export const lastBlock = deflateRawSync(Buffer.alloc(0));

/** Deflates content up to a full flush: what follows refers to nothing before it, so it can be packed by another process. */
export function packBlock(content: Buffer): Buffer {
  return deflateRawSync(content, { finishFlush: constants.Z_FULL_FLUSH });
}

/** Writes numbers of 2, 4 or 8 bytes, the lowest byte first. */
export function pack(...fields: readonly (readonly [size: 2 | 4 | 8, value: number])[]): Buffer {
  return Buffer.concat(
    fields.map(([size, value]) => {
      const bytes = Buffer.alloc(size);
      if (size === 8) {
        bytes.writeBigUInt64LE(BigInt(value));
      } else {
        bytes.writeUIntLE(value, 0, size);
      }
      return bytes;
    }),
  );
}
