/** Rules for the ID token of a step-up: each that it breaks is one sentence. Pure; who signed it is checked elsewhere. */
import { parseIdToken } from '../../../lib/id-token.ts';
import type { StepUpSettings } from '../providers/index.ts';
import type { TransactionRow } from './store-transactions.ts';

/** Basis of the check. */
export interface Expectation extends Omit<StepUpSettings, 'kind'> {
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

/** True if the claims name one of the ways that are asked for, where any is. */
function isProvenAsAsked(
  claims: Readonly<Record<string, unknown>>,
  { acrValues, claim }: Pick<StepUpSettings, 'acrValues' | 'claim'>,
): boolean {
  return acrValues.length === 0 || textsOf(claims[claim]).some((value) => typeof value === 'string' && acrValues.includes(value));
}

/** True if the token is of this directory of Microsoft Entra; empty: of any. */
function isOfDirectory({ tid }: Readonly<Record<string, unknown>>, directory: string): boolean {
  return directory === '' || (typeof tid === 'string' && tid.toLowerCase() === directory);
}

/** Returns why a token that kept the rules of a provider when somebody came back does not count by its settings of now; undefined where it does. */
export function findOutdated(
  { idToken, provider: used }: Pick<TransactionRow, 'idToken' | 'provider'>,
  settings: StepUpSettings | undefined,
): string | undefined {
  if (settings === undefined) {
    return 'The provider was removed or disabled meanwhile.';
  }
  const isSame = used?.issuer === settings.issuer && used.audience === settings.clientId;
  const claims = parseIdToken(idToken)?.claims ?? {};
  return isSame && isOfDirectory(claims, settings.directory) && isProvenAsAsked(claims, settings)
    ? undefined
    : 'The settings of the provider were changed since you proved it.';
}

/** Returns the rule that the claims break; undefined where they keep all. */
export function findBrokenRule(claims: Readonly<Record<string, unknown>>, expected: Expectation): string | undefined {
  const { issuer, clientId, directory, nonce, begunAt } = expected;
  const now = expected.now.getTime() / 1000;
  const audiences = textsOf(claims.aud);
  const { exp, iat, auth_time: authTime } = claims;
  if (claims.iss !== issuer) {
    return 'The token is of another issuer.';
  }
  if (!audiences.includes(clientId) || (audiences.length > 1 && claims.azp === undefined)) {
    return 'The token is for another client.';
  }
  if (!isOfDirectory(claims, directory)) {
    return 'The token is of another directory.';
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
  if (!isProvenAsAsked(claims, expected)) {
    return 'The provider did not ask you in the way that is asked for.';
  }
  return typeof claims.sub === 'string' && claims.sub !== '' ? undefined : 'The token names nobody.';
}
