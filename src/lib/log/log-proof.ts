/** Proof files (C2SP tlog-proof, `.tlog-proof`): where a leaf stands in a log, the inclusion proof, and the checkpoint it leads to. */
import { isUtf8 } from 'node:buffer';
import { type OpenedCheckpoint, openCheckpoint } from './checkpoint.ts';
import type { LogPolicy } from './log-policy.ts';
import { hashLength } from './merkle.ts';
import { verifyInclusion } from './merkle-proof.ts';
import { NoteError, readBase64 } from './signed-note.ts';

/** Data of a proof file; nothing of it is checked. */
export interface LogProof {
  readonly index: number;
  /** The inclusion proof, the sibling of the leaf first. */
  readonly proof: readonly Buffer[];
  /** The note of the checkpoint, byte for byte. */
  readonly note: Buffer;
}

const firstLine = 'c2sp.org/tlog-proof@v1';
/** No tree of 2^53 - 1 leaves is higher. */
const maxHashes = 53;

/** The text of a proof file. */
export function writeLogProof({ index, proof, note }: LogProof): string {
  return `${firstLine}\nindex ${index}\n${proof.map((hash) => `${hash.toString('base64')}\n`).join('')}\n${note.toString()}`;
}

/** Reads a proof file, extra data passed over, as nothing vouches for it. Throws a NoteError where it is malformed. */
export function readLogProof(file: Buffer): LogProof {
  const end = file.indexOf('\n\n');
  const head = file.subarray(0, Math.max(end, 0)).toString();
  if (!isUtf8(file) || end < 0) {
    throw new NoteError('A proof file is UTF-8 text: a head, an empty line and a checkpoint.');
  }
  const [first, ...lines] = head.split('\n');
  if (first !== firstLine) {
    throw new NoteError(`A proof file begins with ${firstLine}.`);
  }
  const extra = /^extra (.+)$/.exec(lines[0] ?? '')?.[1];
  const [indexLine = '', ...encoded] = extra !== undefined && readBase64(extra) !== undefined ? lines.slice(1) : lines;
  const index = Number(/^index (0|[1-9]\d*)$/.exec(indexLine)?.[1]);
  if (!Number.isSafeInteger(index)) {
    throw new NoteError('A proof file says "index" and a whole number up to 2^53 - 1, without zeros before it.');
  }
  const proof = encoded.map(readBase64).filter((hash) => hash?.length === hashLength);
  if (proof.length !== encoded.length || proof.length > maxHashes) {
    throw new NoteError(`The hashes of a proof file are at most ${maxHashes}, each ${hashLength} bytes in base64.`);
  }
  return { index, proof: proof as Buffer[], note: file.subarray(end + 2) };
}

/** The checkpoint of a proof file and the position of the leaf. Throws a NoteError unless the policy accepts it and the leaf is in its tree. */
export function openLogProof(
  policy: LogPolicy,
  file: Buffer,
  leafHash: Buffer,
): { readonly index: number; readonly checkpoint: OpenedCheckpoint } {
  const { index, proof, note } = readLogProof(file);
  const checkpoint = openCheckpoint(policy, note);
  if (!verifyInclusion(leafHash, index, checkpoint.size, checkpoint.root, proof)) {
    throw new NoteError(`The proof does not show that leaf ${index} is in the tree of ${checkpoint.size} leaves.`);
  }
  return { index, checkpoint };
}
