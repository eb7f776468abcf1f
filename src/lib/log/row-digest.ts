/**
 * Digests of rows of evidence: what an event says of the rows it recorded. Two bytes of each row's hash prove nothing; they name the row when the
 * digest does not hold.
 */
import { hash } from 'node:crypto';
import { canonicalJson } from './canonical-json.ts';

/** The digest that an event has of rows of one table. */
export interface RowDigest {
  readonly rows: number;
  /** SHA-256 over the SHA-256 of each line, in order. */
  readonly sha256: string;
  /** The first two bytes of the hash of each line; empty where there are very many. */
  readonly marks: string;
  /** Form of the lines; absent for the first. */
  readonly form?: number;
}

const markDigits = 4;
/** Rows of more than so many are not named. */
const maxMarks = 10_000;

/** The line of a row: canonical JSON. */
export function lineOf(row: Readonly<Record<string, unknown>>): string {
  return canonicalJson(row);
}

function hashOf(line: string): Buffer {
  return hash('sha256', line, 'buffer');
}

/** The digest of rows by their lines, in the order of their keys. */
export function digestLines(lines: readonly string[]): RowDigest {
  const hashes = lines.map(hashOf);
  return {
    rows: lines.length,
    sha256: hash('sha256', Buffer.concat(hashes), 'hex'),
    marks: hashes.length > maxMarks ? '' : hashes.map((one) => one.toString('hex').slice(0, markDigits)).join(''),
  };
}

/** Compares rows with a digest: returns the indexes of lines it does not know, and how many that it knew are gone. */
export function compareLines(lines: readonly string[], digest: RowDigest): { readonly unknown: readonly number[]; readonly gone: number } {
  if (digest.marks === '' && digest.rows > 0) {
    return { unknown: [], gone: digest.rows - lines.length };
  }
  const left = new Map<string, number>();
  for (const mark of digest.marks.match(/.{4}/g) ?? []) {
    left.set(mark, (left.get(mark) ?? 0) + 1);
  }
  const unknown = lines.flatMap((line, at) => {
    const mark = hashOf(line).toString('hex').slice(0, markDigits);
    const count = left.get(mark) ?? 0;
    left.set(mark, count - 1);
    return count > 0 ? [] : [at];
  });
  return { unknown, gone: Math.max(0, digest.rows - (lines.length - unknown.length)) };
}
