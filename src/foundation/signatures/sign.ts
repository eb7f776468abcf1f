/**
 * Signing: what has to be there before anything is decided, checked and asked for with no transaction open; and keeping it in the transaction that
 * decides.
 */
import { verify } from 'node:crypto';
import { AppError, invalidField } from '../../errors.ts';
import type { Context } from '../../context.ts';
import { isSignedBy, parseIdToken } from '../../lib/id-token.ts';
import { canonicalJson } from '../../lib/log/canonical-json.ts';
import type { OutgoingRules } from '../../lib/outgoing.ts';
import { askForTimeStamp, TimeStampUnavailable, TimeStampWrong } from '../../lib/time-stamps/ask.ts';
import { readTrust } from '../../lib/time-stamps/verify.ts';
import { recordOccurrence } from '../audit/index.ts';
import { isBySession } from '../authority/index.ts';
import { findCaller, findCredential, importPublicKey } from '../credentials/index.ts';
import { findUser } from '../directory/index.ts';
import type { ProviderClient } from '../sessions/index.ts';

import { findEnabledProvider, stepUpSettings } from './providers/index.ts';
import { describeStepUp, findOutdated, findTransaction, nonceOf, type TransactionRow, updateUsed } from './step-up/index.ts';
import { lineOfSignature } from './evidence.ts';
import { requireSigner } from './prepare.ts';
import { sha256Of } from './record.ts';
import { lockSignature, type SignatureRow, updateSigned } from './store.ts';

/** Things that signing needs of the process. */
export interface Signing {
  readonly client: ProviderClient;
  readonly outgoing: OutgoingRules;
  readonly clock: () => Date;
}

/** Components of a signature, as the signer sends them. */
export interface Components {
  readonly stepUpTransactionId: string;
  /** In base64url; empty for none. */
  readonly credentialSignature: string;
  /** True where the operation has no room for a credential's signature: the provider's token signs the record by itself. */
  readonly isByTokenAlone?: boolean;
}

/** Everything that makes a signature, checked. */
export interface Signed extends Components {
  readonly signature: SignatureRow;
  /** Undefined where the review asks for none. */
  readonly stepUp: TransactionRow | undefined;
  readonly credentialKey: string;
  readonly timeStamp: Buffer | null;
  readonly timeStampServer: string;
  readonly signedAt: Date;
}

/** FAILED_PRECONDITION or CONFLICT unless the signature waits to be given. */
export function requirePrepared({ state, endedBy, expiresAt }: SignatureRow, now: Date): void {
  if (state === 'SIGNED') {
    throw new AppError('CONFLICT', 'This is signed already.');
  }
  if (endedBy === 'CHANGED') {
    throw new AppError(
      'CONFLICT',
      'This can no longer be signed: some of its items are no longer as they were. Nothing was decided by it: look at them, submit and sign anew.',
    );
  }
  if (state === 'ENDED' || now >= expiresAt) {
    throw new AppError('CONFLICT', 'This can no longer be signed. Submit your decisions anew.');
  }
}

/** The step-up of a signature; FAILED_PRECONDITION where it does not prove who signs. */
async function requireStepUp(context: Context, signature: SignatureRow, id: string): Promise<TransactionRow | undefined> {
  if (signature.providerId === '') {
    if (id !== '') {
      throw invalidField('stepUpTransactionId', 'this review asks for no step-up');
    }
    return undefined;
  }
  const transaction = id === '' ? undefined : await findTransaction(context, id);
  if (transaction === undefined || transaction.userId !== context.actor.userId || transaction.signatureId !== signature.id) {
    const violations = [{ field: 'stepUpTransactionId', description: 'must name the step-up of this signature' }];
    throw new AppError('FAILED_PRECONDITION', 'This signature needs a step-up of its own: prove who you are, then sign.', { violations });
  }
  const why = await findWhyUnproven(context, signature, transaction);
  if (why === undefined) {
    return transaction;
  }
  throw new AppError('FAILED_PRECONDITION', `The step-up does not prove who you are. ${why} Prove it anew, then sign.`);
}

/** Returns the sentence on why a step-up of the actor for this signature does not count now; undefined where it does. */
async function findWhyUnproven(context: Context, signature: SignatureRow, transaction: TransactionRow): Promise<string | undefined> {
  const { actor, now } = context;
  const { id, state, usedAt, expiresAt, errorMessage, nonce } = transaction;
  if ((isBySession(actor) ? transaction.sessionId : transaction.credentialId) !== actor.credentialId) {
    return 'It was begun in another session or through another credential.';
  }
  if (state === 'ERROR') {
    return errorMessage;
  }
  if (now >= expiresAt) {
    return 'It is older than 15 minutes.';
  }
  if (state === 'PENDING') {
    return 'You have not come back from the provider yet.';
  }
  if (usedAt !== null) {
    return 'It was used already.';
  }
  if (nonce !== nonceOf(id, sha256Of(signature.record))) {
    return 'It is about another record.';
  }
  // Whoever can write to the database cannot say for the provider that somebody proved who they are.
  const token = parseIdToken(transaction.idToken);
  const key = transaction.provider?.key;
  if (token === undefined || key === undefined || token.claims['nonce'] !== nonce || !isSignedBy(token, key)) {
    return 'What is kept of it is not what the provider said.';
  }
  const provider = await findEnabledProvider(context, signature.providerId);
  return findOutdated(transaction, provider && stepUpSettings(provider.document));
}

