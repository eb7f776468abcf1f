/** How far the apps or the departments of a review are. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { Empty } from '../../parts/empty.tsx';
import { Failed } from '../../parts/failed.tsx';
import { Pages } from '../../parts/pages.tsx';
import { Progress } from '../../parts/progress.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { Table } from '../../parts/table.tsx';
import { count } from '../../data/count.ts';
import { readPages } from '../../data/query.ts';
import { number } from '../../text/format.ts';
import { text } from '../../text/text.ts';

interface PartsTableProps {
  readonly reviewId: string;
  readonly by: 'apps' | 'departments';
  readonly onlyLate: boolean;
}

export function PartsTable({ reviewId, by, onlyLate }: PartsTableProps) {
  const query = useInfiniteQuery(
    readPages(by === 'apps' ? 'ReviewProgressService.ListApps' : 'ReviewProgressService.ListDepartments', {
      accessReviewId: reviewId,
      pageSize: 100,
    }),
  );
  if (query.isPending) {
    return <Skeleton rows={5} />;
  }
  if (query.isError) {
    return <Failed error={query.error} retry={() => void query.refetch()} />;
  }
  const rows = query.data.pages.flatMap(({ list }) => list ?? []).filter((row) => !onlyLate || count(row.overdue) > 0);
  return (
    <>
      <Table
        label={by === 'apps' ? text('review.apps') : text('review.departments')}
        rows={rows}
        rowKey={(row) => row.key ?? ''}
        columns={[
          {
            id: 'name',
            head: by === 'apps' ? text('review.app') : text('review.department'),
            cell: (row) => row.displayName || row.key || text('review.noDepartment'),
          },
          {
            id: 'bar',
            head: text('review.decided'),
            width: 192,
            narrow: 'hide',
            cell: (row) => (
              <Progress
                value={count(row.total) - count(row.open)}
                max={count(row.total)}
                denied={count(row.revoked)}
                label={row.displayName || text('review.noDepartment')}
              />
            ),
          },
          {
            id: 'count',
            head: '',
            cell: (row) => text('review.of', { part: number(count(row.total) - count(row.open)), whole: number(count(row.total)) }),
          },
          { id: 'denied', head: text('review.denied'), align: 'end', narrow: 'hide', cell: (row) => number(count(row.revoked)) },
          { id: 'late', head: text('review.late'), align: 'end', narrow: 'hide', cell: (row) => number(count(row.overdue)) },
        ]}
      />
      {rows.length === 0 ? <Empty title={onlyLate ? text('review.noneLate') : text('review.noParts')} /> : null}
      <Pages query={query} />
    </>
  );
}
