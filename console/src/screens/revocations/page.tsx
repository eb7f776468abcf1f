/** Is what was denied really gone: figures by state, the removals, and the story of one of them. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { defaultStringifySearch, useNavigate, useSearch } from '@tanstack/react-router';
import { Page } from '../../app/page.tsx';
import { RemovalTable } from '../../app/removal-table.tsx';
import { Button } from '../../parts/button.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Failed } from '../../parts/failed.tsx';
import { FilterBar } from '../../parts/filter-bar.tsx';
import { Pages } from '../../parts/pages.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { appQuery } from '../../data/find.ts';
import { read, readPages } from '../../data/query.ts';
import { reviewQuery } from '../../data/review.ts';
import { text } from '../../text/text.ts';
import { Figures } from './figures.tsx';
import { statesOf } from './groups.ts';
import styles from './revocations.module.css';
import type { RemovalSearch } from './route.tsx';
import { Story } from './story.tsx';

export function RevocationsPage() {
  const search = useSearch({ strict: false }) as RemovalSearch;
  const navigate = useNavigate();
  const { state = 'open', review, app, q, one } = search;
  const about = { ...(review ? { accessReviewId: review } : {}), ...(app ? { appId: app } : {}) };
  const counts = useQuery(read('RevocationService.Count', about));
  const query = useInfiniteQuery(
    readPages('RevocationService.List', { ...about, states: statesOf(state), pageSize: 50, ...(q ? { query: q } : {}) }),
  );
  const rows = (query.data?.pages ?? []).flatMap(({ list }) => list ?? []);
  const named = {
    app: useQuery({ ...appQuery(app ?? ''), enabled: app !== undefined }),
    review: useQuery({ ...reviewQuery(review ?? ''), enabled: review !== undefined }),
  };
  const go = (next: Readonly<Record<string, string | undefined>>) =>
    void navigate({
      to: '/revocations' as string,
      search: Object.fromEntries(Object.entries({ ...search, ...next }).filter(([, value]) => value)) as never,
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
        <SearchField label={text('revocations.filter')} value={q ?? ''} onChange={(value) => go({ q: value })} keys="/" />
        {review === undefined ? null : (
          <Button variant="quiet" icon="cross" onClick={() => go({ review: undefined })}>
            {named.review.data?.accessReview?.accessReview?.displayName ?? text('reviews.review')}
          </Button>
        )}
        {app === undefined ? null : (
          <Button variant="quiet" icon="cross" onClick={() => go({ app: undefined })}>
            {named.app.data?.app?.displayName ?? text('review.app')}
          </Button>
        )}
        <span className={styles.order}>{text('revocations.oldestFirst')}</span>
      </FilterBar>
      {query.isPending ? <Skeleton rows={8} /> : null}
      {query.isError ? <Failed error={query.error} retry={() => void query.refetch()} /> : null}
      {query.isSuccess && rows.length === 0 ? (
        <Empty icon="minus" title={text(state === 'open' ? 'revocations.none' : 'revocations.noneHere')}>
          {text('revocations.noneNext')}
        </Empty>
      ) : null}
      {rows.length > 0 ? (
        <>
          <RemovalTable
            label={text('nav.revocations')}
            rows={rows}
            linkOf={(id) => `/revocations${defaultStringifySearch({ ...search, one: id })}`}
          />
          <Pages query={query} />
        </>
      ) : null}
      {one === undefined ? null : <Story id={one} onClose={() => go({ one: undefined })} />}
    </Page>
  );
}
