/** SQL that reads signatures as evidence: for checks of the event log, for reports and for bundles. */
import type { JsonWebKey } from 'node:crypto';
import type { JsonObject } from '@bufbuild/protobuf';
import type { Context } from '../../context.ts';
import { empty, type Sql, sql } from '../../lib/sql.ts';
import { describeStepUp, type UsedProvider } from './step-up/index.ts';
import type { SignatureKind } from './store.ts';

/** A signature as its event vouches for it. */
export interface SignatureLine {
  readonly id: string;
  readonly reviewId: string;
  readonly userId: string;
  readonly submissionId: string;
  readonly recordSha256: string;
  readonly signedAt: Date;
  readonly transactionId: string;
  readonly timeStampServer: string;
  readonly credentialSignature: string;
  /** SHA-256 of the ID token, one that was erased too, and of the reply of the time stamp server, in hex; empty for none. */
  readonly idTokenSha256: string;
  readonly timeStampSha256: string;
}

/** Lists the signatures that events recorded; the hashes are those of what is kept now, but for ID tokens that were erased. */
export function listSigned(
  { db, tenantId }: Context,
  eventIds: readonly string[],
): Promise<(SignatureLine & { readonly eventId: string })[]> {
  return db.rows(
    sql`SELECT s.event_id AS "eventId", s.id, s.review_id AS "reviewId", s.user_id AS "userId", s.submission_id AS "submissionId",
        encode(sha256(convert_to(s.record, 'UTF8')), 'hex') AS "recordSha256", s.signed_at AS "signedAt", s.transaction_id AS "transactionId",
        s.time_stamp_server AS "timeStampServer", s.credential_signature AS "credentialSignature",
        coalesce(encode(sha256(convert_to(nullif(t.id_token, ''), 'UTF8')), 'hex'), t.id_token_sha256, '') AS "idTokenSha256",
        coalesce(encode(sha256(s.time_stamp), 'hex'), '') AS "timeStampSha256"
      FROM signatures s LEFT JOIN step_up_transactions t ON t.tenant_id = ${tenantId} AND t.id = s.transaction_id
      WHERE s.tenant_id = ${tenantId} AND s.event_id = ANY (${eventIds}) AND s.state = 'SIGNED' ORDER BY s.id`,
  );
}

/** Lists signatures that no event recorded. */
export function listStraySigned({ db, tenantId }: Context, since: Date, limit: number): Promise<{ id: string }[]> {
  return db.rows(
    sql`SELECT s.id FROM signatures s WHERE s.tenant_id = ${tenantId} AND s.state = 'SIGNED' AND s.event_id = '' AND s.signed_at > ${since}
      ORDER BY s.id LIMIT ${limit}`,
  );
}

/** Lists the events that signatures name, behind this one. */
export function listSignedEventIds({ db, tenantId }: Context, after: string, limit: number): Promise<{ id: string }[]> {
  return db.rows(
    sql`SELECT DISTINCT s.event_id AS id FROM signatures s WHERE s.tenant_id = ${tenantId} AND s.event_id > ${after} ORDER BY 1 LIMIT ${limit}`,
  );
}

/** A signature as evidence has it: everything that somebody who trusts nobody checks it with. */
export interface SignatureProof {
  readonly id: string;
  /** The event that recorded it. */
  readonly eventId: string;
  readonly submissionId: string;
  readonly record: string;
  /** Of an acknowledgement; empty for none, and where it was erased. */
  readonly comment: string;
  /** In hex. */
  readonly commentSalt: string;
  readonly printedName: string;
  readonly meaning: string;
  readonly signedAt: Date;
  readonly credentialId: string;
  readonly credentialKey: string;
  readonly credentialSignature: string;
  readonly transactionId: string;
  /** Empty where the review asked for no step-up, and where it was erased. */
  readonly idToken: string;
  /** In hex, of a token that was erased; empty otherwise. */
  readonly erasedToken: string;
  readonly provider: {
    readonly issuer: string;
    readonly audience: string;
    readonly acrValues: readonly string[];
  } | null;
  /** As the event vouches for it; null where the review asked for none. */
  readonly stepUp: JsonObject | null;
  readonly timeStamp: Buffer | null;
  /** Empty for none. */
  readonly timeStampServer: string;
}

/** A row of `listProofs` with the columns that its step-up is described by. */
type ProofRow = Omit<SignatureProof, 'stepUp'> &
  Omit<Parameters<typeof describeStepUp>[0], 'provider' | 'credentialId'> & {
    readonly provider: UsedProvider | null;
    /** The credential through which the step-up was begun. */
    readonly begunThrough: string;
  };

