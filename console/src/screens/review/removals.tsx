/** Outcome of what this review denied, from evidence alone. */
import { linkOptions } from '@tanstack/react-router';
import { useInfiniteQuery } from '@tanstack/react-query';
import { sayRemovalSums } from '~/app/removals/removal-sums.ts';
import { RemovalTable } from '~/app/removals/removal-table.tsx';
import { ButtonLink } from '~/parts/controls/button-link.tsx';
import { Empty } from '~/parts/states/empty.tsx';
import { count } from '~/data/count.ts';
import { readPages } from '~/data/query.ts';
import { text } from '~/text/text.ts';
import type { TabProps } from './props.ts';

export function RemovalsTab({ reviewId, progress }: TabProps) {
  const query = useInfiniteQuery(readPages('RevocationService.List', { accessReviewId: reviewId, pageSize: 100 }));
  const rows = (query.data?.pages ?? []).flatMap(({ list }) => list ?? []);
  return (
    <>
      {rows.length === 0 ? null : (
        <p>
          {text('review.removalSums', { total: count(progress?.removals?.total), parts: sayRemovalSums(progress?.removals).join(', ') })}{' '}
          <ButtonLink to="/revocations" search={{ review: reviewId }} variant="quiet">
            {text('review.allRemovals')}
          </ButtonLink>
        </p>
      )}
      <RemovalTable
        query={query}
        empty={
          <Empty icon="minus" title={text('review.noRemovals')}>
            {text('review.noRemovalsNext')}
          </Empty>
        }
        label={text('review.removals')}
        rows={rows}
        linkOf={(id) => linkOptions({ to: '/revocations', search: { review: reviewId, one: id } })}
      />
    </>
  );
}
