/** SQL of signatures: the table `signatures`. */
import type { JsonObject } from '@bufbuild/protobuf';
import type { Context } from '../../context.ts';
import { empty, sql } from '../../lib/sql.ts';
import type { SignerFacts } from './record.ts';

/** State of a signature (`signatures.state`). */
export type SignatureState = 'PREPARED' | 'SIGNED' | 'ENDED';

/** Subject of a signature (`signatures.kind`). */
export type SignatureKind = 'SUBMISSION' | 'ACKNOWLEDGEMENT';

/** Reason it was never given (`signatures.ended_by`); what expired is PREPARED still. */
export type EndedBy = '' | 'REPLACED' | 'CHANGED' | 'CLOSED';

/** A signature that is prepared. */
export interface NewSignature {
  readonly id: string;
  readonly kind: SignatureKind;
  readonly reviewId: string;
  /** Of the submission, or of the acknowledgement. */
  readonly submissionId: string;
  readonly record: string;
  readonly recordSha256: string;
  readonly person: SignerFacts;
  /** In hex. */
  readonly personSalt: string;
  /** By action, in hex. */
  readonly commentSalts: Readonly<Record<string, string>>;
  readonly request: JsonObject;
  readonly idempotencyKey: string;
  readonly requestDigest: string;
  readonly printedName: string;
  readonly meaning: string;
  readonly certified: number;
  readonly denied: number;
  readonly providerId: string;
  readonly tspUrl: string;
  readonly expiresAt: Date;
}

/** A signature as it is kept, but its reply of a time stamp server. */
export interface SignatureRow extends NewSignature {
  readonly reviewName: string;
  readonly userId: string;
  readonly credentialId: string;
  readonly state: SignatureState;
  readonly endedBy: EndedBy;
  /** The step-up by which it was signed, or that was begun last. */
  readonly transactionId: string;
  readonly issuerUrl: string;
  /** The provider's present name; empty for none. */
  readonly providerName: string;
  readonly timeStampServer: string;
  readonly credentialKey: string;
  readonly credentialSignature: string;
  readonly preparedAt: Date;
  readonly signedAt: Date | null;
  readonly eventId: string;
}

/** A signature without the decisions that wait for it, and without its record, each of which may be megabytes. */
export type ListedSignature = Omit<SignatureRow, 'person' | 'request' | 'record'>;

const listedColumns = sql`s.id, s.kind, s.review_id AS "reviewId", s.user_id AS "userId", s.credential_id AS "credentialId", s.state, s.ended_by AS "endedBy",
  s.submission_id AS "submissionId", s.record_sha256 AS "recordSha256", s.person_salt AS "personSalt",
  s.comment_salts AS "commentSalts", coalesce(s.request ->> 'reviewName', '') AS "reviewName", s.idempotency_key AS "idempotencyKey", s.request_digest AS "requestDigest",
  s.printed_name AS "printedName", s.meaning, s.certified, s.denied, s.provider_id AS "providerId", s.tsp_url AS "tspUrl",
  coalesce(x.id, '') AS "transactionId", coalesce(x.provider ->> 'issuer', '') AS "issuerUrl",
  coalesce((SELECT p.document ->> 'displayName' FROM step_up_providers p WHERE p.tenant_id = s.tenant_id AND p.id = s.provider_id), '') AS "providerName",
  s.time_stamp_server AS "timeStampServer",
  s.credential_key AS "credentialKey", s.credential_signature AS "credentialSignature", s.prepared_at AS "preparedAt", s.expires_at AS "expiresAt",
  s.signed_at AS "signedAt", s.event_id AS "eventId"`;
const columns = sql`${listedColumns}, s.record, s.person, s.request`;

/** Signatures `s`, with the step-up `x` by which each was signed, or that was begun last. */
const from = (tenantId: string) => sql`signatures s LEFT JOIN LATERAL (
    SELECT t.id, t.provider FROM step_up_transactions t WHERE t.tenant_id = ${tenantId} AND t.signature_id = s.id
      AND (s.transaction_id = '' OR t.id = s.transaction_id) ORDER BY t.id DESC LIMIT 1) x ON true`;