/** The key of the credential that the request came with, once it signed the record; empty for a session. */
async function requireCredentialSignature(context: Context, { record }: SignatureRow, sent: string): Promise<string> {
  if (isBySession(context.actor)) {
    if (sent !== '') {
      throw invalidField('credentialSignature', 'belongs to API credentials: you act in a session');
    }
    return '';
  }
  const key = (await findCredential(context, 'PERSONAL', context.actor.credentialId))?.publicKey;
  const signature = Buffer.from(sent, 'base64url');
  const isSpelled = signature.toString('base64url') === sent && signature.length === 64;
  if (key === undefined || !isSpelled || !verify(null, Buffer.from(record), importPublicKey(key).key, signature)) {
    throw invalidField(
      'credentialSignature',
      'must be the Ed25519 signature of the record by the key of your API credential, in base64url',
    );
  }
  return key;
}

/** Asks for the time stamp; UNAVAILABLE with a sentence where the server is slow, down or lying, and an event of it. */
async function stampRecord(context: Context, signature: SignatureRow, { outgoing, clock }: Signing) {
  const { id, reviewId, tspUrl, record, expiresAt } = signature;
  if (tspUrl === '') {
    return { timeStamp: null, timeStampServer: '', signedAt: context.now };
  }
  const server = { url: tspUrl, ...(await readTrust(context.db.vault.timeStamps)) };
  const { host } = new URL(tspUrl);
  try {
    const { reply, at } = await askForTimeStamp(server, Buffer.from(record), { outgoing, now: clock });
    return { timeStamp: reply, timeStampServer: host, signedAt: at };
  } catch (error) {
    if (!(error instanceof TimeStampUnavailable || error instanceof TimeStampWrong)) {
      throw error;
    }
    const data = { reviewId, server: host, reason: error.message };
    await (error instanceof TimeStampWrong
      ? recordOccurrence(context, {
          kind: 'signature.timestamp_refused',
          targetId: id,
          reviewId,
          data: { ...data, reply: error.reply.toString('base64') },
        })
      : recordOccurrence(context, { kind: 'signature.timestamp_unavailable', targetId: id, reviewId, data }));
    const kept = `Nothing was submitted; your decisions are kept until ${expiresAt.toISOString().slice(0, 10)}.`;
    throw new AppError('UNAVAILABLE', `${error.message} ${kept}`, { cause: error });
  }
}

/**
 * Checks all components of a signature, and has the record stamped. Takes 10 s at most, so no transaction may be open. PERMISSION_DENIED for whoever
 * never signs, INVALID_ARGUMENT and FAILED_PRECONDITION for a component that is missing or does not hold, UNAVAILABLE without a time stamp.
 */
export async function collectComponents(context: Context, signature: SignatureRow, sent: Components, signing: Signing): Promise<Signed> {
  requireSigner(context.actor);
  requirePrepared(signature, context.now);
  const transaction = await requireStepUp(context, signature, sent.stepUpTransactionId);
  const isByTokenAlone = sent.isByTokenAlone === true && transaction !== undefined;
  const credentialKey = isByTokenAlone ? '' : await requireCredentialSignature(context, signature, sent.credentialSignature);
  const stamped = await stampRecord(context, signature, signing);
  return { ...sent, ...stamped, signature, credentialKey, stepUp: transaction };
}

/** SHA-256 of each component that is there, as the event of a signed submission has them. */
export function hashComponents({ signature, stepUp, timeStamp, credentialSignature }: Signed) {
  return {
    signatureId: signature.id,
    record: sha256Of(signature.record),
    ...(stepUp === undefined ? {} : { idToken: sha256Of(stepUp.idToken), stepUp: sha256Of(canonicalJson(describeStepUp(stepUp))) }),
    ...(timeStamp === null ? {} : { timestamp: sha256Of(timeStamp) }),
    ...(credentialSignature === '' ? {} : { credentialSignature: sha256Of(credentialSignature) }),
  };
}

/** The line of a signature that is being given. */
export function lineOfSigned(signed: Signed): string {
  const { signature, signedAt, stepUpTransactionId: transactionId, timeStampServer, credentialSignature } = signed;
  const { record: recordSha256, idToken: idTokenSha256 = '', timestamp: timeStampSha256 = '' } = hashComponents(signed);
  const hashes = { recordSha256, idTokenSha256, timeStampSha256 };
  return lineOfSignature({ ...signature, ...hashes, signedAt, transactionId, timeStampServer, credentialSignature });
}

/**
 * Locks a signature that waits to be given, and uses up its step-up. CONFLICT where somebody was faster, UNAUTHENTICATED for whoever signed out or was
 * disabled while the time stamp was fetched. In the transaction that decides.
 */
export async function lockPrepared(context: Context, { signature, stepUpTransactionId }: Signed): Promise<void> {
  await findCaller(context);
  if ((await findUser(context, context.actor.userId))?.status !== 'ENABLED') {
    throw new AppError('UNAUTHENTICATED', 'Your account was disabled. Ask an administrator.');
  }
  if ((await lockSignature(context, signature.id)) !== 'PREPARED') {
    throw new AppError('CONFLICT', 'This was signed or ended a moment ago. Look at it again.');
  }
  if (stepUpTransactionId !== '' && !(await updateUsed(context, stepUpTransactionId))) {
    throw new AppError('CONFLICT', 'This step-up was used a moment ago.');
  }
}

/** Keeps a signature, in the transaction that decides. */
export async function keepSignature(context: Context, signed: Signed, eventId: string): Promise<void> {
  const { signature, stepUpTransactionId: transactionId } = signed;
  await updateSigned(context, signature.id, { ...signed, transactionId, eventId });
}
