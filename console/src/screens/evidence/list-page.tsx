/** The closed reviews, each of which leaves evidence. */
import { linkOptions } from '@tanstack/react-router';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Page } from '~/app/page.tsx';
import { Empty } from '~/parts/states/empty.tsx';
import { Table } from '~/parts/tables/table.tsx';
import { count } from '~/data/count.ts';
import { date } from '~/text/format.ts';
import { text } from '~/text/text.ts';
import styles from './evidence.module.css';
import { closedQuery } from './route.tsx';

export function EvidenceListPage() {
  const query = useInfiniteQuery(closedQuery);
  const rows = (query.data?.pages ?? []).flatMap(({ list }) => list ?? []);
  return (
    <Page title={text('nav.evidence')} width="bare">
      <Table
        query={query}
        empty={
          <Empty icon="shield" title={text('evidence.none')}>
            {text('evidence.noneNext')}
          </Empty>
        }
        label={text('nav.evidence')}
        rows={rows}
        rowKey={(row) => row.accessReviewId ?? ''}
        rowLink={(row) => linkOptions({ to: '/evidence/$reviewId', params: { reviewId: row.accessReviewId ?? '' } })}
        columns={(column) => [
          column('name', text('reviews.review'), (row) => row.displayName),
          column(
            'items',
            text('review.items'),
            (row) => <span className={styles.quiet}>{text('reviews.itemsPrepared', { count: count(row.counts?.total) })}</span>,
            { align: 'end', narrow: 'hide' },
          ),
          column('closed', text('review.closed'), (row) => (row.closedAt === undefined ? '' : date(row.closedAt)), { align: 'end' }),
        ]}
      />
    </Page>
  );
}
