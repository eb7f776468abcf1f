/** Submits decisions of a review that asks for signatures: the server records what is to be signed, and decides nothing until it is. */
import { call, forget, type ReplyOf } from '~/data/query.ts';
import type { Signature } from '~/data/reviews/signature.ts';
import { openDrafts } from '~/data/session/session.ts';
import { changeKept } from './draft-store.ts';
import { listToSave, toDecision } from './drafts.ts';
import { forgetRecorded, type KeptDrafts, readRecord, writeRecord } from './known.ts';
import { readResults } from './review-drafts.ts';
import { type QueueStore, untilNothingIsSent } from './store.ts';

export type Prepared = ReplyOf<'ReviewSubmissionService.Submit'>;

/** Operations that a signature makes stale. */
export const ofSignatures = [
  'MyReviewService.List',
  'MySubmissionService.List',
  'MyOutcomeService.List',
  'SignatureService.Get',
  'SignatureService.List',
  'ReviewAcknowledgementService.GetAcknowledgement',
  'AccessReviewService.Get',
] as const;

/** Drafts that are signed at once: those that the server keeps, a thousand at most. */
export const draftsToSign = ({ state: { drafts } }: QueueStore) => listToSave(drafts);

/**
 * Prepares a signature over the drafts that count, the first thousand of them where there are more. Drafts that the server would not take say why;
 * all others stay drafts until they are signed.
 */
export async function prepareSignature(store: QueueStore, reviewId: string, key: string): Promise<Prepared> {
  // The page may be left for the provider: what is on this device alone goes to the server first.
  store.dispatch({ kind: 'send' });
  await untilNothingIsSent(store);
  const sent = draftsToSign(store);
  const reply = await call('ReviewSubmissionService.Submit', {
    accessReviewId: reviewId,
    decisions: sent.map(toDecision),
    idempotencyKey: key,
    // What another device changed since is not signed: the list is read anew by itself, and what is asked for then is that.
    pendingVersion: store.state.known.version,
  });
  const refused = readResults(reply).filter(({ decided }) => !decided);
  if (refused.length > 0) {
    store.dispatch({ kind: 'settled', results: refused, sent, version: '', now: Date.now() });
  }
  return reply;
}

/** Signs what was prepared, and with it decides; drafts that were decided are gone from this device, too. */
export async function sign(
  { id = '', accessReviewId = '' }: Pick<Signature, 'id' | 'accessReviewId'>,
  stepUpTransactionId: string,
): Promise<ReplyOf<'SignatureService.Sign'>> {
  try {
    const reply = await call('SignatureService.Sign', { id, stepUpTransactionId });
    const decided = new Set(readResults(reply).flatMap((one) => (one.decided ? [one.taskId] : [])));
    const of = { ...(await openDrafts()), reviewId: accessReviewId };
    await changeKept<KeptDrafts>(of, 'drafts', (held) => forgetDecided(held, decided)).catch(() => undefined);
    return reply;
  } finally {
    await forget(...ofSignatures);
  }
}

function forgetDecided(held: KeptDrafts | undefined, decided: ReadonlySet<string>): KeptDrafts {
  const { drafts, known, latest } = readRecord(held);
  const others = new Map([...drafts].filter(([taskId]) => !decided.has(taskId)));
  return writeRecord({ drafts: others, latest, known: forgetRecorded(known, [...decided], '') });
}
