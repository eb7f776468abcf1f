/**
 * Holds what the row of a signature says to what was signed: the record by itself, the keys and the time stamp that are kept beside it, and the event.
 * The line of a signature has its hashes alone; these rules hold the rest. What was erased is held to nothing.
 */
import { hash, verify } from 'node:crypto';
import type { JsonObject } from '@bufbuild/protobuf';
import { asList, asObject } from '../../lib/json.ts';
import { commitment } from '../../lib/log/commitment.ts';
import { readStoredTimeStamp } from '../../lib/time-stamps/verify.ts';
import { TimeStampRefusal } from '../../lib/time-stamps/refusal.ts';
import { importPublicKey } from '../credentials/index.ts';
import { sha256Of } from './record.ts';
import type { KeptSignature } from './store-check.ts';

/** Event of a signature. */
export interface SigningEvent {
  readonly occurredAt: Date;
  readonly credentialId: string;
  /** Empty where its content was erased. */
  readonly data: JsonObject;
}

/** A rule: whether it holds, and what is wrong where it does not. */
export type Rule = readonly [holds: boolean, sentence: string];

/** Members of what was asked for; those behind the second were kept with signatures of before 0.4. */
const requestMembers: readonly string[] = ['reviewName', 'comment', 'decisions', 'results', 'submitted', 'counts', 'digest'];

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function commitsTo(wanted: unknown, salt: unknown, value: unknown): boolean {
  const bytes = Buffer.from(textOf(salt), 'hex');
  return bytes.length === 16 && commitment(bytes, value).toString('hex') === wanted;
}

/** The object in a record; an empty one where it cannot be read. */
export function readRecord(record: string): JsonObject {
  try {
    return asObject(JSON.parse(record));
  } catch {
    return {};
  }
}

function countsOf(record: JsonObject): { certified: unknown; denied: unknown } {
  if (record['type'] === 'countersign.acknowledgement') {
    const { certified = 0, revoked: denied = 0 } = asObject(record['counts']);
    return { certified, denied };
  }
  const decisions = asList(record['decisions']).map(asObject);
  const certified = decisions.filter(({ decision }) => decision === 'CERTIFY').length;
  return { certified, denied: decisions.length - certified };
}

/** Rules about the person, whose name may have been erased: then nothing of them is left. */
function* rulesOfPerson(row: KeptSignature, signer: JsonObject): Generator<Rule> {
  const { person, personSalt, printedName } = row;
  if (Object.keys(person).length === 0 && personSalt === '' && printedName === '') {
    return;
  }
  yield [commitsTo(signer['person'], personSalt, person), 'what it says of its signer is not what was signed'];
  const name = person['displayName'] === '' ? person['email'] : person['displayName'];
  yield [printedName === name, 'its printed name is not that of its signer'];
}

/** Rules about comments: an acknowledgement keeps its own here, and those of decisions are with the actions. */
function* rulesOfComments(row: KeptSignature, record: JsonObject): Generator<Rule> {
  const { commentSalts, personSalt, request, submissionId } = row;
  const wrong = 'its comments, or their salts, are not those that were signed';
  const kept = asList(request['decisions']).map(asObject);
  const texts: Record<string, unknown> = Object.fromEntries(kept.map(({ actionId, comment }) => [textOf(actionId), comment]));
  const commitments: Record<string, unknown> = Object.fromEntries(
    row.kind === 'ACKNOWLEDGEMENT'
      ? [[submissionId, record['comment'] ?? null]]
      : asList(record['decisions'])
          .map(asObject)
          .map(({ action, comment }) => [textOf(action), comment]),
  );
  if (row.kind === 'ACKNOWLEDGEMENT') {
    texts[submissionId] = request['comment'] ?? '';
    yield [personSalt === '' || (texts[submissionId] !== '') === (commitments[submissionId] !== null), wrong];
  } else {
    yield [request['comment'] === undefined, wrong];
  }
  yield [
    Object.entries(commentSalts).every(([id, salt]) => commitsTo(commitments[id], salt, texts[id] ?? '')) &&
      (texts[submissionId] === undefined || texts[submissionId] === '' || commentSalts[submissionId] !== undefined),
    wrong,
  ];
}

/** Rules that hold a row to its record. */
export function* rulesOfRecord(row: KeptSignature, record: JsonObject, tenantId: string, event: SigningEvent): Generator<Rule> {
  const [review, signer] = [asObject(record['review']), asObject(record['signer'])];
  const { certified, denied } = countsOf(record);
  const kind = record['type'] === 'countersign.acknowledgement' ? 'ACKNOWLEDGEMENT' : 'SUBMISSION';
  yield [row.recordSha256 === sha256Of(row.record), 'its hash is not that of its record'];
  yield [record['tenant'] === tenantId && review['id'] === row.reviewId, 'its record is of another review'];
  yield [record['submission'] === row.submissionId, 'its record is of another submission'];
  yield [signer['id'] === row.userId, 'its record is of another signer'];
  yield [kind === row.kind, 'its kind is not that of its record'];
  yield [record['meaning'] === row.meaning, 'its meaning is not the one that was signed'];
  yield [certified === row.certified && denied === row.denied, 'its counts are not those of its record'];
  yield [record['at'] === row.preparedAt.toISOString(), 'it was prepared at another time than its record says'];
  const known = Object.keys(row.request).every((member) => requestMembers.includes(member));
  yield [known && row.request['reviewName'] === review['name'], 'the name of its review is not the one that was signed'];
  yield [row.credentialId === event.credentialId, 'it was given through another session or credential than its event says'];
  yield* rulesOfPerson(row, signer);
  yield* rulesOfComments(row, record);
  yield [isSignedByCredential(row), 'the signature by the credential of its signer is wrong'];
}

function isSignedByCredential({ credentialKey, credentialSignature, record }: KeptSignature): boolean {
  if (credentialKey === '' || credentialSignature === '') {
    return credentialKey === credentialSignature;
  }
  const signature = Buffer.from(credentialSignature, 'base64url');
  try {
    const { key } = importPublicKey(credentialKey);
    return (
      Buffer.from(credentialKey, 'base64url').toString('base64url') === credentialKey && verify(null, Buffer.from(record), key, signature)
    );
  } catch {
    // A key that is none.
    return false;
  }
}

/**
 * Rules about the time stamp: who asked whom, and over what and when it is. The chain to a root is not looked at: the roots are those of whoever is
 * judged here, and the verifiers of bundles take them from outside.
 */
export async function* rulesOfStamp({ record, signedAt, timeStamp, timeStampServer, tspUrl }: KeptSignature): AsyncGenerator<Rule> {
  yield [hostOf(tspUrl) === timeStampServer, 'its time stamp server is not the one that it was to ask'];
  yield [(timeStamp !== null) === (timeStampServer !== ''), 'its time stamp is gone, or nobody was asked for one'];
  if (timeStamp === null) {
    return;
  }
  try {
    const at = await readStoredTimeStamp(timeStamp, hash('sha256', record, 'buffer'));
    yield [at.getTime() === signedAt.getTime(), 'its time is not that of its time stamp'];
  } catch (error) {
    if (!(error instanceof TimeStampRefusal)) {
      throw error;
    }
    yield [false, `its time stamp does not hold: ${error.message.replace(/\.$/, '')}`];
  }
}

function hostOf(url: string): string {
  return url !== '' && URL.canParse(url) ? new URL(url).host : url;
}
