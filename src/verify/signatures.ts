/** Signatures of submissions and acknowledgements: whose, over which decisions, when, and by whose word. */
import { hash, verify } from 'node:crypto';
import { readEd25519Key } from '../lib/log/ed25519.ts';
import { TimeStampRefusal } from '../lib/time-stamps/refusal.ts';
import { type TimeStamp, verifyTimeStamp } from '../lib/time-stamps/verify.ts';
import { type Fields, readFields } from './fields.ts';
import { checkIdToken, type CheckedToken } from './id-token.ts';
import { KeyTable } from './key-table.ts';
import type { LoggedEvent } from './log.ts';
import type { Bundle } from './members.ts';
import { commitsTo, type People } from './people.ts';
import { checkLogged } from './signed-row.ts';
import type { Trust } from './trust.ts';

export const signaturesFile = 'signatures.jsonl';

/** A signature whose parts were read. */
export interface Signature {
  readonly submission: string;
  readonly line: number;
  readonly signer: string;
  /** Commitment to the signer's details at the time. */
  readonly person: string;
  /** Empty where it was erased. */
  readonly printedName: string;
  readonly meaning: string;
  readonly decisions: number;
  /** True if it acknowledges the decisions of others. */
  readonly isAcknowledgement: boolean;
  readonly stamp: TimeStamp | undefined;
  readonly token: CheckedToken | undefined;
  /** True if there was an ID token that was erased. */
  readonly isTokenErased: boolean;
}

/** Signatures of a bundle, and the decisions that they are over. */
export interface Signatures {
  readonly list: readonly Signature[];
  /** By submission. */
  readonly bySubmission: ReadonlyMap<string, Signature>;
  /** Every decision that was signed, spelled by `spellDecision`. */
  readonly signed: KeyTable;
}

/** Seconds between the step-up and the stamp: the step-up counts for 15 minutes, and clocks may differ by 5. */
const maxStampDelay = 1200;
const maxSkew = 300;

/** A decision as it is compared between what was signed and what was written. */
export interface SpelledDecision {
  readonly submission: string;
  readonly action: string;
  readonly item: string;
  readonly decision: string;
  readonly step: number;
  readonly comment: string | null;
  /** Until when alone it is certified; empty for no end. */
  readonly until: string;
  /** True if it changes a decision of the same person. */
  readonly amends: boolean;
}

/** A decision in one text. */
export function spellDecision({ submission, action, item, decision, step, comment, until, amends }: SpelledDecision): string {
  return [submission, action, item, decision, step, comment ?? '-', until === '' ? '' : Date.parse(until), amends].join('\n');
}

/** Checks each signature by itself, and that the log recorded it, unless what the log says of it was erased. */
export async function checkSignatures(
  bundle: Bundle,
  trust: Trust,
  submitted: ReadonlyMap<string, LoggedEvent>,
  isErased: (event: string) => boolean,
): Promise<Signatures> {
  const { findings } = bundle;
  const list: Signature[] = [];
  const signed = new KeyTable();
  let line = 0;
  for (const lines of bundle.lines(signaturesFile)) {
    for (const text of lines) {
      line += 1;
      const say = (sentence: string, ...from: readonly string[]): void => {
        findings.add(signaturesFile, sentence, { line, from });
      };
      const fields = readFields(text.toString());
      const record = readFields(fields?.text('record') ?? '');
      if (fields === undefined || record === undefined) {
        say('It is no signature with a record.');
        continue;
      }
      list.push(await checkOne(bundle, trust, { fields, record, line, say }));
      for (const one of record.list('decisions')) {
        const spelled = spellDecision({
          submission: record.text('submission'),
          action: one.text('action'),
          item: one.text('item'),
          decision: one.text('decision'),
          step: one.whole('step'),
          comment: one.textOrNull('comment') ?? null,
          until: one.text('until'),
          amends: one.raw['amends'] === true,
        });
        signed.set(spelled, line);
      }
      const event = submitted.get(fields.text('submission'));
      if (event !== undefined || !isErased(fields.text('event'))) {
        checkLogged(fields, event, say);
      }
    }
  }
  const bySubmission = new Map(list.map((one) => [one.submission, one]));
  for (const [submission, { data, position }] of submitted) {
    if (data.text('record') !== '' && !bySubmission.has(submission)) {
      findings.add(signaturesFile, `The signature of submission ${submission}, logged at position ${position}, is missing.`, {
        from: ['log/events.jsonl'],
      });
    }
  }
  return { list, bySubmission, signed };
}

/** A line of signatures, and how to say what is wrong with it. */
interface SignatureLine {
  readonly fields: Fields;
  readonly record: Fields;
  readonly line: number;
  readonly say: (sentence: string, ...from: readonly string[]) => void;
}

