/** The grants that came into the scope of a review after its snapshot. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Name } from '~/parts/words/name.tsx';
import { Empty } from '~/parts/states/empty.tsx';
import { Table } from '~/parts/tables/table.tsx';
import { pageRows } from '~/data/pages.ts';
import { readPages } from '~/data/query.ts';
import { date } from '~/text/format.ts';
import { text } from '~/text/text.ts';

export function ArrivalsTable({ reviewId }: { reviewId: string }) {
  const query = useInfiniteQuery(readPages('ReviewArrivalService.List', { accessReviewId: reviewId, pageSize: 100 }));
  return (
    <Table
      query={query}
      empty={<Empty title={text('arrivals.noneYet')} />}
      label={text('arrivals.title')}
      rows={pageRows(query.data)}
      rowKey={(row) => `${row.appId} ${row.appUserId} ${row.appEntitlementId}`}
      columns={(column) => [
        column('account', text('arrivals.account'), (row) => <Name>{row.appUserDisplayName ?? ''}</Name>),
        column('owner', text('arrivals.owner'), (row) => <Name>{row.userDisplayName || text('arrivals.nobody')}</Name>, {
          narrow: 'second',
        }),
        column(
          'right',
          text('arrivals.right'),
          (row) => <Name>{[row.appEntitlementDisplayName, row.appDisplayName].filter(Boolean).join(', ')}</Name>,
          { narrow: 'second' },
        ),
        column('added', text('arrivals.added'), (row) => (row.addedAt === undefined ? '' : date(row.addedAt)), { narrow: 'hide' }),
        column('asked', text('arrivals.askedBy'), (row) =>
          row.supplementAccessReviewId ? (
            <Link to="/reviews/$reviewId/$tab" params={{ reviewId: row.supplementAccessReviewId, tab: 'progress' }}>
              {text('arrivals.supplementary')}
            </Link>
          ) : (
            text('arrivals.noReview')
          ),
        ),
      ]}
    />
  );
}
