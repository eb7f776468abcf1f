/** The one place that says whether what became of an item was signed, where its review asks for signatures. Pure. */
import type { Task } from './task.ts';

/**
 * SIGNED: a person decided it, and signed that. NOT_BY_PERSON: a policy, an earlier review, the close or the loss of the access ended it, so nobody
 * signed. NOT_SIGNED: a person decided it, and no signature of that is there; no way of this service leads to it, so somebody changed the database.
 */
type SignedState = 'SIGNED' | 'NOT_BY_PERSON' | 'NOT_SIGNED';

/** Tells how a closed item stands; `signatureId` is that of the last decision that counts, and undefined where that has none. */
export function judgeSigned(
  { endReason, decidedById }: Pick<Task, 'endReason' | 'decidedById'>,
  signatureId: string | undefined,
): SignedState {
  if (endReason !== 'DECIDED' || decidedById === null) {
    return 'NOT_BY_PERSON';
  }
  return signatureId === undefined ? 'NOT_SIGNED' : 'SIGNED';
}
