/** Submissions of a review that wait for a signature. */
import { isAcknowledgement, type Signature } from '~/data/reviews/signature.ts';

/** What waits in a review, by person: what was submitted last. What somebody left before they signed something later is not meant any more. */
export function listLastWaiting(waiting: readonly Signature[], signed: readonly Signature[]): readonly Signature[] {
  const lastOf = new Map<string | undefined, Signature>();
  for (const one of [...signed, ...waiting].filter((each) => !isAcknowledgement(each))) {
    const before = lastOf.get(one.userId);
    if (before === undefined || (before.id ?? '') < (one.id ?? '')) {
      lastOf.set(one.userId, one);
    }
  }
  return [...lastOf.values()].filter(({ state }) => state === 'SIGNATURE_STATE_PREPARED');
}
