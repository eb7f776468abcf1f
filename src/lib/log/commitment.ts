/** Commitments: a hash that stands for a value and gives nothing of it away, until somebody shows the value and the salt. */
import { hash } from 'node:crypto';
import { canonicalJson } from './canonical-json.ts';

/** Bytes of a salt. */
export const saltLength = 16;

const prefix = Buffer.from('countersign-commit-v1\n');

/**
 * The commitment (32 bytes) to a value under a salt of 16 random bytes. Without the salt nobody can try out likely values; once the salt is
 * erased, nobody ever can. Throws a CanonicalJsonError for what has no canonical text.
 */
export function commitment(salt: Buffer, value: unknown): Buffer {
  return commitmentOfText(salt, canonicalJson(value));
}

/** The same of a value whose canonical text is there already. */
export function commitmentOfText(salt: Buffer, text: string): Buffer {
  if (salt.length !== saltLength) {
    throw new RangeError(`a salt has ${saltLength} bytes, not ${salt.length}`);
  }
  const start = prefix.length + saltLength;
  const bytes = Buffer.allocUnsafe(start + Buffer.byteLength(text));
  prefix.copy(bytes);
  salt.copy(bytes, prefix.length);
  bytes.write(text, start);
  return hash('sha256', bytes, 'buffer');
}