/** Returns the signatures `s` that were given in a review, with their step-ups `t`, as a FROM clause with its condition. */
const getGivenSql = (tenantId: string, reviewId: string): Sql =>
  sql`signatures s LEFT JOIN step_up_transactions t ON t.tenant_id = ${tenantId} AND t.id = s.transaction_id
      WHERE s.tenant_id = ${tenantId} AND s.review_id = ${reviewId} AND s.state = 'SIGNED'`;

/** Lists the signatures of a review as evidence has them, behind the one with this id. */
export async function listProofs({ db, tenantId }: Context, reviewId: string, after: string, limit: number): Promise<SignatureProof[]> {
  const rows = await db.rows<ProofRow>(
    sql`SELECT s.id, s.event_id AS "eventId", s.submission_id AS "submissionId", s.record, s.printed_name AS "printedName", s.meaning,
        coalesce(s.request ->> 'comment', '') AS comment, coalesce(s.comment_salts ->> s.submission_id, '') AS "commentSalt",
        s.signed_at AS "signedAt", s.credential_id AS "credentialId", s.credential_key AS "credentialKey",
        s.credential_signature AS "credentialSignature", s.transaction_id AS "transactionId", coalesce(t.id_token, '') AS "idToken",
        coalesce(t.id_token_sha256, '') AS "erasedToken", t.provider, s.time_stamp AS "timeStamp",
        s.time_stamp_server AS "timeStampServer", t.provider_id AS "providerId", t.session_id AS "sessionId", t.credential_id AS "begunThrough",
        t.task_id AS "taskId", t.policy_step_id AS "policyStepId", t.created_at AS "createdAt", t.expires_at AS "expiresAt"
      FROM ${getGivenSql(tenantId, reviewId)} AND s.id > ${after} ORDER BY s.id LIMIT ${limit}`,
  );
  return rows.map((row) => ({
    ...row,
    stepUp: row.provider === null ? null : describeStepUp({ ...row, credentialId: row.begunThrough }),
  }));
}

/** A signature as a report lists it: without its record, token and time stamp, which are large. */
export interface SignatureOutline {
  readonly id: string;
  readonly kind: SignatureKind;
  readonly submissionId: string;
  readonly userId: string;
  readonly printedName: string;
  readonly meaning: string;
  readonly signedAt: Date;
  /** Empty for none. */
  readonly timeStampServer: string;
  /** The identity provider; null where the review asked for no step-up. */
  readonly issuer: string | null;
  readonly recordSha256: string;
  /** Decisions that it signs; of an acknowledgement, items of the review. */
  readonly certified: number;
  readonly denied: number;
}

/** Lists the signatures of a review as reports have them, behind the one with this id. */
export function listOutlines({ db, tenantId }: Context, reviewId: string, after: string, limit: number): Promise<SignatureOutline[]> {
  return db.rows<SignatureOutline>(
    sql`SELECT s.id, s.kind, s.submission_id AS "submissionId", s.user_id AS "userId", s.printed_name AS "printedName", s.meaning,
        s.signed_at AS "signedAt", s.time_stamp_server AS "timeStampServer", t.provider ->> 'issuer' AS issuer, s.record_sha256 AS "recordSha256",
        s.certified, s.denied
      FROM ${getGivenSql(tenantId, reviewId)} AND s.id > ${after} ORDER BY s.id LIMIT ${limit}`,
  );
}

/** A person who signed, as they were called then. */
export interface Signer {
  readonly id: string;
  /** Commits to person and salt; the records that they signed have it. */
  readonly commitment: string;
  readonly person: JsonObject;
  /** In hex; empty where it was erased. */
  readonly salt: string;
}

/** Lists who signed in a review, once for each way they were called, behind this person and commitment. Reads every record of the review. */
export function listSigners(
  { db, tenantId }: Context,
  reviewId: string,
  [afterId = '', afterCommitment = '']: readonly string[],
  limit: number,
): Promise<Signer[]> {
  return db.rows<Signer>(
    sql`SELECT DISTINCT ON (x.id, x.commitment) x.id, x.commitment, x.person, x.salt FROM (
        SELECT s.user_id AS id, coalesce(s.record::json #>> '{signer,person}', '') COLLATE "C" AS commitment, s.person, s.person_salt AS salt,
          s.id AS signature_id
        FROM signatures s WHERE s.tenant_id = ${tenantId} AND s.review_id = ${reviewId} AND s.state = 'SIGNED') x
      WHERE (x.id, x.commitment) > (${afterId}, ${afterCommitment}) ORDER BY x.id, x.commitment, x.signature_id DESC LIMIT ${limit}`,
  );
}

/** Lists the keys of identity providers that step-ups of a review were checked with, each once, in no order. */
export function listProviderKeys({ db, tenantId }: Context, reviewId: string): Promise<JsonWebKey[]> {
  return db.column<JsonWebKey>(
    sql`SELECT DISTINCT t.provider -> 'key' AS key FROM ${getGivenSql(tenantId, reviewId)} AND t.provider -> 'key' IS NOT NULL`,
  );
}

