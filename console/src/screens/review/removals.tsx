/** What became of what this review denied, from evidence alone. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { RemovalState } from '../../app/removal-state.tsx';
import { ButtonLink } from '../../parts/button-link.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Load } from '../../parts/load.tsx';
import { Pages } from '../../parts/pages.tsx';
import { Table } from '../../parts/table.tsx';
import { When } from '../../parts/when.tsx';
import { count } from '../../data/count.ts';
import { readPages } from '../../data/query.ts';
import { text } from '../../text/text.ts';
import styles from './items.module.css';
import type { TabProps } from './props.ts';

export function RemovalsTab({ reviewId, progress }: TabProps) {
  const query = useInfiniteQuery(readPages('RevocationService.List', { accessReviewId: reviewId, pageSize: 100 }));
  const rows = (query.data?.pages ?? []).flatMap(({ list }) => list ?? []);
  const sums = progress?.removals;
  return (
    <Load
      query={query}
      empty={
        <Empty icon="minus" title={text('review.noRemovals')}>
          {text('review.noRemovalsNext')}
        </Empty>
      }
    >
      {() => (
        <>
          <p>
            {text('review.removalSums', {
              total: count(sums?.total),
              proven: count(sums?.proven),
              open: count(sums?.open),
              overdue: count(sums?.overdue),
              held: count(sums?.held),
            })}{' '}
            <ButtonLink to={`/revocations?review=${reviewId}`} variant="quiet">
              {text('review.allRemovals')}
            </ButtonLink>
          </p>
          <Table
            label={text('review.removals')}
            rows={rows}
            rowKey={(row) => row.id ?? ''}
            rowLink={(row) => `/revocations?review=${reviewId}&one=${row.id}`}
            columns={[
              {
                id: 'who',
                head: text('review.who'),
                cell: (row) => (
                  <span className={styles.two}>
                    {row.userDisplayName || row.account || text('review.unowned')}
                    <small>{row.account}</small>
                  </span>
                ),
              },
              {
                id: 'what',
                head: text('review.right'),
                narrow: 'second',
                cell: (row) => (
                  <span className={styles.two}>
                    {row.entitlementDisplayName}
                    <small>{row.appDisplayName}</small>
                  </span>
                ),
              },
              { id: 'state', head: text('review.state'), cell: (row) => <RemovalState state={row.state} /> },
              {
                id: 'since',
                head: text('review.since'),
                align: 'end',
                narrow: 'hide',
                cell: (row) => <When at={row.stateChangedAt ?? ''} />,
              },
            ]}
          />
          <Pages query={query} />
        </>
      )}
    </Load>
  );
}
