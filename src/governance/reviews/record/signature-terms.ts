/** Terms of a review for its signatures, of decisions and of its acknowledgement. */
import type { SignatureTerms } from '../../../foundation/signatures/index.ts';
import type { ReviewSettings } from './members.ts';

/** Returns what a review asks of who decides in it or acknowledges it; undefined where it asks for no signatures. */
export function findSignatureTerms({ signatureConfig }: ReviewSettings): SignatureTerms | undefined {
  const {
    requireSignature = false,
    meaningOfSignature: meaning = '',
    stepUpProviderId: providerId = '',
    tspUrl = '',
    ...others
  } = signatureConfig ?? {};
  // A member that is not read does not compile.
  others satisfies Readonly<Record<string, never>>;
  return requireSignature ? { meaning, providerId, tspUrl } : undefined;
}
