/** The items of a second review that is over, with both decisions; those that differ, unless all are wanted. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { readPages, type ReplyOf } from '~/data/query.ts';
import { Checkbox } from '~/parts/controls/checkbox.tsx';
import { Name } from '~/parts/words/name.tsx';
import { Table } from '~/parts/tables/table.tsx';
import { useNamesAt } from '~/data/names-at.ts';
import { text } from '~/text/text.ts';

type Item = NonNullable<ReplyOf<'SecondReviewService.ListItems'>['list']>[number];

const wordOf = (decision: Item['firstDecision']): string =>
  decision === 'REVIEW_DECISION_CERTIFY' ? text('queue.certify') : decision === 'REVIEW_DECISION_DENY' ? text('queue.deny') : '–';

export function SecondItems({ reviewId }: { reviewId: string }) {
  const [showsAll, setShowsAll] = useState(false);
  const query = useInfiniteQuery(
    readPages('SecondReviewService.ListItems', { accessReviewId: reviewId, pageSize: 50, onlyDisagreements: !showsAll }),
  );
  const items = (query.data?.pages ?? []).flatMap(({ list }) => list ?? []);
  const nameAt = useNamesAt(
    items.flatMap((item) => [
      ...[item.firstDecidedById, item.firstIssuerId].map((id) => [id, item.firstDecidedAt] as const),
      ...[item.secondDecidedById, item.secondIssuerId].map((id) => [id, item.secondDecidedAt] as const),
    ]),
  );
  const said = (decision: Item['firstDecision'], at: string | undefined, by: string | undefined, issuer: string | undefined) => (
    <>
      {wordOf(decision)} <small>{nameAt(by, at)}</small>
      {(issuer ?? '') !== '' && issuer !== by && <small> {text('review.issuedBy', { name: nameAt(issuer, at) })}</small>}
    </>
  );
  return (
    <>
      <Checkbox label={text('review.secondAll')} checked={showsAll} onChange={setShowsAll} />
      <Table
        query={query}
        empty={<p>{text('review.secondSame')}</p>}
        label={text('review.secondItems')}
        rows={items}
        rowKey={({ taskId }) => taskId ?? ''}
        columns={(column) => [
          column('who', text('review.who'), (row) => <Name>{row.person || row.account}</Name>),
          column(
            'what',
            text('review.secondRight'),
            (row) => <Name>{[row.entitlement, row.appDisplayName].filter(Boolean).join(', ')}</Name>,
            { narrow: 'second' },
          ),
          column('first', text('review.secondFirst'), (row) =>
            said(row.firstDecision, row.firstDecidedAt, row.firstDecidedById, row.firstIssuerId),
          ),
          column(
            'second',
            text('review.secondSecond'),
            (row) => said(row.secondDecision, row.secondDecidedAt, row.secondDecidedById, row.secondIssuerId),
            {
              narrow: 'second',
            },
          ),
          column('why', text('review.comment'), (row) => <Name>{row.secondComment}</Name>, { narrow: 'hide' }),
        ]}
      />
    </>
  );
}
