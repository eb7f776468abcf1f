/** The one place that says whether what became of an item was signed, where its review asks for signatures. Pure. */
import type { GivenSignature } from '../../../foundation/signatures/index.ts';
import type { Task } from './task.ts';

/**
 * State of what became of an item, with the signature where there is one. SIGNED: a person decided it, and signed that. NOT_BY_PERSON: a policy, an
 * earlier review, the close or the loss of the access ended it, so nobody signed. NOT_SIGNED: a person decided it, and no signature of that is there; no way of this service leads to it, so somebody changed the database.
 */
export type ItemSignature = ({ readonly state: 'SIGNED' } & GivenSignature) | { readonly state: 'NOT_BY_PERSON' | 'NOT_SIGNED' };

/**
 * Tells how a closed item of a review that asks for signatures stands; `given` is the signature of the last decision that counts, and null or undefined
 * where that has none. `getSignedStateSql` tells the same.
 */
export function judgeSigned(
  { endReason, decidedById }: Pick<Task, 'endReason' | 'decidedById'>,
  given: GivenSignature | null | undefined,
): ItemSignature {
  if (endReason !== 'DECIDED' || decidedById === null) {
    return { state: 'NOT_BY_PERSON' };
  }
  return given ? { state: 'SIGNED', ...given, signedAt: new Date(given.signedAt).toISOString() } : { state: 'NOT_SIGNED' };
}
