/** Sources whose last delivery is old: a review would look at access as it was then. */
import { useInfiniteQuery, useQueries } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { LastFile } from '../../app/last-file.tsx';
import type { Source } from '../../data/inventory.ts';
import { rowsOf, useFurtherPages } from '../../data/pages.ts';
import { read, readPages } from '../../data/query.ts';
import { Empty } from '../../parts/empty.tsx';
import { Load } from '../../parts/load.tsx';
import { Name } from '../../parts/name.tsx';
import { Pages } from '../../parts/pages.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { Table } from '../../parts/table.tsx';
import { text } from '../../text/text.ts';

/** Older than this is old. */
const oldMs = 7 * 86_400_000;

export function Stale() {
  const query = useInfiniteQuery(readPages('SourceService.List', { pageSize: 100 }));
  useFurtherPages(query, true);
  const sources = rowsOf<Source>(query.data).filter((source) => source.kind !== 'SOURCE_KIND_SCIM');
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
    <Load query={query}>
      {() =>
        isReading ? (
          <Skeleton rows={4} />
        ) : rows.length === 0 ? (
          <Empty icon="check" title={text('quality.none.stale')} />
        ) : (
          <>
            <Table
              label={text('quality.tab.stale')}
              rows={rows}
              rowKey={(source) => source.id ?? ''}
              columns={[
                {
                  id: 'source',
                  head: text('quality.source'),
                  cell: (source) => (
                    <Link to={`/sources/${source.id}` as string}>
                      <Name strong>{source.displayName}</Name>
                    </Link>
                  ),
                },
                { id: 'last', head: text('quality.last'), cell: (source) => <LastFile source={source} /> },
                {
                  id: 'next',
                  head: text('quality.next'),
                  narrow: 'second',
                  cell: (source) => (
                    <Link to={'/import' as string} search={{ source: source.id } as never}>
                      {text('quality.next.stale')}
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
