/** SQL that reads signatures whole, to hold all that their rows say to what was signed. */
import type { JsonObject } from '@bufbuild/protobuf';
import type { Context } from '../../context.ts';
import { sql } from '../../lib/sql.ts';
import type { SignatureKind } from './store.ts';
import type { TransactionState, UsedProvider } from './step-up/index.ts';

/** The step-up of a signature, as it is kept. */
export interface KeptStepUp {
  readonly id: string;
  readonly providerId: string;
  readonly userId: string;
  readonly sessionId: string;
  readonly credentialId: string;
  readonly state: TransactionState;
  readonly errorMessage: string;
  readonly signatureId: string;
  readonly taskId: string;
  readonly policyStepId: string;
  readonly nonce: string;
  readonly codeVerifier: string;
  readonly idToken: string;
  readonly idTokenSha256: string;
  readonly claims: JsonObject | null;
  readonly provider: UsedProvider | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly expiresAt: Date;
  readonly usedAt: Date | null;
}

/** A signature that was given, as it is kept. */
export interface KeptSignature {
  readonly id: string;
  readonly eventId: string;
  readonly kind: SignatureKind;
  readonly reviewId: string;
  readonly userId: string;
  readonly credentialId: string;
  readonly submissionId: string;
  readonly record: string;
  readonly recordSha256: string;
  readonly person: JsonObject;
  readonly personSalt: string;
  readonly commentSalts: Readonly<Record<string, string>>;
  readonly request: JsonObject;
  readonly printedName: string;
  readonly meaning: string;
  readonly certified: number;
  readonly denied: number;
  readonly providerId: string;
  readonly tspUrl: string;
  readonly transactionId: string;
  readonly timeStamp: Buffer | null;
  readonly timeStampServer: string;
  readonly credentialKey: string;
  readonly credentialSignature: string;
  readonly preparedAt: Date;
  readonly signedAt: Date;
}

const stepUpColumns = sql`t.id, t.provider_id AS "providerId", t.user_id AS "userId", t.session_id AS "sessionId", t.credential_id AS "credentialId", t.state,
  t.error_message AS "errorMessage", t.signature_id AS "signatureId", t.task_id AS "taskId", t.policy_step_id AS "policyStepId", t.nonce,
  t.code_verifier AS "codeVerifier", t.id_token AS "idToken", coalesce(t.id_token_sha256, '') AS "idTokenSha256", t.claims, t.provider,
  t.created_at AS "createdAt", t.updated_at AS "updatedAt", t.expires_at AS "expiresAt", t.used_at AS "usedAt"`;

/**
 * Returns the signatures that these events recorded, at most `limit`. Each may have a record of 250 KB, so few events are asked about at once.
 * `signatures_by_event` answers.
 */
export function listKept({ db, tenantId }: Context, eventIds: readonly string[], limit: number): Promise<KeptSignature[]> {
  return db.rows(
    sql`SELECT s.id, s.event_id AS "eventId", s.kind, s.review_id AS "reviewId", s.user_id AS "userId", s.credential_id AS "credentialId",
        s.submission_id AS "submissionId", s.record, s.record_sha256 AS "recordSha256", s.person, s.person_salt AS "personSalt",
        s.comment_salts AS "commentSalts", s.request, s.printed_name AS "printedName", s.meaning, s.certified, s.denied,
        s.provider_id AS "providerId", s.tsp_url AS "tspUrl", s.transaction_id AS "transactionId", s.time_stamp AS "timeStamp",
        s.time_stamp_server AS "timeStampServer", s.credential_key AS "credentialKey", s.credential_signature AS "credentialSignature",
        s.prepared_at AS "preparedAt", s.signed_at AS "signedAt"
      FROM signatures s WHERE s.tenant_id = ${tenantId} AND s.event_id = ANY (${eventIds}) AND s.state = 'SIGNED' ORDER BY s.id LIMIT ${limit}`,
  );
}

/** Returns these step-ups. */
export function listStepUps({ db, tenantId }: Context, ids: readonly string[]): Promise<KeptStepUp[]> {
  return db.rows(sql`SELECT ${stepUpColumns} FROM step_up_transactions t WHERE t.tenant_id = ${tenantId} AND t.id = ANY (${ids})`);
}

/** The record of a signature, and what its review asked for. */
export interface SignedRecord {
  readonly id: string;
  readonly eventId: string;
  readonly reviewId: string;
  readonly record: string;
  readonly meaning: string;
  readonly providerId: string;
  readonly tspUrl: string;
}

/** Returns the records of the signatures that these events recorded; `listKept` says how many may be asked about. */
export function listSignedRecords({ db, tenantId }: Context, eventIds: readonly string[], limit: number): Promise<SignedRecord[]> {
  return db.rows(
    sql`SELECT s.id, s.event_id AS "eventId", s.review_id AS "reviewId", s.record, s.meaning, s.provider_id AS "providerId", s.tsp_url AS "tspUrl"
      FROM signatures s WHERE s.tenant_id = ${tenantId} AND s.event_id = ANY (${eventIds}) AND s.state = 'SIGNED'
      ORDER BY s.id LIMIT ${limit}`,
  );
}
