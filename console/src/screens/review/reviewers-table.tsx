/** Who is asked in a review, what they have left, and how they decide. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Empty } from '../../parts/empty.tsx';
import { Failed } from '../../parts/failed.tsx';
import { Initials } from '../../parts/initials.tsx';
import { Pages } from '../../parts/pages.tsx';
import { Progress } from '../../parts/progress.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { Table } from '../../parts/table.tsx';
import { When } from '../../parts/when.tsx';
import { count } from '../../data/count.ts';
import { read, readPages } from '../../data/query.ts';
import type { Progress as ReviewProgress, ReviewView } from '../../data/review.ts';
import { number } from '../../text/format.ts';
import { text } from '../../text/text.ts';
import { Pace } from './pace.tsx';
import styles from './progress.module.css';

interface ReviewersTableProps {
  readonly reviewId: string;
  readonly view: ReviewView;
  readonly progress: ReviewProgress;
  readonly onlyLate: boolean;
}

export function ReviewersTable({ reviewId, onlyLate }: ReviewersTableProps) {
  const query = useInfiniteQuery(readPages('ReviewProgressService.ListReviewers', { accessReviewId: reviewId, pageSize: 100 }));
  const figures = useQuery(read('ReviewerFigureService.List', { accessReviewId: reviewId, pageSize: 100 }));
  const notices = useQuery(read('MailService.ListNotices', { accessReviewId: reviewId, pageSize: 1000 }));
  if (query.isPending) {
    return <Skeleton rows={6} />;
  }
  if (query.isError) {
    return <Failed error={query.error} retry={() => void query.refetch()} />;
  }
  const rows = query.data.pages.flatMap(({ list }) => list ?? []).filter((row) => !onlyLate || count(row.overdue) > 0);
  const figuresOf = new Map((figures.data?.list ?? []).map((one) => [one.userId ?? '', one]));
  const reminded = new Map<string, number>();
  for (const { kind, userId = '' } of notices.data?.list ?? []) {
    if (kind === 'REMINDER' || kind === 'REVIEW_REMINDED' || kind === 'TASK_REMINDED') {
      reminded.set(userId, (reminded.get(userId) ?? 0) + 1);
    }
  }
  return (
    <>
      <Table
        label={text('review.reviewers')}
        rows={rows}
        rowKey={(row) => row.userId ?? ''}
        columns={[
          {
            id: 'name',
            head: text('review.reviewer'),
            cell: (row) => (
              <span className={styles.person}>
                <Initials name={row.displayName || row.email || ''} />
                <Link to={`/reviews/${reviewId}/items` as string} search={{ reviewer: row.userId } as never}>
                  {row.displayName || row.email}
                </Link>
              </span>
            ),
          },
          {
            id: 'bar',
            head: text('review.decided'),
            width: 160,
            narrow: 'hide',
            cell: (row) => (
              <Progress
                value={count(row.asked) - count(row.open)}
                max={count(row.asked)}
                denied={Math.min(count(row.denials), count(row.asked) - count(row.open))}
                label={row.displayName ?? ''}
              />
            ),
          },
          {
            id: 'count',
            head: '',
            cell: (row) => text('review.of', { part: number(count(row.asked) - count(row.open)), whole: number(count(row.asked)) }),
          },
          {
            id: 'denied',
            head: '',
            narrow: 'hide',
            cell: (row) => <span className={styles.quiet}>{text('review.deniedCount', { count: count(row.denials) })}</span>,
          },
          {
            id: 'seen',
            head: text('review.lastSeen'),
            narrow: 'hide',
            cell: (row) =>
              row.lastSeenAt === undefined && row.lastActedAt === undefined ? (
                <span className={styles.warn}>{text('review.notYet')}</span>
              ) : (
                <When at={row.lastSeenAt ?? row.lastActedAt ?? ''} />
              ),
          },
          {
            id: 'pace',
            head: text('review.paceHead'),
            narrow: 'hide',
            cell: (row) => <Pace row={row} figures={figuresOf.get(row.userId ?? '')} />,
          },
          {
            id: 'reminded',
            head: text('review.reminded'),
            align: 'end',
            narrow: 'hide',
            cell: (row) => <span className={styles.quiet}>{text('review.times', { count: reminded.get(row.userId ?? '') ?? 0 })}</span>,
          },
        ]}
      />
      {rows.length === 0 ? <Empty title={onlyLate ? text('review.noneLate') : text('review.noReviewers')} /> : null}
      <Pages query={query} />
    </>
  );
}
