/** The sheet of signatures: which submissions and acknowledgements were signed, by whom, with what meaning, and when. */
import { listOutlines } from '../../foundation/signatures/index.ts';
import type { ReportSheet } from './report-sheet.ts';

/** Signatures of one piece. */
const signaturesPerPiece = 200;

export const signaturesSheet: ReportSheet = {
  name: 'Signatures',
  isSplit: true,
  columns: () => [
    { heading: 'Submission', width: 30 },
    { heading: 'Printed name', width: 28 },
    { heading: 'Meaning', width: 60 },
    { heading: 'Signed on (UTC)', width: 20 },
    { heading: 'Time stamp server', width: 28 },
    { heading: 'Identity provider', width: 36 },
    { heading: 'Record (SHA-256)', width: 68 },
    { heading: 'Signer (id)', width: 30 },
    { heading: 'Signature (id)', width: 30 },
    { heading: 'Certified', width: 12 },
    { heading: 'Denied', width: 12 },
  ],
  async read(context, { report }, after) {
    const found = await listOutlines(context, report.reviewId, after, signaturesPerPiece);
    const rows = found.map((row) => [
      row.kind === 'ACKNOWLEDGEMENT' ? 'Acknowledgement' : row.submissionId,
      // It never was empty when it was signed.
      row.printedName || 'erased',
      row.meaning,
      row.signedAt,
      row.timeStampServer === '' ? 'none' : row.timeStampServer,
      row.issuer ?? 'none',
      row.recordSha256,
      row.userId,
      row.id,
      row.certified,
      row.denied,
    ]);
    return { rows, after: found.length < signaturesPerPiece ? undefined : found.at(-1)?.id };
  },
};
