/** Reasons for which a review that asks for signatures cannot start, and ending what nobody signed when it closes. */
import type { Context } from '../../context.ts';
import { hasNothingToSee } from '../../lib/names/visible-text.ts';
import { recordEvent } from '../audit/index.ts';
import { findProvider, isEnabled } from './providers/index.ts';
import type { SignatureTerms } from './prepare.ts';
import { nothingBelieved } from './try-time-stamp.ts';
import { updateAllEnded } from './store.ts';

const maxNamed = 100;

/** A member of the review's signatureConfig, and what is wrong with it. */
export interface TermsProblem {
  readonly field: 'meaningOfSignature' | 'stepUpProviderId' | 'tspUrl';
  /** As the contract names it. */
  readonly code: 'MEANING_MISSING' | 'PROVIDER_UNKNOWN' | 'PROVIDER_DISABLED' | 'ROOTS_MISSING';
  readonly description: string;
}

/** Lists what keeps signatures of these terms from being given. */
export async function findTermsProblems(context: Context, { meaning, providerId, tspUrl }: SignatureTerms): Promise<TermsProblem[]> {
  const problems: TermsProblem[] = [];
  if (meaning.trim() === '' || hasNothingToSee(meaning)) {
    const description = 'is empty, and signatures are required: say what a signature means';
    problems.push({ field: 'meaningOfSignature', code: 'MEANING_MISSING', description });
  }
  const provider = providerId === '' ? undefined : await findProvider(context, providerId);
  if (providerId !== '' && provider === undefined) {
    const description = 'there is no step-up provider with this id; take it away';
    problems.push({ field: 'stepUpProviderId', code: 'PROVIDER_UNKNOWN', description });
  }
  if (provider !== undefined && !isEnabled(provider.document)) {
    problems.push({ field: 'stepUpProviderId', code: 'PROVIDER_DISABLED', description: 'names a step-up provider that is disabled' });
  }
  if (tspUrl !== '' && context.db.vault.timeStamps.pem === '') {
    problems.push({ field: 'tspUrl', code: 'ROOTS_MISSING', description: nothingBelieved });
  }
  return problems;
}

/** Ends what waits for signatures in a review that is being closed, with one event; says how much. */
export async function endUnsigned(context: Context, reviewId: string): Promise<number> {
  const ids = await updateAllEnded(context, reviewId);
  if (ids.length > 0) {
    const data = { count: ids.length, signatureIds: ids.slice(0, maxNamed) };
    await recordEvent(context, { kind: 'review.signatures_ended', targetId: reviewId, data });
  }
  return ids.length;
}
