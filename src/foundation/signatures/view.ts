/** Shows a signature as the contract has it. */
import type { Signature } from '../../gen/countersign/v1/review_pb.js';
import type { Row } from '../../wire/row.ts';
import type { ListedSignature, SignatureRow } from './store.ts';

/** The row of the reply, with the record where that was read; `redirectUrl` is where the signer goes, where a step-up has just begun. */
export function viewSignature(row: ListedSignature & Partial<SignatureRow>, now: Date, redirectUrl = ''): Row<Signature> {
  const { state, endedBy, reviewId, reviewName, ...shown } = row;
  const isLate = state === 'PREPARED' && now >= row.expiresAt;
  return {
    ...shown,
    record: row.record,
    accessReviewId: reviewId,
    accessReviewDisplayName: reviewName,
    state: isLate ? 'ENDED' : state,
    endedBy: isLate ? 'EXPIRED' : endedBy,
    redirectUrl,
    stepUpTransactionId: row.transactionId,
    stepUpProviderId: row.providerId,
    stepUpProviderDisplayName: row.providerName,
    byCredential: row.credentialSignature !== '',
  };
}
