/** Prepares what is to be signed: the record with its commitments, kept for seven days. Nothing is decided by it. */
import { randomBytes } from 'node:crypto';
import type { JsonObject } from '@bufbuild/protobuf';
import { AppError, orThrow } from '../../errors.ts';
import type { Actor, Context } from '../../context.ts';
import { newId } from '../../wire/ids.ts';
import { recordEvent } from '../audit/index.ts';
import { isThemselves } from '../authority/index.ts';
import { findUser, type UserRow } from '../directory/index.ts';
import { type RecordSubject, type SignerFacts, sha256Of, writeRecord } from './record.ts';
import {
  findCommitted,
  insertSignature,
  listPrepared,
  type NewSignature,
  readAgain,
  type SignatureKind,
  type SignatureRow,
  updateEnded,
} from './store.ts';

/** Terms of a review for its signatures. */
export interface SignatureTerms {
  readonly meaning: string;
  /** Empty: who signs is identified by their session or credential alone. */
  readonly providerId: string;
  /** Empty: the time is this service's. */
  readonly tspUrl: string;
}

const keptMs = 7 * 86_400_000;
const saltBytes = 16;
/** So much may wait for one person's signature in a review; the oldest makes way. */
const maxPrepared = 20;

/** A submission or an acknowledgement that is to be signed. */
export interface ToSign {
  readonly review: { readonly id: string; readonly name: string };
  /** The name of the tenant's log. */
  readonly origin: string;
  readonly submissionId: string;
  readonly terms: SignatureTerms;
  readonly subject: RecordSubject;
  /** All that is needed to decide or acknowledge it once it is signed. */
  readonly request: JsonObject;
  readonly idempotencyKey: string;
  readonly requestDigest: string;
}

/** PERMISSION_DENIED for whoever acts through what somebody else issued, and for programs: they never sign. */
export function requireSigner(actor: Actor): void {
  if (!isThemselves(actor)) {
    throw new AppError(
      'PERMISSION_DENIED',
      'This review asks for signatures, and nobody signs through what somebody else issued: sign in yourself, or use an API credential that you made.',
    );
  }
}

function factsOf(user: UserRow): SignerFacts {
  const { department, displayName, email, employeeId, employmentStatus, employmentType, jobTitle, managerId, status } = user;
  return {
    ...{ department, displayName, email, employeeId, employmentStatus, employmentType, jobTitle, status },
    managerId: managerId ?? '',
    profile: {},
  };
}

/** The person and the salt of their commitment: as the first signature of the review has them, so that a person has one commitment in a review. */
async function commitSigner(context: Context, reviewId: string): Promise<{ person: SignerFacts; personSalt: string }> {
  const committed = await findCommitted(context, reviewId);
  if (committed !== undefined) {
    return committed;
  }
  const user = orThrow(await findUser(context, context.actor.userId), 'PERMISSION_DENIED', 'Only people sign.');
  return { person: factsOf(user), personSalt: randomBytes(saltBytes).toString('hex') };
}

/** The comments of what is signed, by the ids that their salts are kept under. */
function listComments({ subject, submissionId }: ToSign): readonly (readonly [id: string, comment: string])[] {
  const comments: readonly (readonly [string, string])[] =
    'decisions' in subject
      ? subject.decisions.map(({ actionId, comment }) => [actionId, comment])
      : [[submissionId, subject.acknowledgement.comment]];
  return comments.filter(([, comment]) => comment !== '');
}

/** Counts what is certified and denied in what is signed. */
function countSubject(subject: RecordSubject): { kind: SignatureKind; certified: number; denied: number } {
  if ('acknowledgement' in subject) {
    const { certified = 0, revoked: denied = 0 } = subject.acknowledgement.counts;
    return { kind: 'ACKNOWLEDGEMENT', certified, denied };
  }
  const certified = subject.decisions.filter(({ decision }) => decision === 'CERTIFY').length;
  return { kind: 'SUBMISSION', certified, denied: subject.decisions.length - certified };
}

/** Keeps a record for the actor to sign, in the transaction that found it, with its event. */
export async function prepareSignature(context: Context, toSign: ToSign): Promise<SignatureRow> {
  const { actor, now, tenantId } = context;
  const { review, origin, submissionId, terms, subject, request, idempotencyKey, requestDigest } = toSign;
  const waiting = await listPrepared(context, review.id);
  // A new acknowledgement means the decisions as they are now.
  const isReplaced = ({ kind }: { kind: SignatureKind }) => kind === 'ACKNOWLEDGEMENT' && 'acknowledgement' in subject;
  await endSignatures(
    context,
    waiting.filter((one, at) => at >= maxPrepared - 1 || isReplaced(one)),
    'REPLACED',
  );
  const { person, personSalt } = await commitSigner(context, review.id);
  const commentSalts = Object.fromEntries(listComments(toSign).map(([at]) => [at, randomBytes(saltBytes).toString('hex')]));
  const record = writeRecord(
    { tenantId, origin, review, submissionId, at: now, signerId: actor.userId, person, meaning: terms.meaning, subject },
    { person: Buffer.from(personSalt, 'hex'), comment: (at) => Buffer.from(commentSalts[at] ?? '', 'hex') },
  );
  const id = newId(now);
  const { kind, certified, denied } = countSubject(subject);
  const recordSha256 = sha256Of(record);
  const made: NewSignature = {
    ...{ id, kind, reviewId: review.id, submissionId, record, recordSha256, person, personSalt, commentSalts, request, certified, denied },
    ...{ idempotencyKey, requestDigest, meaning: terms.meaning, providerId: terms.providerId, tspUrl: terms.tspUrl },
    printedName: person.displayName === '' ? person.email : person.displayName,
    expiresAt: new Date(now.getTime() + keptMs),
  };
  await insertSignature(context, made);
  const data = { reviewId: review.id, submissionId, record: recordSha256, certified, denied, ...(kind === 'SUBMISSION' ? {} : { kind }) };
  await recordEvent(context, { kind: 'signature.prepared', targetId: id, reviewId: review.id, data });
  return readAgain(context, made);
}

/** Ends what waits for a signature and cannot be given any more, with an event for each. */
export async function endSignatures(
  context: Context,
  signatures: readonly Pick<SignatureRow, 'id' | 'reviewId'>[],
  endedBy: 'REPLACED' | 'CHANGED',
): Promise<void> {
  const ended = new Set(
    await updateEnded(
      context,
      signatures.map(({ id }) => id),
      endedBy,
    ),
  );
  for (const { id, reviewId } of signatures.filter((one) => ended.has(one.id))) {
    await recordEvent(context, { kind: 'signature.ended', targetId: id, reviewId, data: { reviewId, endedBy } });
  }
}
