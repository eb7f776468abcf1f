/** Rights that nobody wrote down in words: whoever is asked about one has only its technical name. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type App, count, type Entitlement, expandedAt, technicalName } from '../../data/inventory.ts';
import { useFurtherPages } from '../../data/pages.ts';
import { readPages } from '../../data/query.ts';
import { Empty } from '../../parts/empty.tsx';
import { Load } from '../../parts/load.tsx';
import { Name } from '../../parts/name.tsx';
import { Pages } from '../../parts/pages.tsx';
import { Table } from '../../parts/table.tsx';
import { number } from '../../text/format.ts';
import { text } from '../../text/text.ts';

interface BareRight {
  readonly right: Entitlement;
  readonly app: App | undefined;
  readonly resource: string;
}

/** So many pages are read by themselves; further ones where somebody asks. */
const mostPages = 10;

export function NoDescription() {
  const query = useInfiniteQuery(
    readPages('AppEntitlementSearchService.Search', { expandMask: { paths: ['app_id', 'app_resource_id'] }, pageSize: 100 }),
  );
  const isWhole = useFurtherPages(query, true, mostPages);
  const rows = (query.data?.pages ?? []).flatMap((page) =>
    (page.list ?? []).flatMap((view): BareRight[] =>
      view.appEntitlement === undefined || view.appEntitlement.description
        ? []
        : [
            {
              right: view.appEntitlement,
              app: expandedAt<App>(page.expanded, view.appPath),
              resource: expandedAt<{ displayName?: string }>(page.expanded, view.appResourcePath)?.displayName ?? '',
            },
          ],
    ),
  );
  return (
    <Load query={query}>
      {() =>
        rows.length === 0 && isWhole ? (
          <Empty icon="check" title={text('quality.none.no-description')} />
        ) : (
          <>
            <Table
              label={text('quality.tab.no-description')}
              rows={rows.toSorted((a, b) => count(b.right.grantCount) - count(a.right.grantCount))}
              rowKey={({ right }) => right.id ?? ''}
              columns={[
                {
                  id: 'right',
                  head: text('quality.right'),
                  cell: ({ right, resource }) => <Name strong>{technicalName(right, resource)}</Name>,
                },
                { id: 'app', head: text('quality.app'), narrow: 'second', cell: ({ app }) => <Name>{app?.displayName}</Name> },
                { id: 'holders', head: text('quality.holders'), align: 'end', cell: ({ right }) => number(count(right.grantCount)) },
                {
                  id: 'next',
                  head: text('quality.next'),
                  narrow: 'second',
                  cell: ({ right }) => (
                    <Link to={`/apps/${right.appId}/entitlements` as string} search={{ q: right.displayName } as never}>
                      {text('quality.next.no-description')}
                    </Link>
                  ),
                },
              ]}
            />
            <Pages query={query} />
          </>
        )
      }
    </Load>
  );
}
