/** Progress of the apps or the departments of a review. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { sayEndedWithoutPerson } from '~/app/reviews/ended-without-person.ts';
import { Empty } from '~/parts/states/empty.tsx';
import { Progress } from '~/parts/drawings/progress.tsx';
import { Table } from '~/parts/tables/table.tsx';
import { count } from '~/data/count.ts';
import { pageRows } from '~/data/pages.ts';
import { readPages } from '~/data/query.ts';
import { number } from '~/text/format.ts';
import { text } from '~/text/text.ts';
import styles from './progress.module.css';

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
  const rows = pageRows(query.data).filter((row) => !onlyLate || count(row.overdue) > 0);
  return (
    <Table
      query={query}
      empty={<Empty title={onlyLate ? text('review.noneLate') : text('review.noParts')} />}
      label={by === 'apps' ? text('review.apps') : text('review.departments')}
      rows={rows}
      rowKey={(row) => row.key ?? ''}
      columns={(column) => [
        column(
          'name',
          by === 'apps' ? text('review.app') : text('review.department'),
          (row) => row.displayName || row.key || text('review.noDepartment'),
        ),
        column(
          'bar',
          text('review.decided'),
          (row) => (
            <Progress
              value={count(row.byPeople)}
              max={count(row.total)}
              denied={count(row.deniedByPeople)}
              label={row.displayName || text('review.noDepartment')}
            />
          ),
          { width: 192, narrow: 'hide', isExtra: true },
        ),
        column('count', '', (row) => text('review.of', { part: number(count(row.byPeople)), whole: number(count(row.total)) })),
        column(
          'otherwise',
          text('review.otherwise'),
          (row) => <span className={styles.quiet}>{sayEndedWithoutPerson(row).join(', ')}</span>,
          {
            narrow: 'hide',
          },
        ),
        column('denied', text('review.denied'), (row) => number(count(row.deniedByPeople)), { align: 'end', narrow: 'hide' }),
        column('late', text('review.late'), (row) => number(count(row.overdue)), { align: 'end', narrow: 'hide' }),
      ]}
    />
  );
}
