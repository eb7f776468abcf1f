/** SQL of step-ups: the table `step_up_transactions`. */
import type { JsonWebKey } from 'node:crypto';
import type { Context } from '../../../context.ts';
import { empty, type Sql, sql } from '../../../lib/sql.ts';

/** State of a step-up (`step_up_transactions.state`). */
export type TransactionState = 'PENDING' | 'VERIFIED' | 'ERROR';

/** Provider as it was when somebody came back from it. */
export interface UsedProvider {
  readonly issuer: string;
  readonly audience: string;
  readonly acrValues: readonly string[];
  readonly key: JsonWebKey;
}

/** A step-up as it is kept. */
export interface TransactionRow {
  readonly id: string;
  readonly providerId: string;
  readonly userId: string;
  /** The session it was begun in; empty where it was begun through a credential. */
  readonly sessionId: string;
  /** The credential it was begun through; empty for a session. */
  readonly credentialId: string;
  readonly state: TransactionState;
  readonly errorMessage: string;
  /** Empty for a test. */
  readonly signatureId: string;
  readonly taskId: string;
  readonly policyStepId: string;
  readonly nonce: string;
  readonly idToken: string;
  readonly claims: object | null;
  readonly provider: UsedProvider | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly expiresAt: Date;
  readonly usedAt: Date | null;
}

const columns = sql`t.id, t.provider_id AS "providerId", t.user_id AS "userId", t.session_id AS "sessionId", t.credential_id AS "credentialId",
  t.state, t.error_message AS "errorMessage", t.signature_id AS "signatureId", t.task_id AS "taskId", t.policy_step_id AS "policyStepId", t.nonce, t.id_token AS "idToken", t.claims, t.provider,
  t.created_at AS "createdAt", t.updated_at AS "updatedAt", t.expires_at AS "expiresAt", t.used_at AS "usedAt"`;

/** A new step-up. */
export interface NewTransaction
  extends Pick<
    TransactionRow,
    'id' | 'providerId' | 'sessionId' | 'credentialId' | 'signatureId' | 'taskId' | 'policyStepId' | 'nonce' | 'expiresAt'
  > {
  readonly stateHash: Buffer;
  /** Sealed. */
  readonly codeVerifier: string;
}

/** Adds a step-up of the actor. */
export async function insertTransaction({ db, tenantId, actor, now }: Context, row: NewTransaction): Promise<void> {
  await db.run(
    sql`INSERT INTO step_up_transactions (tenant_id, id, provider_id, user_id, session_id, credential_id, state, signature_id, task_id, policy_step_id, state_hash,
        nonce, code_verifier, created_at, updated_at, expires_at)
      VALUES (${tenantId}, ${row.id}, ${row.providerId}, ${actor.userId}, ${row.sessionId}, ${row.credentialId}, 'PENDING', ${row.signatureId}, ${row.taskId},
        ${row.policyStepId}, ${row.stateHash}, ${row.nonce}, ${row.codeVerifier}, ${now}, ${now}, ${row.expiresAt})`,
  );
}

/** Returns when the actor began the step-up that is so many before the next one; undefined where there are fewer. */
export function findBegunAt({ db, tenantId, actor }: Context, before: number): Promise<Date | undefined> {
  return db.maybeValue<Date>(
    sql`SELECT t.created_at AS "createdAt" FROM step_up_transactions t WHERE t.tenant_id = ${tenantId} AND t.user_id = ${actor.userId}
      ORDER BY t.id DESC OFFSET ${before - 1} LIMIT 1`,
  );
}

/** Takes the verifier of the step-up with this state out: of two answers to it, one finds it. */
export function takeTransaction(
  { db, tenantId, now }: Context,
  stateHash: Buffer,
): Promise<(TransactionRow & { readonly codeVerifier: string }) | undefined> {
  return db.maybe(
    sql`WITH found AS (
        SELECT x.id, x.code_verifier FROM step_up_transactions x
        WHERE x.tenant_id = ${tenantId} AND x.state_hash = ${stateHash} AND x.state = 'PENDING' AND x.code_verifier <> '' FOR UPDATE)
      UPDATE step_up_transactions t SET code_verifier = '', updated_at = ${now} FROM found f
      WHERE t.tenant_id = ${tenantId} AND t.id = f.id RETURNING ${columns}, f.code_verifier AS "codeVerifier"`,
  );
}

/** Writes what came of a step-up. */
export async function updateTransaction(
  { db, tenantId, now }: Context,
  id: string,
  found: Pick<TransactionRow, 'state' | 'errorMessage' | 'idToken' | 'claims' | 'provider'>,
): Promise<void> {
  await db.run(
    sql`UPDATE step_up_transactions SET state = ${found.state}, error_message = ${found.errorMessage}, id_token = ${found.idToken},
        claims = ${found.claims === null ? null : JSON.stringify(found.claims)}::jsonb,
        provider = ${found.provider === null ? null : JSON.stringify(found.provider)}::jsonb, updated_at = ${now}
      WHERE tenant_id = ${tenantId} AND id = ${id}`,
  );
}

/** Marks a step-up as used; false where it was used before. */
export async function updateUsed({ db, tenantId, now }: Context, id: string): Promise<boolean> {
  const changed = await db.run(
    sql`UPDATE step_up_transactions SET used_at = ${now}, updated_at = ${now}
      WHERE tenant_id = ${tenantId} AND id = ${id} AND state = 'VERIFIED' AND used_at IS NULL`,
  );
  return changed === 1;
}

/** Returns the step-up with this id. */
export function findTransaction({ db, tenantId }: Context, id: string): Promise<TransactionRow | undefined> {
  return db.maybe(sql`SELECT ${columns} FROM step_up_transactions t WHERE t.tenant_id = ${tenantId} AND t.id = ${id}`);
}

/** Step-ups to look for; members that are empty or undefined filter nothing. */
export interface TransactionFilter {
  readonly userId: string;
  readonly providerId: string;
  readonly taskId: string;
  readonly state: TransactionState | undefined;
  readonly isTest: boolean | undefined;
  readonly after: Date | undefined;
  readonly before: Date | undefined;
}

/** Lists step-ups, the newest first, behind the one with this id. One that nobody came back from in time is an error. */
export function listTransactions(
  { db, tenantId, now }: Context,
  filter: TransactionFilter,
  before: string,
  limit: number,
): Promise<TransactionRow[]> {
  const { userId, providerId, taskId, state, isTest } = filter;
  const where = (isSet: boolean, condition: Sql): Sql => (isSet ? sql`AND ${condition}` : empty);
  return db.rows(
    sql`SELECT ${columns} FROM step_up_transactions t WHERE t.tenant_id = ${tenantId}
      ${where(before !== '', sql`t.id < ${before}`)}
      ${where(userId !== '', sql`t.user_id = ${userId}`)}
      ${where(providerId !== '', sql`t.provider_id = ${providerId}`)}
      ${where(taskId !== '', sql`t.task_id = ${taskId}`)}
      ${where(state !== undefined, sql`CASE WHEN t.state = 'PENDING' AND t.expires_at <= ${now} THEN 'ERROR' ELSE t.state END = ${state ?? ''}`)}
      ${where(isTest !== undefined, sql`(t.signature_id = '') = ${isTest ?? false}`)}
      ${where(filter.after !== undefined, sql`t.created_at >= ${filter.after ?? null}`)}
      ${where(filter.before !== undefined, sql`t.created_at < ${filter.before ?? null}`)}
      ORDER BY t.id DESC LIMIT ${limit}`,
  );
}
