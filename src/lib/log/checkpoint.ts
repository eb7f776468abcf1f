/**
 * Checkpoints (C2SP tlog-checkpoint): a signed note in which a log says how many leaves it has and what their root is. Ours have exactly
 * three lines. How the log derives the seeds of its keys is here too.
 */
import { hkdfSync } from 'node:crypto';
import type { LogPolicy } from './log-policy.ts';
import { hashLength } from './merkle.ts';
import { NoteError, type NoteKey, type NoteSignature, type NoteSigner, openNote, readBase64, signNote } from './signed-note.ts';

/** A log's own statement. */
export interface Checkpoint {
  /** The name of the log, also that of its keys. */
  readonly origin: string;
  readonly size: number;
  readonly root: Buffer;
}

/** A checkpoint whose signatures were checked. */
export interface OpenedCheckpoint extends Checkpoint {
  /** The three lines that were signed. */
  readonly text: string;
  /** The keys of the log that signed: several while one is replaced by the next. */
  readonly signers: readonly NoteKey[];
  /** The good cosignatures of known witnesses. */
  readonly cosignatures: readonly NoteSignature[];
}

/** The seed of a log's signing key: 32 bytes that follow from the log secret, the tenant and the number of the key, from 1 on. */
export function deriveLogSeed(secret: Buffer, tenantId: string, generation: number): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, tenantId, `countersign log key ${generation}`, 32));
}

/** The three lines of a checkpoint: what is signed, cosigned and time-stamped. */
export function writeCheckpointText({ origin, size, root }: Checkpoint): string {
  const text = `${origin}\n${size}\n${root.toString('base64')}\n`;
  // What cannot be read back would be signed for nobody.
  readCheckpointText(text);
  return text;
}

/** The note of a checkpoint, signed by each of the log's keys. Throws a NoteError where a key has another name than the log. */
export function signCheckpoint(signers: readonly NoteSigner[], checkpoint: Checkpoint): string {
  if (signers.length === 0 || signers.some(({ key }) => key.name !== checkpoint.origin)) {
    throw new NoteError('A checkpoint is signed by keys that have the name of the log.');
  }
  return signNote(signers, writeCheckpointText(checkpoint));
}

/**
 * The checkpoint in a note, accepted by the policy: signed by a known key of the very log it speaks of, cosigned by enough witnesses, and no
 * signature of a known key wrong. Throws a NoteError with the reason otherwise.
 */
export function openCheckpoint(policy: LogPolicy, note: Buffer): OpenedCheckpoint {
  const { text, signatures } = openNote([...policy.logs, ...policy.witnesses], note);
  const checkpoint = readCheckpointText(text);
  const signers = signatures.map(({ key }) => key).filter((key) => policy.logs.includes(key));
  if (signers.length === 0) {
    throw new NoteError('No known log signed the checkpoint.');
  }
  const other = signers.find((key) => key.name !== checkpoint.origin);
  if (other !== undefined) {
    throw new NoteError(`The checkpoint is one of ${checkpoint.origin}, but signed by a key of ${other.name}.`);
  }
  const cosignatures = signatures.filter(({ key }) => policy.witnesses.includes(key));
  if (!policy.isQuorum(new Set(cosignatures.map(({ key }) => key)))) {
    throw new NoteError('Fewer witnesses cosigned the checkpoint than the policy demands.');
  }
  return { ...checkpoint, text, signers, cosignatures };
}

function readCheckpointText(text: string): Checkpoint {
  const lines = text.split('\n');
  const [origin = '', size = '', encoded = ''] = lines;
  if (lines.length !== 4 || lines[3] !== '' || origin === '') {
    throw new NoteError('A checkpoint has exactly three lines: origin, size and root.');
  }
  if (!/^(?:0|[1-9]\d*)$/.test(size) || !Number.isSafeInteger(Number(size))) {
    throw new NoteError('The size of a checkpoint is a whole number up to 2^53 - 1, without zeros before it.');
  }
  const root = readBase64(encoded);
  if (root?.length !== hashLength) {
    throw new NoteError(`The root of a checkpoint is ${hashLength} bytes in base64.`);
  }
  return { origin, size: Number(size), root };
}
