/** The items of a second review that is over, with both decisions; those that differ, unless all are wanted. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { readPages, type ReplyOf } from '../../data/query.ts';
import { Checkbox } from '../../parts/checkbox.tsx';
import { Load } from '../../parts/load.tsx';
import { Name } from '../../parts/name.tsx';
import { Pages } from '../../parts/pages.tsx';
import { Table } from '../../parts/table.tsx';
import { useNames } from '../../data/names.ts';
import { text } from '../../text/text.ts';

type Item = NonNullable<ReplyOf<'SecondReviewService.ListItems'>['list']>[number];

const wordOf = (decision: Item['firstDecision']): string =>
  decision === 'REVIEW_DECISION_CERTIFY' ? text('queue.certify') : decision === 'REVIEW_DECISION_DENY' ? text('queue.deny') : '–';

export function SecondItems({ reviewId }: { reviewId: string }) {
  const [showsAll, setShowsAll] = useState(false);
  const query = useInfiniteQuery(
    readPages('SecondReviewService.ListItems', { accessReviewId: reviewId, pageSize: 50, onlyDisagreements: !showsAll }),
  );
  const items = (query.data?.pages ?? []).flatMap(({ list }) => list ?? []);
  const names = useNames(items.flatMap(({ firstDecidedById, secondDecidedById }) => [firstDecidedById, secondDecidedById]));
  const said = (decision: Item['firstDecision'], by: string | undefined) => (
    <>
      {wordOf(decision)} <small>{names.get(by ?? '') ?? ''}</small>
    </>
  );
  return (
    <>
      <Checkbox label={text('review.secondAll')} checked={showsAll} onChange={setShowsAll} />
      <Load query={query} empty={<p>{text('review.secondSame')}</p>}>
        {() => (
          <>
            <Table<Item>
              label={text('review.secondItems')}
              rows={items}
              rowKey={({ taskId }) => taskId ?? ''}
              columns={[
                { id: 'who', head: text('review.who'), cell: (row) => <Name>{row.person || row.account}</Name> },
                {
                  id: 'what',
                  head: text('review.secondRight'),
                  cell: (row) => <Name>{[row.entitlement, row.appDisplayName].filter(Boolean).join(', ')}</Name>,
                  narrow: 'second',
                },
                { id: 'first', head: text('review.secondFirst'), cell: (row) => said(row.firstDecision, row.firstDecidedById) },
                {
                  id: 'second',
                  head: text('review.secondSecond'),
                  cell: (row) => said(row.secondDecision, row.secondDecidedById),
                  narrow: 'second',
                },
                { id: 'why', head: text('review.comment'), cell: (row) => <Name>{row.secondComment}</Name>, narrow: 'hide' },
              ]}
            />
            <Pages query={query} />
          </>
        )}
      </Load>
    </>
  );
}
