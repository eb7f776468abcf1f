/** Who is asked in a review, what they have left, and how they decide. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Checkbox } from '../../parts/checkbox.tsx';
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
import type { ReviewView } from '../../data/review.ts';
import { number } from '../../text/format.ts';
import { text } from '../../text/text.ts';
import { Pace } from './pace.tsx';
import { RemindBar } from './remind-bar.tsx';
import styles from './progress.module.css';

interface ReviewersTableProps {
  readonly reviewId: string;
  readonly view: ReviewView;
  readonly onlyLate: boolean;
}

export function ReviewersTable({ reviewId, view, onlyLate }: ReviewersTableProps) {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const query = useInfiniteQuery(readPages('ReviewProgressService.ListReviewers', { accessReviewId: reviewId, pageSize: 100 }));
  const figures = useQuery(read('ReviewerFigureService.List', { accessReviewId: reviewId, pageSize: 100 }));
  if (query.isPending) {
    return <Skeleton rows={6} />;
  }
  if (query.isError) {
    return <Failed error={query.error} retry={() => void query.refetch()} />;
  }
  const rows = query.data.pages.flatMap(({ list }) => list ?? []).filter((row) => !onlyLate || count(row.overdue) > 0);
  const figuresOf = new Map((figures.data?.list ?? []).map((one) => [one.userId ?? '', one]));
  const mayRemind = view.accessReview?.state === 'ACCESS_REVIEW_STATE_OPEN' && view.objectPermissions?.edit === true;
  const toggle = (id: string, checked: boolean) =>
    setSelected(new Set(checked ? [...selected, id] : [...selected].filter((one) => one !== id)));
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
                {mayRemind ? (
                  <Checkbox
                    label={text('review.selectReviewer', { name: row.displayName || row.email || '' })}
                    checked={selected.has(row.userId ?? '')}
                    onChange={(checked) => toggle(row.userId ?? '', checked)}
                    hideLabel
                  />
                ) : null}
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
            cell: (row) => <span className={styles.quiet}>{text('review.times', { count: count(row.reminders) })}</span>,
          },
        ]}
      />
      {rows.length === 0 ? <Empty title={onlyLate ? text('review.noneLate') : text('review.noReviewers')} /> : null}
      <Pages query={query} />
      {mayRemind && selected.size > 0 ? (
        <RemindBar reviewId={reviewId} userIds={[...selected]} onDone={() => setSelected(new Set())} />
      ) : null}
    </>
  );
}
