/** Reviews that were deleted: what remains of each is who deleted it, when, and why. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Page } from '~/app/page.tsx';
import { useNamesAt } from '~/data/names-at.ts';
import { Empty } from '~/parts/states/empty.tsx';
import { Table } from '~/parts/tables/table.tsx';
import { When } from '~/parts/words/when.tsx';
import { date } from '~/text/format.ts';
import { text } from '~/text/text.ts';
import { deletedQuery } from './route.tsx';

export function DeletedReviewsPage() {
  const query = useInfiniteQuery(deletedQuery);
  const rows = query.data?.pages.flatMap(({ list }) => list ?? []) ?? [];
  const nameAt = useNamesAt(rows.map(({ deletedById, deletedAt }) => [deletedById, deletedAt]));
  return (
    <Page title={text('reviews.deleted')} before={<Link to="/reviews">{text('nav.reviews')}</Link>}>
      <Table
        query={query}
        empty={
          <Empty icon="list" title={text('reviews.noneDeleted')}>
            {text('reviews.noneDeletedNext')}
          </Empty>
        }
        label={text('reviews.deleted')}
        rows={rows}
        rowKey={(row) => row.accessReview?.accessReview?.id ?? ''}
        columns={(column) => [
          column('name', text('reviews.name'), (row) => row.accessReview?.accessReview?.displayName || text('reviews.unnamed')),
          column('why', text('reviews.deletedWhy'), (row) => row.reason || '–', { narrow: 'second' }),
          column('by', text('reviews.deletedBy'), (row) => nameAt(row.deletedById, row.deletedAt), { narrow: 'hide' }),
          column(
            'made',
            text('reviews.made'),
            (row) => (row.accessReview?.accessReview?.createdAt ? date(row.accessReview.accessReview.createdAt) : ''),
            { narrow: 'hide' },
          ),
          column('when', text('reviews.deletedAt'), (row) => <When at={row.deletedAt} />, { align: 'end' }),
        ]}
      />
    </Page>
  );
}
