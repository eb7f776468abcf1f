/** Is what was denied really gone: figures by state, the removals, and the story of one of them. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { linkOptions, useNavigate } from '@tanstack/react-router';
import { Page } from '~/app/page.tsx';
import { ExportRemovals } from '~/app/removals/export-removals.tsx';
import { RemovalTable } from '~/app/removals/removal-table.tsx';
import { SearchBox } from '~/app/lists/search-box.tsx';
import { changeSearch } from '~/app/search.ts';
import { Button } from '~/parts/controls/button.tsx';
import { Combobox } from '~/parts/fields/combobox.tsx';
import { Empty } from '~/parts/states/empty.tsx';
import { FilterBar } from '~/parts/fields/filter-bar.tsx';
import { appQuery, searchApps } from '~/data/inventory/find.ts';
import { reviewQuery } from '~/data/reviews/review.ts';
import { text } from '~/text/text.ts';
import { Figures } from './figures.tsx';
import styles from './revocations.module.css';
import { Story } from './story.tsx';
import { type RemovalSearch, revocationsRoute } from './route.tsx';
import { countsQuery, removalsQuery, removalsRequest } from './removals-query.ts';

/** A job follows each sync some moments after it: what it proved shows by itself. */
const lookAgainMs = 5_000;

export function RevocationsPage() {
  const search = revocationsRoute.useSearch();
  const navigate = useNavigate();
  const { state = 'open', review, app, q, one } = search;
  const counts = useQuery({ ...countsQuery(search), refetchInterval: lookAgainMs });
  const request = removalsRequest(search);
  const query = useInfiniteQuery({
    ...removalsQuery(search),
    refetchInterval: ({ state: { data } }) => ((data?.pages.length ?? 0) > 1 ? false : lookAgainMs),
  });
  const rows = (query.data?.pages ?? []).flatMap(({ list }) => list ?? []);
  const named = {
    app: useQuery({ ...appQuery(app ?? ''), enabled: app !== undefined }),
    review: useQuery({ ...reviewQuery(review ?? ''), enabled: review !== undefined }),
  };
  const go = (next: RemovalSearch) =>
    void navigate({
      to: '/revocations',
      search: changeSearch(next),
      replace: true,
    });
  return (
    <Page title={text('nav.revocations')} width="bare">
      <div className={styles.top}>
        <h2 className={styles.question}>{text('revocations.question')}</h2>
        <p className={styles.quiet}>{text('revocations.ticket')}</p>
      </div>
      <Figures counts={counts.data} current={state} search={search} />
      <FilterBar>
        <SearchBox label={text('revocations.filter')} value={q} onChange={(value) => go({ q: value })} />
        {review === undefined ? null : (
          <Button variant="quiet" icon="cross" onClick={() => go({ review: undefined })}>
            {named.review.data?.accessReview?.accessReview?.displayName ?? text('reviews.review')}
          </Button>
        )}
        <div className={styles.pick}>
          <Combobox
            label={text('review.app')}
            hideLabel
            value={app === undefined ? undefined : { id: app, label: named.app.data?.app?.displayName ?? text('review.app') }}
            onChange={(one) => go({ app: one?.id })}
            search={searchApps}
            placeholder={text('revocations.anyApp')}
          />
        </div>
        <ExportRemovals
          title={[text('nav.revocations'), named.review.data?.accessReview?.accessReview?.displayName].filter(Boolean).join(' ')}
          request={request}
        />
        <span className={styles.order}>{text('revocations.oldestFirst')}</span>
      </FilterBar>
      <RemovalTable
        query={query}
        empty={
          <Empty icon="minus" title={text(state === 'open' ? 'revocations.none' : 'revocations.noneHere')}>
            {text('revocations.noneNext')}
          </Empty>
        }
        label={text('nav.revocations')}
        rows={rows}
        linkOf={(id) => linkOptions({ to: '/revocations', search: { ...search, one: id } })}
      />
      {one === undefined ? null : <Story id={one} onClose={() => go({ one: undefined })} />}
    </Page>
  );
}
