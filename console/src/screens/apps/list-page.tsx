/** All apps: who answers for each, how much is in it, and how fresh it is. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { linkOptions, useNavigate } from '@tanstack/react-router';
import { Page } from '~/app/page.tsx';
import { SearchBox } from '~/app/lists/search-box.tsx';
import { type App, count } from '~/data/inventory/inventory.ts';
import { useReviewsByApp } from '~/data/reviews/last-reviews.ts';
import { pageRows } from '~/data/pages.ts';
import { useMay } from '~/data/session/session.ts';
import { ButtonLink } from '~/parts/controls/button-link.tsx';
import { Empty } from '~/parts/states/empty.tsx';
import { FilterBar } from '~/parts/fields/filter-bar.tsx';
import { Name } from '~/parts/words/name.tsx';
import { Table } from '~/parts/tables/table.tsx';
import { When } from '~/parts/words/when.tsx';
import { number } from '~/text/format.ts';
import { text } from '~/text/text.ts';
import styles from './apps.module.css';
import { LastSync } from './last-sync.tsx';
import { Rights } from './rights/rights.tsx';
import { Owners } from './owners.tsx';
import { appsQuery, appsRoute } from './route.tsx';

export function AppsPage() {
  const { q } = appsRoute.useSearch();
  const navigate = useNavigate();
  const mayImport = useMay('imports.write');
  // What an owner without a role may not read is not shown as none.
  const mayReadAll = useMay('inventory.read');
  const { byApp } = useReviewsByApp();
  const query = useInfiniteQuery(appsQuery(q));
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
          onChange={(value) => void navigate({ to: '/apps', search: { q: value }, replace: true })}
        />
      </FilterBar>
      <Table
        query={query}
        empty={<NoApps query={q} action={importLink} isOwner={!mayReadAll} />}
        label={text('nav.apps')}
        rows={pageRows<App>(query.data)}
        rowKey={(app) => app.id ?? ''}
        rowLink={(app) => linkOptions({ to: '/apps/$app/$tab', params: { app: app.id ?? '', tab: 'entitlements' } })}
        columns={(column) => [
          column('name', text('apps.app'), (app) => (
            <span className={styles.two}>
              <Name strong>{app.displayName}</Name>
              {app.description ? (
                <small>
                  <Name>{app.description}</Name>
                </small>
              ) : null}
            </span>
          )),
          column('owner', text('apps.owner'), (app) => <Owners people={app.appOwners} />, { narrow: 'second' }),
          column('accounts', text('apps.accounts'), (app) => number(count(app.userCount)), { align: 'end', narrow: 'hide' }),
          ...(mayReadAll
            ? [
                column('rights', text('apps.rights'), (app) => <Rights appId={app.id ?? ''} />, {
                  align: 'end',
                  narrow: 'hide',
                }),
                column('sync', text('apps.lastSync'), (app) => <LastSync appId={app.id ?? ''} />, { narrow: 'second' }),
                column('review', text('apps.lastReview'), lastReview, { narrow: 'hide' }),
              ]
            : []),
        ]}
      />
    </Page>
  );
}

function NoApps({ query, action, isOwner }: { query: string | undefined; action: React.ReactNode; isOwner: boolean }) {
  return query === undefined && isOwner ? (
    <Empty icon="grid" title={text('apps.noneOwned')}>
      {text('apps.noneOwnedNext')}
    </Empty>
  ) : query === undefined ? (
    <Empty icon="grid" title={text('apps.none')} action={action}>
      {text('apps.noneNext')}
    </Empty>
  ) : (
    <Empty icon="search" title={text('apps.noneFound', { query })} />
  );
}
