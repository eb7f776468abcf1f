/**
 * Signatures as their events vouch for them. The lines are written here for the event, and again from the rows when the log is checked, so they
 * never change.
 */
import { lineOf } from '../../lib/log/row-digest.ts';
import type { EvidenceSource } from '../log-proofs/index.ts';
import { listSigned, listSignedEventIds, listStraySigned, type SignatureLine } from './store-evidence.ts';

/** The line of a signature. */
export function lineOfSignature(row: SignatureLine): string {
  return lineOf({
    at: row.signedAt.toISOString(),
    credentialSignature: row.credentialSignature,
    idToken: row.idTokenSha256,
    record: row.recordSha256,
    review: row.reviewId,
    signature: row.id,
    submission: row.submissionId,
    timeStamp: row.timeStampSha256,
    timeStampServer: row.timeStampServer,
    transaction: row.transactionId,
    user: row.userId,
  });
}

/** Evidence of this module. */
export const evidence: readonly EvidenceSource[] = [
  {
    table: 'signatures',
    list: async (context, eventIds) =>
      (await listSigned(context, eventIds)).map((row) => ({ eventId: row.eventId, id: row.id, line: lineOfSignature(row) })),
    listStray: listStraySigned,
    listEventIds: listSignedEventIds,
  },
];
