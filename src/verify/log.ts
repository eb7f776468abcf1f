/** The log of a bundle: its checkpoint, the seal over the manifest, and how both hang together. */
import { commitment } from '../lib/log/commitment.ts';
import { canonicalJson } from '../lib/log/canonical-json.ts';
import { type OpenedCheckpoint, openCheckpoint } from '../lib/log/checkpoint.ts';
import { openLogProof } from '../lib/log/log-proof.ts';
import { hashLeaf } from '../lib/log/merkle.ts';
import { verifyConsistency } from '../lib/log/merkle-proof.ts';
import { NoteError, readBase64 } from '../lib/log/signed-note.ts';
import { type Fields, readFields } from './fields.ts';
import type { Bundle } from './members.ts';
import type { Trust } from './trust.ts';

/** An event as a line of a bundle has it. */
export interface LoggedEvent {
  readonly position: number;
  readonly leaf: Fields;
  readonly kind: string;
  /** What it recorded; empty where that was erased. */
  readonly data: Fields;
  readonly leafHash: Buffer;
  readonly isErased: boolean;
}

/** Checkpoints of the bundle, as far as they hold. */
export interface Seal {
  /** The checkpoint that the events of the bundle are in. */
  readonly checkpoint: OpenedCheckpoint | undefined;
  /** The later one that the seal is in. */
  readonly sealed: OpenedCheckpoint | undefined;
  readonly event: LoggedEvent | undefined;
  /** Position of the first leaf of this tree. */
  readonly base: number;
}

/** Returns the event in a line. The reason where it is none, or where its content is not the one that it is committed to. */
export function readEvent(line: string): LoggedEvent | string {
  const fields = readFields(line);
  const position = fields?.whole('position') ?? -2;
  if (fields === undefined || position < 0 || !fields.has('leaf')) {
    return 'It is not an event.';
  }
  const leaf = fields.fields('leaf');
  const isErased = !fields.has('content') || fields.raw['content'] === null;
  try {
    const leafHash = hashLeaf(Buffer.from(canonicalJson(leaf.raw)));
    if (!isErased && commitment(Buffer.from(fields.text('salt'), 'hex'), fields.raw['content']).toString('hex') !== leaf.text('content')) {
      return `The content of the event at position ${position} (${leaf.text('kind')}) is not the one that was logged.`;
    }
    return { position, leaf, kind: leaf.text('kind'), data: fields.fields('content').fields('data'), leafHash, isErased };
  } catch {
    return `The event at position ${position} has no canonical form.`;
  }
}

const places = {
  checkpoint: 'log/checkpoint',
  event: 'seal/event.json',
  proof: 'seal/proof.tlog-proof',
  consistency: 'seal/consistency.json',
} as const;

/** Checks the checkpoints, the seal and the proofs between them. */
export function checkSeal(bundle: Bundle, trust: Trust): Seal {
  const { findings, manifest } = bundle;
  const checkpoint = openOwn(bundle, trust);
  const event = readSealEvent(bundle);
  const proofFile = bundle.content(places.proof) ?? Buffer.alloc(0);
  let sealed: OpenedCheckpoint | undefined;
  let base = 0;
  if (event !== undefined && proofFile.length > 0) {
    try {
      const opened = openLogProof(trust.log, proofFile, event.leafHash);
      sealed = opened.checkpoint;
      base = event.position - opened.index;
    } catch (error) {
      const sentence = sentenceOf(error);
      findings.add(places.proof, sentence, { from: [places.event, 'keys/policy.txt'] });
      if (sentence.startsWith('The proof')) {
        findings.add(places.event, `It is not the event that ${places.proof} leads to.`, { from: [places.proof] });
      }
    }
  }
  if (checkpoint !== undefined && sealed !== undefined) {
    checkConsistency(bundle, checkpoint, sealed);
  }
  for (const [place, one] of [
    [places.checkpoint, checkpoint],
    [places.proof, sealed],
  ] as const) {
    if (one !== undefined && one.origin !== manifest.origin) {
      findings.add(place, `It is of the log ${one.origin}, and the bundle of ${manifest.origin}.`, { from: ['manifest.json'] });
    }
  }
  if (base < 0) {
    findings.add(places.proof, 'The seal has a place in the tree behind its position in the log.', { from: [places.event] });
  }
  return { checkpoint, sealed, event, base };
}

function sentenceOf(error: unknown): string {
  if (error instanceof NoteError) {
    return error.message;
  }
  throw error;
}

function openOwn({ findings, content }: Bundle, { log }: Trust): OpenedCheckpoint | undefined {
  const note = content(places.checkpoint);
  if (note === undefined) {
    return undefined;
  }
  try {
    return openCheckpoint(log, note);
  } catch (error) {
    findings.add(places.checkpoint, sentenceOf(error), { from: ['keys/policy.txt'] });
    return undefined;
  }
}

/** The event of the seal names the manifest by its hash; without that nothing of the bundle is sealed. */
function readSealEvent({ findings, manifest, content }: Bundle): LoggedEvent | undefined {
  const text = content(places.event);
  if (text === undefined) {
    return undefined;
  }
  const event = readEvent(text.toString());
  if (typeof event === 'string') {
    findings.add(places.event, event);
    return undefined;
  }
  if (event.kind !== 'review.evidence_sealed' || event.leaf.fields('target').text('id') !== manifest.review) {
    findings.add(places.event, 'It is not the seal of this review.', { from: ['manifest.json'] });
  }
  if (event.leaf.text('tenant') !== manifest.tenant) {
    findings.add(places.event, 'It is the seal of another tenant.', { from: ['manifest.json'] });
  }
  if (event.data.text('manifest') !== manifest.sha256) {
    findings.add(
      'manifest.json',
      'It is not the manifest that was sealed in the log: the bundle was changed, or belongs to another seal.',
      {
        from: [places.event],
      },
    );
  }
  return event;
}

function checkConsistency({ findings, content }: Bundle, first: OpenedCheckpoint, second: OpenedCheckpoint): void {
  const fields = readFields(content(places.consistency)?.toString() ?? '');
  // A text that is not spelled as it has to be is no hash, so that it proves nothing.
  const proof = (fields?.texts('proof') ?? []).map((text) => readBase64(text) ?? Buffer.alloc(0));
  const isProven =
    fields?.whole('first') === first.size &&
    fields.whole('second') === second.size &&
    verifyConsistency(first.size, second.size, first.root, second.root, proof);
  if (!isProven) {
    findings.add(places.consistency, `It does not show that the log of ${second.size} events begins with that of ${first.size}.`, {
      from: [places.checkpoint, places.proof],
    });
  }
}
