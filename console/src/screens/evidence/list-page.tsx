/** The closed reviews, each of which leaves evidence. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { Page } from '../../app/page.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Failed } from '../../parts/failed.tsx';
import { Pages } from '../../parts/pages.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { Table } from '../../parts/table.tsx';
import { readPages } from '../../data/query.ts';
import { count } from '../../data/count.ts';
import { date } from '../../text/format.ts';
import { text } from '../../text/text.ts';
import styles from './evidence.module.css';

export function EvidenceListPage() {
  const query = useInfiniteQuery(
    readPages('ReviewSearchService.Search', { states: ['ACCESS_REVIEW_STATE_CLOSED'], sort: 'REVIEW_SORT_CLOSED', pageSize: 100 }),
  );
  const rows = (query.data?.pages ?? []).flatMap(({ list }) => list ?? []);
  return (
    <Page title={text('nav.evidence')} width="bare">
      {query.isPending ? <Skeleton rows={6} /> : null}
      {query.isError ? <Failed error={query.error} retry={() => void query.refetch()} /> : null}
      {query.isSuccess && rows.length === 0 ? (
        <Empty icon="shield" title={text('evidence.none')}>
          {text('evidence.noneNext')}
        </Empty>
      ) : null}
      {rows.length === 0 ? null : (
        <Table
          label={text('nav.evidence')}
          rows={rows}
          rowKey={(row) => row.accessReviewId ?? ''}
          rowLink={(row) => `/evidence/${row.accessReviewId}`}
          columns={[
            { id: 'name', head: text('reviews.review'), cell: (row) => row.displayName },
            {
              id: 'items',
              head: text('review.items'),
              align: 'end',
              narrow: 'hide',
              cell: (row) => <span className={styles.quiet}>{text('reviews.itemsPrepared', { count: count(row.counts?.total) })}</span>,
            },
            {
              id: 'closed',
              head: text('review.closed'),
              align: 'end',
              cell: (row) => (row.closedAt === undefined ? '' : date(row.closedAt)),
            },
          ]}
        />
      )}
      <Pages query={query} />
    </Page>
  );
}
