/** Review's progress: what is left by day, the figures, what deserves a look, and who has what left. */
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { BurnDown } from '~/parts/drawings/burn-down.tsx';
import { Checkbox } from '~/parts/controls/checkbox.tsx';
import { Segments } from '~/parts/controls/segments.tsx';
import { Skeleton } from '~/parts/states/skeleton.tsx';
import { count } from '~/data/count.ts';
import { forget } from '~/data/query.ts';
import { text } from '~/text/text.ts';
import { Arrivals } from '~/screens/review/arrivals/arrivals.tsx';
import { Figures } from './figures.tsx';
import { Signals } from './signals.tsx';
import { PartsTable } from './parts-table.tsx';
import type { TabProps } from '~/screens/review/props.ts';
import styles from './progress.module.css';
import { ReviewersTable } from './reviewers-table.tsx';
import type { ReviewSearch } from '~/screens/review/route.tsx';
import { reviewRoute } from '~/screens/review/route.tsx';

/** The figures are read again and again; when they are others, so are those of the tables beneath. */
function useTablesOf(counts: object | undefined): void {
  const told = counts === undefined ? undefined : JSON.stringify(counts);
  const before = useRef(told);
  useEffect(() => {
    if (before.current !== undefined && before.current !== told) {
      void forget(
        'ReviewProgressService.ListReviewers',
        'ReviewProgressService.ListApps',
        'ReviewProgressService.ListDepartments',
        'ReviewerFigureService.List',
      );
    }
    before.current = told;
  }, [told]);
}

export function ProgressTab({ reviewId, view, progress }: TabProps) {
  useTablesOf(progress?.counts);
  const search = reviewRoute.useSearch();
  const navigate = useNavigate();
  const by = search.by ?? 'reviewers';
  const change = (next: ReviewSearch) =>
    void navigate({ to: '/reviews/$reviewId/$tab', params: { reviewId, tab: 'progress' }, search: next, replace: true });
  if (progress === undefined) {
    return <Skeleton rows={8} />;
  }
  const review = view.accessReview ?? {};
  return (
    <div className={styles.page}>
      <div className={styles.top}>
        <section aria-labelledby="left">
          <h2 id="left">{text('review.leftToDecide')}</h2>
          <BurnDown
            days={(progress.history ?? []).map((day) => ({ day: day.day ?? '', open: count(day.open) }))}
            total={count(progress.counts?.total)}
            left={count(progress.counts?.undecided)}
            startedAt={review.startedAt}
            dueAt={progress.pace?.dueAt}
            perDay={count(progress.pace?.decisionsPerDay)}
            isOver={review.state === 'ACCESS_REVIEW_STATE_CLOSED'}
          />
        </section>
        <section className={styles.aside} aria-label={text('review.figures')}>
          <Figures progress={progress} review={review} />
          <Signals reviewId={reviewId} progress={progress} review={review} />
        </section>
      </div>
      {count(progress.counts?.total) > 0 ? <Arrivals reviewId={reviewId} /> : null}
      <div className={styles.bar}>
        <Segments
          label={text('review.divided')}
          value={by}
          onChange={(value) => change(value === 'reviewers' ? (search.late ? { late: true } : {}) : { by: value as 'apps' })}
          options={[
            { value: 'reviewers', label: text('review.reviewers') },
            { value: 'apps', label: text('review.apps') },
            { value: 'departments', label: text('review.departments') },
          ]}
        />
        <Checkbox
          label={text('review.onlyLate')}
          checked={search.late === true}
          onChange={(late) => change({ ...(search.by ? { by: search.by } : {}), ...(late ? { late: true } : {}) })}
        />
      </div>
      {by === 'reviewers' ? (
        <ReviewersTable reviewId={reviewId} view={view} onlyLate={search.late === true} />
      ) : (
        <PartsTable key={by} reviewId={reviewId} by={by} onlyLate={search.late === true} />
      )}
    </div>
  );
}
