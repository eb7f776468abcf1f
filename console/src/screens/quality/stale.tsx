/** Sources whose last delivery is old: a review would look at access as it was then. */
import { useInfiniteQuery, useQueries } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { LastFile } from '~/app/syncs/last-file.tsx';
import type { Source } from '~/data/inventory/inventory.ts';
import { pageRows, useFurtherPages } from '~/data/pages.ts';
import { read, readPages } from '~/data/query.ts';
import { Empty } from '~/parts/states/empty.tsx';
import { Name } from '~/parts/words/name.tsx';
import { Table } from '~/parts/tables/table.tsx';
import { text } from '~/text/text.ts';

/** Older than this is old. */
const oldMs = 7 * 86_400_000;

export function Stale() {
  const query = useInfiniteQuery(readPages('SourceService.List', { pageSize: 100 }));
  useFurtherPages(query, true);
  const sources = pageRows<Source>(query.data).filter((source) => source.kind !== 'SOURCE_KIND_SCIM');
  const last = useQueries({
    queries: sources.map((source) => ({
      ...read('ImportService.Get', { id: source.lastImportId ?? '' }),
      enabled: Boolean(source.lastImportId),
      staleTime: 60_000,
    })),
  });
  const isReading = last.some((one) => one.isLoading);
  const now = Date.now();
  const rows = sources.filter((source, index) => {
    const at = last[index]?.data?.import?.endedAt;
    return !source.lastImportId || (at !== undefined && now - Date.parse(at) > oldMs);
  });
  return (
    <Table
      query={isReading ? { ...query, data: undefined, error: undefined } : query}
      empty={<Empty icon="check" title={text('quality.none.stale')} />}
      label={text('quality.tab.stale')}
      rows={rows}
      rowKey={(source) => source.id ?? ''}
      columns={(column) => [
        column('source', text('quality.source'), (source) => (
          <Link to="/sources/$source" params={{ source: source.id ?? '' }}>
            <Name strong>{source.displayName}</Name>
          </Link>
        )),
        column('last', text('quality.last'), (source) => <LastFile source={source} />),
        column(
          'next',
          text('quality.next'),
          (source) => (
            <Link to="/import" search={{ source: source.id }}>
              {text('quality.next.stale')}
            </Link>
          ),
          { narrow: 'second' },
        ),
      ]}
    />
  );
}
