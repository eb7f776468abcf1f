/** Signing the acknowledgement of a review, and with it acknowledging: only while every decision stands as it did when it was prepared. */
import type { Context } from '../../../context.ts';
import {
  ChangedError,
  type Components,
  lockPrepared,
  readAgain,
  signAndAct,
  type Signed,
  type SignatureRow,
  type Signing,
} from '../../../foundation/signatures/index.ts';
import { lockToAcknowledge } from './acknowledge.ts';
import { readStand, writeAcknowledgement } from './write-acknowledgement.ts';

async function acknowledgeSigned(context: Context, signed: Signed): Promise<SignatureRow> {
  const { signature } = signed;
  const { review, current } = await lockToAcknowledge(context, signature.reviewId);
  const stand = await readStand(context, review.id);
  if (current !== undefined || stand.digest !== signature.request['digest']) {
    throw new ChangedError();
  }
  await lockPrepared(context, signed);
  await writeAcknowledgement(context, review, { ...stand, comment: String(signature.request['comment'] ?? '') }, signed);
  return readAgain(context, signature);
}

/**
 * Signs the acknowledgement that waits for the actor's signature. As `signAndAct` and `acknowledgeReview` throw; CONFLICT where a decision
 * came since it was prepared: nothing is acknowledged, and the signature cannot be given any more.
 */
export function signAcknowledgement(context: Context, signature: SignatureRow, sent: Components, signing: Signing): Promise<SignatureRow> {
  return signAndAct(context, signature, sent, signing, {
    act: acknowledgeSigned,
    changed: 'Decisions changed since you asked to acknowledge them. Nothing was acknowledged: look at them, and acknowledge anew.',
  });
}
