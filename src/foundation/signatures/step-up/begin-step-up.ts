/** Begins a step-up: somebody is sent to a provider to prove anew who they are, once, within 15 minutes. No transaction is open: a provider is asked. */
import { AppError } from '../../../errors.ts';
import { type Context, inTransaction } from '../../../context.ts';
import { sealText } from '../../../lib/log/seal-text.ts';
import { newId } from '../../../wire/ids.ts';
import { isBySession } from '../../authority/index.ts';
import { recordEvent } from '../../audit/index.ts';
import { hashSecret, makeSecret, type Provider, type ProviderClient } from '../../sessions/index.ts';
import { isEnabled, openClientSecret, type StepUpProviderRow, type StepUpSettings, stepUpSettings } from '../providers/index.ts';
import { readTenantSecret } from '../../tenants/index.ts';
import { nonceOf } from './nonce.ts';
import { findBegunAt, insertTransaction } from './store-transactions.ts';

/** A step-up lives so long, from its beginning to the signature. */
const lifeMs = 15 * 60_000;
/** So many may be begun by one person in that time. */
const maxBegun = 60;
/** Purpose of the sealed verifier. */
export const verifierPurpose = 'step-up code verifier';

/** Purpose of a step-up. */
export interface StepUpTarget {
  /** Empty for a test. */
  readonly signatureId: string;
  readonly recordSha256: string;
  /** The task and its step, where it is about one alone. */
  readonly taskId?: string;
  readonly policyStepId?: string;
}

/** A step-up that has begun. */
export interface BegunStepUp {
  readonly transactionId: string;
  readonly redirectUrl: string;
}

/** Address that the provider sends browsers back to; it has to be registered there. */
export function callbackUrl(baseUrl: string): string {
  return `${baseUrl}/auth/step-up/callback`;
}

/** The provider as the client that speaks with it knows it. */
export function openProvider(tenantId: string, tenantSecret: Buffer, row: StepUpProviderRow): Provider {
  const { issuer, clientId } = stepUpSettings(row.document);
  return {
    issuer,
    clientId,
    scope: 'openid email profile',
    exactMatchClaims: {},
    trustsAddresses: false,
    domains: [],
    key: `${tenantId} step-up ${row.id} ${row.updatedAt.getTime()}`,
    clientSecret: openClientSecret(tenantSecret, row),
  };
}

/** Parameters that ask the provider for the way in which people have to prove who they are. */
function acrParameters({ acrValues, claim }: StepUpSettings): Record<string, string> {
  if (acrValues.length === 0) {
    return {};
  }
  const claims = JSON.stringify({ id_token: { [claim]: { essential: true, values: acrValues } } });
  return claim === 'acr' ? { acr_values: acrValues.join(' '), claims } : { claims };
}

/**
 * Begins a step-up of the actor, and returns where they go. FAILED_PRECONDITION for a provider that is disabled, UNAVAILABLE for one that does not
 * answer, RATE_LIMITED for too many.
 */
export async function beginStepUp(
  context: Context,
  client: ProviderClient,
  row: StepUpProviderRow,
  target: StepUpTarget,
  baseUrl: string,
): Promise<BegunStepUp> {
  const { actor, now } = context;
  if (!isEnabled(row.document)) {
    throw new AppError(
      'FAILED_PRECONDITION',
      `The step-up provider ${String(row.document.displayName)} is disabled. Ask an administrator.`,
    );
  }
  const begunAt = await findBegunAt(context, maxBegun);
  const waitMs = begunAt === undefined ? 0 : begunAt.getTime() + lifeMs - now.getTime();
  if (waitMs > 0) {
    const minutes = Math.ceil(waitMs / 60_000);
    const message = `You were sent to the provider too often. Try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`;
    throw new AppError('RATE_LIMITED', message, { retryAfterSeconds: Math.ceil(waitMs / 1000) });
  }
  const transactionId = newId(now);
  const nonce = target.signatureId === '' ? makeSecret() : nonceOf(transactionId, target.recordSha256);
  const expected = { state: makeSecret(), nonce, codeVerifier: makeSecret() };
  const settings = stepUpSettings(row.document);
  const tenantSecret = await readTenantSecret(context);
  const provider = openProvider(context.tenantId, tenantSecret, row);
  const redirectUrl = await client
    .begin(provider, callbackUrl(baseUrl), expected, true, acrParameters(settings))
    .catch((cause: unknown) => {
      context.log.warn({ err: cause, providerId: row.id }, 'a step-up provider could not be reached');
      throw new AppError('UNAVAILABLE', `The provider ${new URL(settings.issuer).host} could not be reached. Try again later.`, { cause });
    });
  const codeVerifier = sealText(tenantSecret, verifierPurpose, nonce, expected.codeVerifier);
  const { signatureId, taskId = '', policyStepId = '' } = target;
  await inTransaction(context, async (inside) => {
    await insertTransaction(inside, {
      id: transactionId,
      providerId: row.id,
      sessionId: isBySession(actor) ? actor.credentialId : '',
      credentialId: isBySession(actor) ? '' : actor.credentialId,
      ...{ signatureId, taskId, policyStepId, nonce, codeVerifier },
      stateHash: hashSecret(expected.state),
      expiresAt: new Date(now.getTime() + lifeMs),
    });
    await recordEvent(inside, { kind: 'step_up.begun', targetId: transactionId, data: { providerId: row.id, signatureId } });
  });
  return { transactionId, redirectUrl };
}
