/** Submitters of decisions, when and how many, with their signatures where the review asks for them. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { Signed } from '~/app/reviews/signed.tsx';
import { Empty } from '~/parts/states/empty.tsx';
import { Table } from '~/parts/tables/table.tsx';
import { When } from '~/parts/words/when.tsx';
import { count } from '~/data/count.ts';
import { useNamesAt } from '~/data/names-at.ts';
import { pageRows } from '~/data/pages.ts';
import { readPages, type ReplyOf } from '~/data/query.ts';
import { number } from '~/text/format.ts';
import { text } from '~/text/text.ts';
import type { TabProps } from './props.ts';
import { WaitingSignatures } from './waiting-signatures.tsx';

type SubmissionView = NonNullable<ReplyOf<'ReviewSubmissionService.ListSubmissions'>['list']>[number];

export function SubmissionsTab({ reviewId, view }: TabProps) {
  const query = useInfiniteQuery(readPages('ReviewSubmissionService.ListSubmissions', { accessReviewId: reviewId, pageSize: 100 }));
  const rows = pageRows<SubmissionView>(query.data).map(({ submission, signature }) => ({ ...submission, signature }));
  const review = view.accessReview ?? {};
  const isSigned = review.signatureConfig?.requireSignature === true;
  const nameAt = useNamesAt(rows.map(({ userId, submittedAt }) => [userId, submittedAt]));
  return (
    <>
      {isSigned ? <WaitingSignatures reviewId={reviewId} review={review} /> : null}
      <Table
        query={query}
        empty={
          <Empty icon="inbox" title={text(isSigned ? 'signature.noneSigned' : 'review.noSubmissions')}>
            {text('review.noSubmissionsNext')}
          </Empty>
        }
        label={text('review.submissions')}
        rows={rows}
        rowKey={(row) => row.id ?? ''}
        columns={(column) => [
          column('who', text('review.reviewer'), (row) => nameAt(row.userId, row.submittedAt)),
          column('submitted', text('review.submitted'), (row) => number(count(row.submitted)), { align: 'end' }),
          column('certified', text('review.certified'), (row) => number(count(row.certified)), { align: 'end', narrow: 'hide' }),
          column('denied', text('review.denied'), (row) => number(count(row.denied)), { align: 'end', narrow: 'hide' }),
          column('refused', text('review.refused'), (row) => number(count(row.refused)), { align: 'end', narrow: 'hide' }),
          ...(isSigned
            ? [
                column(
                  'signed',
                  text('signature.one'),
                  ({ signature }) => (signature === undefined ? null : <Signed signature={signature} />),
                  { narrow: 'second' },
                ),
              ]
            : []),
          column('when', text('review.when'), (row) => <When at={row.submittedAt ?? ''} />, { align: 'end', narrow: 'second' }),
        ]}
      />
    </>
  );
}