/** A signature beside a decision under it, as 21 CFR 11.50 asks wherever that is shown. `signedAt` is text, RFC 3339. */
export interface GivenSignature {
  readonly id: string;
  /** Empty where it was erased. */
  readonly printedName: string;
  readonly meaning: string;
  readonly signedAt: string;
}

const givenSql = sql`json_build_object('id', s.id, 'printedName', s.printed_name, 'meaning', s.meaning, 'signedAt', s.signed_at)`;

/** Selects the GivenSignature under a submission, as JSON; null for none. `signatures_by_submission` answers. */
export function getGivenSignatureSql(tenantId: string, submissionId: Sql): Sql {
  return sql`(SELECT ${givenSql} FROM signatures s
    WHERE s.tenant_id = ${tenantId} AND s.submission_id = ${submissionId} AND s.submission_id <> '' AND s.state = 'SIGNED' LIMIT 1)`;
}

/** Returns the signatures under these submissions, by submission. `signatures_by_submission` answers. */
export async function mapSubmissionSignatures(
  { db, tenantId }: Context,
  submissionIds: readonly string[],
): Promise<ReadonlyMap<string, GivenSignature>> {
  const rows = await db.rows<{ given: GivenSignature; submissionId: string }>(
    sql`SELECT s.submission_id AS "submissionId", ${givenSql} AS given FROM signatures s
      WHERE s.tenant_id = ${tenantId} AND s.submission_id = ANY (${submissionIds}) AND s.state = 'SIGNED'`,
  );
  return new Map(rows.map(({ given, submissionId }) => [submissionId, given]));
}

/** Counts the signatures that were given in a review, by the people who gave them. */
export async function countSignatures({ db, tenantId }: Context, reviewId: string): Promise<ReadonlyMap<string, number>> {
  const rows = await db.rows<{ userId: string; count: number }>(
    sql`SELECT s.user_id AS "userId", count(*) AS count FROM signatures s
      WHERE s.tenant_id = ${tenantId} AND s.review_id = ${reviewId} AND s.state = 'SIGNED' GROUP BY 1`,
  );
  return new Map(rows.map(({ userId, count }) => [userId, count]));
}

/**
 * Selects `user_id`, `signature_id` and `task_id` of what is in submissions to a review that wait for a signature, or waited for it when that closed; of
 * one person, or of all.
 */
export function getUnsignedItemsSql({ tenantId, now }: Context, reviewId: string, userId: string | undefined): Sql {
  return sql`SELECT s.user_id, s.id AS signature_id, d.value ->> 'taskId' AS task_id
    FROM signatures s CROSS JOIN LATERAL jsonb_array_elements(s.request -> 'decisions') AS d (value)
    WHERE s.tenant_id = ${tenantId} AND s.review_id = ${reviewId} AND s.kind = 'SUBMISSION'
      AND (s.state = 'PREPARED' AND s.expires_at > ${now} OR s.ended_by = 'CLOSED') ${userId === undefined ? empty : sql`AND s.user_id = ${userId}`}`;
}

/** Submissions to a review that are signed, and that wait for it. */
interface SignatureFigures {
  readonly submissions: number;
  /** Decisions in them, those undone or changed later too. */
  readonly decisions: number;
  readonly signers: number;
  readonly waitingSubmissions: number;
  readonly waitingDecisions: number;
  /** People whose they are. */
  readonly waitingSigners: number;
}

/** Counts the submissions to a review by whether they are signed, in one pass over its signatures. */
export function countBySigned({ db, tenantId, now }: Context, reviewId: string): Promise<SignatureFigures> {
  return db.one<SignatureFigures>(
    sql`SELECT count(*) FILTER (WHERE s.is_signed) AS submissions, coalesce(sum(s.decisions) FILTER (WHERE s.is_signed), 0)::bigint AS decisions,
        count(DISTINCT s.user_id) FILTER (WHERE s.is_signed) AS signers, count(*) FILTER (WHERE NOT s.is_signed) AS "waitingSubmissions",
        coalesce(sum(s.decisions) FILTER (WHERE NOT s.is_signed), 0)::bigint AS "waitingDecisions",
        count(DISTINCT s.user_id) FILTER (WHERE NOT s.is_signed) AS "waitingSigners"
      FROM (SELECT s.user_id, s.certified + s.denied AS decisions, s.state = 'SIGNED' AS is_signed FROM signatures s
        WHERE s.tenant_id = ${tenantId} AND s.review_id = ${reviewId} AND s.kind = 'SUBMISSION'
          AND (s.state = 'SIGNED' OR s.state = 'PREPARED' AND s.expires_at > ${now})) s`,
  );
}
