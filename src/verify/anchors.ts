/**
 * Checkpoints that others hold of the log (`log/anchors.jsonl`): each is of the tree of the bundle, and what its holder gave for it is over that
 * checkpoint. The service holds the log to them by the same rules.
 */
import { NoteError, openNote, readBase64 } from '../lib/log/signed-note.ts';
import { type Checkpoint, writeCheckpointText } from '../lib/log/checkpoint.ts';
import { hashLength } from '../lib/log/merkle.ts';
import { TimeStampRefusal } from '../lib/time-stamps/refusal.ts';
import { verifyTimeStamp } from '../lib/time-stamps/verify.ts';
import { type Fields, readFields } from './fields.ts';
import type { Bundle } from './members.ts';
import { storedExchange } from './signatures.ts';
import type { KnownTree } from './tree.ts';
import type { Trust } from './trust.ts';

const file = 'log/anchors.jsonl';

/** Numbers of checkpoints that others hold. */
export interface AnchorCounts {
  /** Of the tree of the bundle. */
  readonly held: number;
  /** With a time stamp or a cosignature that was checked. */
  readonly proven: number;
  /** Of sizes at which the bundle cannot tell the root, or by a witness whose key nobody gave. */
  readonly unknown: number;
}

/** The sizes of the log at which others hold a checkpoint. */
export function readAnchorSizes(bundle: Bundle): ReadonlySet<number> {
  const sizes = new Set<number>();
  for (const lines of bundle.lines(file)) {
    for (const line of lines) {
      sizes.add(readFields(line.toString())?.whole('size') ?? -2);
    }
  }
  return sizes;
}

/** Checks each of them. */
export async function checkAnchors(bundle: Bundle, trust: Trust, tree: KnownTree): Promise<AnchorCounts> {
  const { findings, manifest } = bundle;
  const counts = { held: 0, proven: 0, unknown: 0 };
  let line = 0;
  for (const lines of bundle.lines(file)) {
    for (const bytes of lines) {
      line += 1;
      const anchor = readFields(bytes.toString());
      const [size, root] = [anchor?.whole('size') ?? -2, readBase64(anchor?.text('root') ?? '')];
      if (anchor === undefined || size < 0 || root?.length !== hashLength) {
        findings.add(file, 'It is no checkpoint that somebody holds.', { line });
        continue;
      }
      const known = tree.rootAt(size);
      if (known !== undefined && !known.equals(root)) {
        const said = `The log had other events when it had ${size} of them: ${nameOf(anchor)} holds another checkpoint.`;
        findings.add(file, said, { line, from: ['log/tree.jsonl', 'log/checkpoint'] });
        continue;
      }
      const proof = await checkProof(trust, anchor, { origin: manifest.origin, size, root });
      if (typeof proof === 'string') {
        findings.add(file, proof, { line, from: ['manifest.json', 'keys/tsa-roots.pem', 'keys/policy.txt'] });
      } else {
        counts.held += known === undefined ? 0 : 1;
        counts.proven += proof === true ? 1 : 0;
        counts.unknown += known === undefined || proof === undefined ? 1 : 0;
      }
    }
  }
  return counts;
}

const nameOf = (anchor: Fields): string => anchor.text('place') || 'the folder of the operator';

/** True if the holder's word is over this checkpoint, false where it gave none, undefined where nothing is known to check it with; else what is wrong. */
async function checkProof(trust: Trust, anchor: Fields, checkpoint: Checkpoint): Promise<boolean | string | undefined> {
  const proof = Buffer.from(anchor.text('proof'), 'base64');
  const vouchedAt = Date.parse(anchor.text('vouchedAt'));
  try {
    const text = writeCheckpointText(checkpoint);
    if (anchor.text('kind') === 'TIME_STAMP') {
      if (trust.timeStamps === undefined) {
        return undefined;
      }
      const { at } = await verifyTimeStamp(proof, storedExchange(Buffer.from(text)), trust.timeStamps);
      return at.getTime() === vouchedAt || 'Its time stamp is of another time.';
    }
    if (anchor.text('kind') === 'WITNESS') {
      const [, name = ''] = proof.toString().split(' ');
      const witnesses = trust.log.witnesses.filter((witness) => witness.name === name);
      if (witnesses.length === 0) {
        return undefined;
      }
      const [signature] = openNote(witnesses, Buffer.from(`${text}\n${proof.toString()}`)).signatures;
      return (signature?.cosignedAt ?? -1) * 1000 === vouchedAt || 'Its cosignature is of another time.';
    }
    return false;
  } catch (error) {
    if (error instanceof TimeStampRefusal || error instanceof NoteError) {
      return error.message;
    }
    throw error;
  }
}