/** Adds what the actor is to sign. */
export async function insertSignature({ db, tenantId, actor, now }: Context, row: NewSignature): Promise<void> {
  await db.run(
    sql`INSERT INTO signatures (tenant_id, id, kind, review_id, user_id, credential_id, state, submission_id, record, record_sha256, person, person_salt,
        comment_salts, request, idempotency_key, request_digest, printed_name, meaning, certified, denied, provider_id, tsp_url, prepared_at, expires_at)
      VALUES (${tenantId}, ${row.id}, ${row.kind}, ${row.reviewId}, ${actor.userId}, ${actor.credentialId}, 'PREPARED', ${row.submissionId}, ${row.record},
        ${row.recordSha256}, ${JSON.stringify(row.person)}, ${row.personSalt}, ${JSON.stringify(row.commentSalts)}, ${JSON.stringify(row.request)},
        ${row.idempotencyKey}, ${row.requestDigest}, ${row.printedName}, ${row.meaning}, ${row.certified}, ${row.denied}, ${row.providerId},
        ${row.tspUrl}, ${now}, ${row.expiresAt})`,
  );
}

/** Returns the signature with this id. */
export function findSignature({ db, tenantId }: Context, id: string): Promise<SignatureRow | undefined> {
  return db.maybe(sql`SELECT ${columns} FROM ${from(tenantId)} WHERE s.tenant_id = ${tenantId} AND s.id = ${id}`);
}

/** Returns a signature as it is by now, of which the record and what else never changes was read before: both may be megabytes. */
export async function readAgain(
  { db, tenantId }: Context,
  { id, person, request, record }: Pick<SignatureRow, 'id' | 'person' | 'request' | 'record'>,
): Promise<SignatureRow> {
  const now = await db.one<ListedSignature>(
    sql`SELECT ${listedColumns} FROM ${from(tenantId)} WHERE s.tenant_id = ${tenantId} AND s.id = ${id}`,
  );
  return { ...now, person, request, record };
}

/** Locks a signature to the end of the transaction, and returns its state. */
export function lockSignature({ db, tenantId }: Context, id: string): Promise<SignatureState | undefined> {
  return db.maybeValue<SignatureState>(sql`SELECT s.state FROM signatures s WHERE s.tenant_id = ${tenantId} AND s.id = ${id} FOR UPDATE`);
}

/** Signatures that are looked for: of one person or of all, and of some submissions or of all. */
export interface SignatureFilter {
  readonly reviewId: string;
  readonly userId: string | undefined;
  readonly submissionIds: readonly string[] | undefined;
  /** As the contract has it: what expired counts as ended. */
  readonly state?: SignatureState | undefined;
}

function hasStateSql(state: SignatureState, now: Date) {
  switch (state) {
    case 'SIGNED':
      return sql`AND s.state = 'SIGNED'`;
    case 'PREPARED':
      return sql`AND s.state = 'PREPARED' AND s.expires_at > ${now}`;
    case 'ENDED':
      return sql`AND (s.state = 'ENDED' OR s.state = 'PREPARED' AND s.expires_at <= ${now})`;
  }
}

/** Lists signatures of a review, the oldest first, without their records. */
export function listSignatures(
  { db, tenantId, now }: Context,
  { reviewId, userId, submissionIds, state }: SignatureFilter,
  after: string,
  limit: number,
): Promise<ListedSignature[]> {
  return db.rows(
    sql`SELECT ${listedColumns} FROM ${from(tenantId)} WHERE s.tenant_id = ${tenantId} AND s.review_id = ${reviewId} AND s.id > ${after}
      ${userId === undefined ? empty : sql`AND s.user_id = ${userId}`}
      ${submissionIds === undefined ? empty : sql`AND s.submission_id = ANY (${submissionIds})`}
      ${state === undefined ? empty : hasStateSql(state, now)} ORDER BY s.id LIMIT ${limit}`,
  );
}

/** Signatures `s` of a review that wait for the actor. */
const isWaiting = ({ tenantId, actor, now }: Context, reviewId: string) => sql`s.tenant_id = ${tenantId} AND s.review_id = ${reviewId}
    AND s.user_id = ${actor.userId} AND s.state = 'PREPARED' AND s.expires_at > ${now}`;

/** Lists what waits for the actor's signature in a review, the newest first. */
export function listPrepared(context: Context, reviewId: string): Promise<Pick<SignatureRow, 'id' | 'kind' | 'reviewId'>[]> {
  return context.db.rows(
    sql`SELECT s.id, s.kind, s.review_id AS "reviewId" FROM signatures s WHERE ${isWaiting(context, reviewId)} ORDER BY s.id DESC`,
  );
}

/** A submission that waits for its signature. */
export type Waiting = Pick<SignatureRow, 'id' | 'reviewId' | 'certified' | 'denied' | 'expiresAt'>;

