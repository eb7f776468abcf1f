/** What became of what this review denied, from evidence alone. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { RemovalTable } from '../../app/removal-table.tsx';
import { ButtonLink } from '../../parts/button-link.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Load } from '../../parts/load.tsx';
import { Pages } from '../../parts/pages.tsx';
import { count } from '../../data/count.ts';
import { readPages } from '../../data/query.ts';
import { text } from '../../text/text.ts';
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
          <RemovalTable label={text('review.removals')} rows={rows} linkOf={(id) => `/revocations?review=${reviewId}&one=${id}`} />
          <Pages query={query} />
        </>
      )}
    </Load>
  );
}
