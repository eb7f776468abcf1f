/** All apps: who answers for each, how much is in it, and how fresh it is. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Page } from '../../app/page.tsx';
import { SearchBox } from '../../app/search-box.tsx';
import { type App, count } from '../../data/inventory.ts';
import { useReviewsByApp } from '../../data/last-reviews.ts';
import { rowsOf } from '../../data/pages.ts';
import { readPages } from '../../data/query.ts';
import { useMay } from '../../data/session.ts';
import { ButtonLink } from '../../parts/button-link.tsx';
import { Empty } from '../../parts/empty.tsx';
import { FilterBar } from '../../parts/filter-bar.tsx';
import { Load } from '../../parts/load.tsx';
import { Name } from '../../parts/name.tsx';
import { Pages } from '../../parts/pages.tsx';
import { Table } from '../../parts/table.tsx';
import { When } from '../../parts/when.tsx';
import { number } from '../../text/format.ts';
import { text } from '../../text/text.ts';
import styles from './apps.module.css';
import { LastSync } from './last-sync.tsx';
import { Rights } from './rights.tsx';
import { Owners } from './owners.tsx';

export function AppsPage() {
  const { q } = useSearch({ strict: false }) as { q?: string };
  const navigate = useNavigate();
  const mayImport = useMay('imports.write');
  const { byApp } = useReviewsByApp();
  const query = useInfiniteQuery(readPages('AppService.Search', { query: q ?? '', pageSize: 50 }));
  const lastReview = (app: App) => {
    const [last] = byApp.get(app.id ?? '') ?? [];
    return last === undefined ? '–' : last.review.closedAt ? <When at={last.review.closedAt} /> : text('apps.reviewRuns');
  };
  const importLink = mayImport ? (
    <ButtonLink to="/import" icon="upload" variant="primary">
      {text('apps.import')}
    </ButtonLink>
  ) : undefined;
  return (
    <Page title={text('nav.apps')} actions={importLink} width="bare">
      <FilterBar>
        <SearchBox
          label={text('apps.find')}
          value={q}
          onChange={(value) => void navigate({ to: '/apps' as string, search: { q: value } as never, replace: true })}
        />
      </FilterBar>
      <Load query={query}>
        {(data) => {
          const rows = rowsOf<App>(data);
          return rows.length === 0 ? (
            <NoApps query={q} action={importLink} />
          ) : (
            <>
              <Table
                label={text('nav.apps')}
                rows={rows}
                rowKey={(app) => app.id ?? ''}
                rowLink={(app) => `/apps/${app.id}/entitlements`}
                columns={[
                  {
                    id: 'name',
                    head: text('apps.app'),
                    cell: (app) => (
                      <span className={styles.two}>
                        <Name strong>{app.displayName}</Name>
                        {app.description ? (
                          <small>
                            <Name>{app.description}</Name>
                          </small>
                        ) : null}
                      </span>
                    ),
                  },
                  { id: 'owner', head: text('apps.owner'), narrow: 'second', cell: (app) => <Owners people={app.appOwners} /> },
                  {
                    id: 'accounts',
                    head: text('apps.accounts'),
                    align: 'end',
                    narrow: 'hide',
                    cell: (app) => number(count(app.userCount)),
                  },
                  { id: 'rights', head: text('apps.rights'), align: 'end', narrow: 'hide', cell: (app) => <Rights appId={app.id ?? ''} /> },
                  { id: 'sync', head: text('apps.lastSync'), narrow: 'second', cell: (app) => <LastSync appId={app.id ?? ''} /> },
                  { id: 'review', head: text('apps.lastReview'), narrow: 'hide', cell: lastReview },
                ]}
              />
              <Pages query={query} />
            </>
          );
        }}
      </Load>
    </Page>
  );
}

function NoApps({ query, action }: { query: string | undefined; action: React.ReactNode }) {
  return query === undefined ? (
    <Empty icon="grid" title={text('apps.none')} action={action}>
      {text('apps.noneNext')}
    </Empty>
  ) : (
    <Empty icon="search" title={text('apps.noneFound', { query })} />
  );
}