async function checkOne({ manifest }: Bundle, trust: Trust, { fields, record, line, say }: SignatureLine): Promise<Signature> {
  const submission = fields.text('submission');
  const recordBytes = Buffer.from(fields.text('record'));
  if (
    record.text('submission') !== submission ||
    record.fields('review').text('id') !== manifest.review ||
    record.text('tenant') !== manifest.tenant
  ) {
    say(`Its record is one of another submission than ${submission} of this review.`, 'manifest.json');
  }
  const stamp = await checkStamp(trust, fields, recordBytes, say);
  const token = checkToken(trust, fields, recordBytes, say);
  const credentialSignature = fields.text('credentialSignature');
  if (credentialSignature !== '' && !isSignedBy(fields.text('credentialKey'), recordBytes, credentialSignature)) {
    say('The signature by the credential of the signer is wrong.');
  }
  const stampedAt = stamp === undefined ? undefined : stamp.at.getTime() / 1000;
  if (
    token !== undefined &&
    stampedAt !== undefined &&
    !(stampedAt >= token.issuedAt - maxSkew && stampedAt <= token.issuedAt + maxStampDelay)
  ) {
    say('Its time stamp is not of the time at which its signer signed in.');
  }
  if (stamp !== undefined && fields.has('signedAt') && stamp.at.getTime() !== Date.parse(fields.text('signedAt'))) {
    say('The time at which it was signed is not that of its time stamp.');
  }
  if (fields.has('meaning') && fields.text('meaning') !== record.text('meaning')) {
    say('It shows another meaning than the one that was signed.');
  }
  const comment = fields.fields('comment');
  if (fields.has('comment') && !commitsTo(Buffer.from(record.text('comment'), 'hex'), comment.text('salt'), comment.text('text'))) {
    say('Its comment is not the one that was signed.');
  }
  const signer = record.fields('signer');
  return {
    submission,
    line,
    signer: signer.text('id'),
    person: signer.text('person'),
    printedName: fields.text('printedName'),
    meaning: record.text('meaning'),
    decisions: record.list('decisions').length,
    isAcknowledgement: record.text('type') === 'countersign.acknowledgement',
    stamp,
    token,
    isTokenErased: fields.text('idToken') === '' && fields.text('idTokenSha256') !== '',
  };
}

function checkToken(trust: Trust, fields: Fields, record: Buffer, say: SignatureLine['say']): CheckedToken | undefined {
  const text = fields.text('idToken');
  if (text === '') {
    return undefined;
  }
  const token = checkIdToken(text, trust.provider, fields.fields('provider'), fields.text('transaction'), record);
  if (typeof token === 'string') {
    say(token, 'keys/idp.json');
    return undefined;
  }
  return token;
}

async function checkStamp(trust: Trust, fields: Fields, record: Buffer, say: SignatureLine['say']): Promise<TimeStamp | undefined> {
  const text = fields.text('timestamp');
  if (text === '') {
    return undefined;
  }
  if (trust.timeStamps === undefined) {
    say('No certificates are known under which its time stamp could be checked.', 'keys/tsa-roots.pem');
    return undefined;
  }
  try {
    return await verifyTimeStamp(Buffer.from(text, 'base64'), storedExchange(record), trust.timeStamps);
  } catch (error) {
    say(sentenceOf(error), 'keys/tsa-roots.pem');
    return undefined;
  }
}

/** Returns what a stored time stamp has to answer: its request and the time of it are gone, so other times must bound it. */
export function storedExchange(data: Buffer) {
  return {
    request: { digest: hash('sha256', data, 'buffer'), nonce: undefined },
    sentAt: new Date(0),
    receivedAt: new Date(8.64e15 - 300_000),
  };
}

/** The sentence of a refusal; whatever else was thrown is no statement on a time stamp. */
export function sentenceOf(error: unknown): string {
  if (error instanceof TimeStampRefusal) {
    return error.message;
  }
  throw error;
}

function isSignedBy(key: string, data: Buffer, signature: string): boolean {
  const raw = Buffer.from(key, 'base64url');
  return raw.length === 32 && verify(null, data, readEd25519Key(raw), Buffer.from(signature, 'base64url'));
}

/** Compares each signer with the person of the bundle. */
export function checkSigners({ findings }: Bundle, { list }: Signatures, people: People): void {
  for (const { line, signer, person, printedName } of list) {
    const known = people.printedNames.get(`${signer} ${person}`);
    if (known !== undefined && printedName !== known) {
      findings.add(signaturesFile, `Its printed name ${printedName} is not that of its signer, ${known}.`, {
        line,
        from: ['signers.jsonl'],
      });
    }
    if (!people.isCommitted(signer, person)) {
      findings.add(signaturesFile, `The signer ${signer} is not the person in people.jsonl.`, { line, from: ['people.jsonl'] });
    }
  }
}
