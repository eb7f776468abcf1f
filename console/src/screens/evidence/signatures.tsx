/** Signatures that were given in a review: who signed with what meaning and when, and the hash of the record, which leads to the signature. */
import { Link } from '@tanstack/react-router';
import { Signed } from '~/app/reviews/signed.tsx';
import type { Review } from '~/data/reviews/review.ts';
import { isAcknowledgement, useSignatures } from '~/data/reviews/signature.ts';
import { Table } from '~/parts/tables/table.tsx';
import { text } from '~/text/text.ts';
import styles from './evidence.module.css';

export function Signatures({ reviewId, review }: { reviewId: string; review: Review }) {
  const isAsked = review.signatureConfig?.requireSignature === true;
  const { list: signatures, isWhole } = useSignatures(reviewId, review);
  return (
    <section className={styles.tied}>
      <h2>{text('evidence.signatures')}</h2>
      {isWhole || signatures.length < 1000 ? null : (
        <p className={styles.quiet}>{text('evidence.signaturesFirst', { count: signatures.length })}</p>
      )}
      <Table
        label={text('evidence.signatures')}
        empty={<p className={styles.quiet}>{text(isAsked ? 'evidence.noSignatures' : 'evidence.signaturesNotAsked')}</p>}
        rows={signatures}
        rowKey={(row) => row.id ?? ''}
        columns={(column) => [
          column('signed', text('signature.one'), (row) => <Signed signature={row} />, { least: 'name' }),
          column('of', text('signature.of'), (row) => text(isAcknowledgement(row) ? 'review.acknowledgement' : 'evidence.decisionsMade'), {
            narrow: 'hide',
          }),
          column(
            'hash',
            text('signature.hash'),
            (row) => (
              <Link to="/signatures/$id" params={{ id: row.id ?? '' }}>
                <code className={styles.hash}>{row.recordSha256}</code>
              </Link>
            ),
            { narrow: 'second' },
          ),
        ]}
      />
    </section>
  );
}
