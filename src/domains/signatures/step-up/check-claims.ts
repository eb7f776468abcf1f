/** Rules for the ID token of a step-up: each that it breaks is one sentence. Pure; who signed it is checked elsewhere. */
import type { StepUpSettings } from '../providers/index.ts';

/** Basis of the check. */
export interface Expectation extends Pick<StepUpSettings, 'issuer' | 'clientId' | 'acrValues' | 'claim'> {
  readonly nonce: string;
  /** The time the step-up was begun: whoever proved who they are before has not done so for it. */
  readonly begunAt: Date;
  readonly now: Date;
}

/** Clocks may differ by this much. */
const skewSeconds = 60;

function textsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}

/** Returns the rule that the claims break; undefined where they keep all. */
export function findBrokenRule(claims: Readonly<Record<string, unknown>>, expected: Expectation): string | undefined {
  const { issuer, clientId, acrValues, claim, nonce, begunAt } = expected;
  const now = expected.now.getTime() / 1000;
  const audiences = textsOf(claims.aud);
  const { exp, iat, auth_time: authTime } = claims;
  if (claims.iss !== issuer) {
    return 'The token is of another issuer.';
  }
  if (!audiences.includes(clientId) || (audiences.length > 1 && claims.azp === undefined)) {
    return 'The token is for another client.';
  }
  if (claims.azp !== undefined && claims.azp !== clientId) {
    return 'The token was issued to another client.';
  }
  if (typeof exp !== 'number' || exp + skewSeconds <= now) {
    return 'The token has expired.';
  }
  if (typeof iat !== 'number' || iat - skewSeconds > now) {
    return 'The token is from the future.';
  }
  if (claims.nonce !== nonce) {
    return 'The token is for another signature.';
  }
  if (typeof authTime !== 'number') {
    return 'The provider does not say when you proved who you are.';
  }
  if (authTime + skewSeconds < begunAt.getTime() / 1000 || authTime - skewSeconds > now) {
    return 'The provider did not ask you anew who you are.';
  }
  if (acrValues.length > 0 && !textsOf(claims[claim]).some((value) => typeof value === 'string' && acrValues.includes(value))) {
    return 'The provider did not ask you in the way that is asked for.';
  }
  return typeof claims.sub === 'string' && claims.sub !== '' ? undefined : 'The token names nobody.';
}