/** Lists by review what the actor submitted last and did not sign yet: what was left before a later submission was signed is not meant any more. */
export function listWaiting({ db, tenantId, actor, now }: Context, reviewIds: readonly string[]): Promise<Waiting[]> {
  return db.rows(
    sql`SELECT w.id, r.review_id AS "reviewId", w.certified, w.denied, w.expires_at AS "expiresAt" FROM unnest(${reviewIds}::text[]) AS r (review_id)
      CROSS JOIN LATERAL (
        SELECT s.id, s.state, s.certified, s.denied, s.expires_at FROM signatures s
        WHERE s.tenant_id = ${tenantId} AND s.review_id = r.review_id AND s.user_id = ${actor.userId} AND s.kind = 'SUBMISSION' AND s.state <> 'ENDED'
        ORDER BY s.id DESC LIMIT 1) w
      WHERE w.state = 'PREPARED' AND w.expires_at > ${now}`,
  );
}

/** Lists what waits for the actor's signature in a review and is about one of these tasks. */
export function listPreparedAbout(
  context: Context,
  reviewId: string,
  taskIds: readonly string[],
): Promise<Pick<SignatureRow, 'id' | 'reviewId'>[]> {
  return context.db.rows(
    sql`SELECT s.id, s.review_id AS "reviewId" FROM signatures s WHERE ${isWaiting(context, reviewId)} AND EXISTS (
        SELECT FROM jsonb_array_elements(s.request -> 'decisions') AS d (value) WHERE d.value ->> 'taskId' = ANY (${taskIds})) ORDER BY s.id`,
  );
}

/** Returns the newest of them that was prepared with this key. */
export function findPreparedByKey(context: Context, reviewId: string, idempotencyKey: string): Promise<SignatureRow | undefined> {
  return context.db.maybe(
    sql`SELECT ${columns} FROM ${from(context.tenantId)} WHERE ${isWaiting(context, reviewId)} AND s.idempotency_key = ${idempotencyKey}
      ORDER BY s.id DESC LIMIT 1`,
  );
}

/** Returns how the actor's first signature of a review committed to them: a person has one commitment in a review. */
export function findCommitted(
  { db, tenantId, actor }: Context,
  reviewId: string,
): Promise<{ readonly person: SignerFacts; readonly personSalt: string } | undefined> {
  return db.maybe(
    sql`SELECT s.person, s.person_salt AS "personSalt" FROM signatures s
      WHERE s.tenant_id = ${tenantId} AND s.review_id = ${reviewId} AND s.user_id = ${actor.userId} ORDER BY s.id LIMIT 1`,
  );
}

/** Ends signatures that are not given; returns the ids of those that were not ended before. */
export function updateEnded({ db, tenantId }: Context, ids: readonly string[], endedBy: EndedBy): Promise<string[]> {
  return db.column<string>(
    sql`UPDATE signatures SET state = 'ENDED', ended_by = ${endedBy}
      WHERE tenant_id = ${tenantId} AND id = ANY (${ids}) AND state = 'PREPARED' RETURNING id`,
  );
}

/** Ends what waits for a signature in a review; returns the ids. */
export async function updateAllEnded({ db, tenantId }: Context, reviewId: string): Promise<string[]> {
  const found = await db.column<string>(
    sql`UPDATE signatures SET state = 'ENDED', ended_by = 'CLOSED'
      WHERE tenant_id = ${tenantId} AND review_id = ${reviewId} AND state = 'PREPARED' RETURNING id`,
  );
  return found.sort();
}

/** Components by which a signature was given. */
export interface Given {
  readonly transactionId: string;
  readonly timeStamp: Buffer | null;
  readonly timeStampServer: string;
  readonly credentialKey: string;
  readonly credentialSignature: string;
  readonly signedAt: Date;
  readonly eventId: string;
}

/** Marks a locked signature as given by the actor. What waited for it was done: of that the comment of an acknowledgement is kept here alone. */
export async function updateSigned({ db, tenantId, actor }: Context, id: string, given: Given): Promise<void> {
  await db.run(
    sql`UPDATE signatures SET state = 'SIGNED', credential_id = ${actor.credentialId}, transaction_id = ${given.transactionId},
        time_stamp = ${given.timeStamp}, time_stamp_server = ${given.timeStampServer}, credential_key = ${given.credentialKey},
        credential_signature = ${given.credentialSignature}, signed_at = ${given.signedAt}, event_id = ${given.eventId},
        request = jsonb_strip_nulls(jsonb_build_object('reviewName', request -> 'reviewName', 'comment', request -> 'comment')),
        comment_salts = CASE kind WHEN 'ACKNOWLEDGEMENT' THEN comment_salts ELSE '{}' END
      WHERE tenant_id = ${tenantId} AND id = ${id}`,
  );
}
