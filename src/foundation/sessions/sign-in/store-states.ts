/** SQL of sign-ins that are with a provider right now: the table `sign_in_states`. */
import type { Context } from '../../../context.ts';
import { sql } from '../../../lib/sql.ts';

/** A sign-in that has begun. */
export interface SignInState {
  readonly stateHash: Buffer;
  readonly authConfigId: string;
  readonly browserHash: Buffer;
  readonly nonce: string;
  /** Sealed. */
  readonly codeVerifier: string;
  readonly toPath: string;
  readonly expiresAt: Date;
  /** From when on the person has to have proven at the provider who they are; null where that is not asked. */
  readonly freshSince: Date | null;
}

/** Adds one. */
export async function insertState(context: Context, state: SignInState): Promise<void> {
  await context.db.run(
    sql`INSERT INTO sign_in_states (tenant_id, state_hash, auth_config_id, browser_hash, nonce, code_verifier, to_path, expires_at, fresh_since)
      VALUES (${context.tenantId}, ${state.stateHash}, ${state.authConfigId}, ${state.browserHash}, ${state.nonce}, ${state.codeVerifier},
        ${state.toPath}, ${state.expiresAt}, ${state.freshSince})`,
  );
}

/** Takes one out: of two answers to it, one finds it. */
export function removeState(context: Context, stateHash: Buffer): Promise<SignInState | undefined> {
  return context.db.maybe<SignInState>(
    sql`DELETE FROM sign_in_states WHERE tenant_id = ${context.tenantId} AND state_hash = ${stateHash}
      RETURNING state_hash AS "stateHash", auth_config_id AS "authConfigId", browser_hash AS "browserHash", nonce,
        code_verifier AS "codeVerifier", to_path AS "toPath", expires_at AS "expiresAt",
        fresh_since AS "freshSince"`,
  );
}

/** Removes up to so many that nobody answered in time, and says how many. */
export function removeOldStates(context: Context, limit: number): Promise<number> {
  const { db, tenantId, now } = context;
  return db.run(
    sql`DELETE FROM sign_in_states WHERE tenant_id = ${tenantId} AND state_hash IN
      (SELECT s.state_hash FROM sign_in_states s WHERE s.tenant_id = ${tenantId} AND s.expires_at <= ${now} LIMIT ${limit})`,
  );
}
