/** All reviews by state: how far each is, who answers for it, and when it is due. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { Page } from '../../app/page.tsx';
import { ButtonLink } from '../../parts/button-link.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Failed } from '../../parts/failed.tsx';
import { Pages } from '../../parts/pages.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { readPages } from '../../data/query.ts';
import { useMay, useSession } from '../../data/session.ts';
import { text } from '../../text/text.ts';
import { Filters } from './filters.tsx';
import { countByGroup, groups, isWanted } from './groups.ts';
import { ReviewTable } from './table.tsx';
import type { ListSearch } from './route.tsx';

/** Lists are read to this many reviews by themselves, so that counts and filters see them all. */
const wholeUntil = 1000;

export function ReviewsPage() {
  const search = useSearch({ strict: false }) as ListSearch;
  const navigate = useNavigate();
  const userId = useSession()?.userId ?? '';
  const mayCreate = useMay('reviews.create');
  const query = useInfiniteQuery(readPages('AccessReviewService.List', { pageSize: 100 }));
  const views = (query.data?.pages ?? []).flatMap(({ list }) => list ?? []);
  const { hasNextPage, isFetching, fetchNextPage } = query;
  useEffect(() => {
    if (hasNextPage && !isFetching && views.length < wholeUntil) {
      void fetchNextPage();
    }
  }, [hasNextPage, isFetching, fetchNextPage, views.length]);
  const shown = views.filter((view) => isWanted(view, { ...search, userId }));
  const counts = countByGroup(shown);
  const rest = {
    ...(search.owner ? { owner: search.owner } : {}),
    ...(search.app ? { app: search.app } : {}),
    ...(search.q ? { q: search.q } : {}),
  };
  return (
    <Page
      title={text('nav.reviews')}
      width="bare"
      actions={
        mayCreate ? (
          <>
            <ButtonLink to="/templates" variant="quiet">
              {text('reviews.fromTemplate')}
            </ButtonLink>
            <ButtonLink to="/reviews/new" variant="primary" icon="plus">
              {text('reviews.new')}
            </ButtonLink>
          </>
        ) : undefined
      }
      tabs={
        <Tabs
          label={text('reviews.byState')}
          items={[
            { to: '/reviews', search: rest, label: text('reviews.all'), count: shown.length },
            ...groups.map(({ id, label }) => ({ to: '/reviews', search: { ...rest, state: id }, label: text(label), count: counts[id] })),
          ]}
        />
      }
    >
      {query.isPending ? <Skeleton rows={6} /> : null}
      {query.isError ? <Failed error={query.error} retry={() => void query.refetch()} /> : null}
      {query.isSuccess && views.length === 0 ? (
        <Empty
          icon="list"
          title={text('reviews.none')}
          action={
            mayCreate ? (
              <ButtonLink to="/reviews/new" variant="primary" icon="plus">
                {text('reviews.new')}
              </ButtonLink>
            ) : undefined
          }
        >
          {text('reviews.noneNext')}
        </Empty>
      ) : null}
      {views.length > 0 ? (
        <>
          <Filters search={search} onChange={(next) => void navigate({ to: '/reviews', search: next as never, replace: true })} />
          <ReviewTable views={shown.filter((view) => isWanted(view, search))} state={search.state} />
          <Pages query={query} />
        </>
      ) : null}
    </Page>
  );
}
