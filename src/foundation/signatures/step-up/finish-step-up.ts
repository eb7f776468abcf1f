/** Ends a step-up: somebody came back from the provider, and what it says of them is held to every rule. */
import type { JsonWebKey } from 'node:crypto';
import { type Context, inTransaction } from '../../../context.ts';
import { isSignedBy, parseIdToken, publicMembers } from '../../../lib/id-token.ts';
import { openText } from '../../../lib/log/seal-text.ts';
import { recordEvent } from '../../audit/index.ts';
import {
  hashSecret,
  isProgramSession,
  isProviderAbsent,
  isSecret,
  linkIdentity,
  type ProviderClient,
  recognize,
  type Recognized,
  type Unrecognized,
} from '../../sessions/index.ts';
import { findEnabledProvider, stepUpSettings, updateLastTested } from '../providers/index.ts';
import { readTenantSecret } from '../../tenants/index.ts';
import { openProvider, verifierPurpose } from './begin-step-up.ts';
import { findBrokenRule } from './check-claims.ts';
import { takeTransaction, type TransactionRow, type UsedProvider, updateTransaction } from './store-transactions.ts';

/** Way a browser came back. */
export interface Returning {
  readonly returnedTo: URL;
  /** The person signed in in that browser, and the session; empty for nobody. */
  readonly userId: string;
  readonly sessionId: string;
}

const unrecognized: Readonly<Record<Unrecognized, string>> = {
  claims: 'The provider does not say of you what is asked for.',
  unverified: 'The provider has not verified your mail address.',
  unknown: 'The provider names somebody who is not known here.',
  address_changed: 'Your mail address was changed a short while ago. Try again later, or ask an administrator.',
};

/** Reason a step-up does not count: a sentence for whoever came back. */
class Refused extends Error {}

/** The answer of a provider, once it kept every rule. */
interface Proof {
  readonly idToken: string;
  readonly claims: object;
  readonly provider: UsedProvider;
  /** The subject and the person, where it is not linked to them yet. */
  readonly link?: { readonly subject: string; readonly found: Recognized };
}

/**
 * True in the session that began the step-up. A program that signed in from a terminal has no browser: it is the person's, wherever they are signed
 * in. What a credential began may come back anywhere.
 */
async function isWhereItBegan(
  context: Context,
  { sessionId, userId }: TransactionRow,
  returning: Pick<Returning, 'userId' | 'sessionId'>,
): Promise<boolean> {
  return (
    sessionId === '' || sessionId === returning.sessionId || (userId === returning.userId && (await isProgramSession(context, sessionId)))
  );
}

/** True for the key that a token names; it need not name one. */
const isNamed = (key: JsonWebKey, kid: unknown): boolean => kid === undefined || key.kid === kid;

/** Returns what the provider says of whoever came back; throws Refused where that is not the person, or not what is asked for. */
async function readProof(
  context: Context,
  client: ProviderClient,
  transaction: TransactionRow & { readonly codeVerifier: string },
  returning: Returning,
): Promise<Proof> {
  if (context.now >= transaction.expiresAt) {
    throw new Refused('You came back after more than 15 minutes.');
  }
  const { returnedTo } = returning;
  if (!(await isWhereItBegan(context, transaction, returning))) {
    throw new Refused('You came back in another browser, or signed out meanwhile.');
  }
  if (returnedTo.searchParams.get('error') !== null) {
    throw new Refused(
      returnedTo.searchParams.get('error') === 'access_denied'
        ? 'You did not prove who you are.'
        : 'The provider could not prove who you are in the way that is asked for.',
    );
  }
  const row = await findEnabledProvider(context, transaction.providerId);
  const tenantSecret = await readTenantSecret(context);
  const codeVerifier = openText(tenantSecret, verifierPurpose, transaction.nonce, transaction.codeVerifier);
  if (row === undefined || codeVerifier === undefined) {
    throw new Refused('The provider was removed or disabled meanwhile.');
  }
  const settings = stepUpSettings(row.document);
  const provider = openProvider(context.tenantId, tenantSecret, row);
  const expected = { state: returnedTo.searchParams.get('state') ?? '', nonce: transaction.nonce, codeVerifier };
  const [claims, keys] = await Promise.all([client.finish(provider, returnedTo, expected), client.listKeys(provider)]).catch(
    (cause: unknown) => {
      context.log.warn({ err: cause, providerId: row.id }, 'a step-up provider gave an answer that does not count');
      throw new Refused(
        isProviderAbsent(cause)
          ? `The provider ${new URL(settings.issuer).host} did not answer.`
          : 'The answer of the provider does not count.',
      );
    },
  );
  const token = parseIdToken(claims.idToken);
  const key = token && keys.find((one) => isNamed(one, token.header.kid) && isSignedBy(token, one));
  if (token === undefined || key === undefined) {
    throw new Refused('The token is not signed by a key of the provider.');
  }
  const broken = findBrokenRule(token.claims, { ...settings, nonce: transaction.nonce, begunAt: transaction.createdAt, now: context.now });
  if (broken !== undefined) {
    throw new Refused(broken);
  }
  const found = await recognize(context, claims, provider);
  if (typeof found === 'string') {
    throw new Refused(unrecognized[found]);
  }
  if (found.user.id !== transaction.userId || found.user.status !== 'ENABLED') {
    throw new Refused('The provider says that you are somebody else.');
  }
  const { issuer, clientId: audience, acrValues } = settings;
  return {
    idToken: claims.idToken,
    claims: token.claims,
    provider: { issuer, audience, acrValues, key: publicMembers(key) },
    ...(found.isNew ? { link: { subject: claims.subject, found } } : {}),
  };
}

/** Writes what came of it, with its event; a new subject is linked to the person. */
async function keepProof(context: Context, { id, userId, providerId, signatureId }: TransactionRow, proof: Proof): Promise<void> {
  const { link, ...kept } = proof;
  await inTransaction(context, async (inside) => {
    await updateTransaction(inside, id, { state: 'VERIFIED', errorMessage: '', ...kept });
    const { issuer } = proof.provider;
    if (link !== undefined) {
      await linkIdentity(inside, { issuer, subject: link.subject, provider: issuer }, link.found);
    }
    if (signatureId === '') {
      await updateLastTested(inside, providerId);
    }
    await recordEvent(inside, { kind: 'step_up.verified', targetId: id, data: { providerId, signatureId, userId, issuer } });
  });
}

/** Takes the step-up that a browser came back from, and says what came of it; undefined where its state is not known, or was answered before. */
export async function finishStepUp(context: Context, client: ProviderClient, returning: Returning): Promise<TransactionRow | undefined> {
  const state = returning.returnedTo.searchParams.get('state') ?? '';
  const transaction = isSecret(state) ? await takeTransaction(context, hashSecret(state)) : undefined;
  if (transaction === undefined) {
    return undefined;
  }
  try {
    await keepProof(context, transaction, await readProof(context, client, transaction, returning));
    return { ...transaction, state: 'VERIFIED' };
  } catch (error) {
    if (!(error instanceof Refused)) {
      throw error;
    }
    const { id, providerId, signatureId, userId } = transaction;
    await inTransaction(context, async (inside) => {
      await updateTransaction(inside, id, { state: 'ERROR', errorMessage: error.message, idToken: '', claims: null, provider: null });
      await recordEvent(inside, { kind: 'step_up.failed', targetId: id, data: { providerId, signatureId, userId, reason: error.message } });
    });
    return { ...transaction, state: 'ERROR', errorMessage: error.message };
  }
}
