/** The check of a review: what it would ask whom, and the steps to its start. Everything shown was counted by the server. */
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Link, linkOptions } from '@tanstack/react-router';
import { Page } from '~/app/page.tsx';
import { StageChip } from '~/app/reviews/stage-chip.tsx';
import { Failed } from '~/parts/states/failed.tsx';
import { Note } from '~/parts/states/note.tsx';
import { Skeleton } from '~/parts/states/skeleton.tsx';
import { count } from '~/data/count.ts';
import { read } from '~/data/query.ts';
import { progressQuery, reviewQuery, reviewStage } from '~/data/reviews/review.ts';
import { exactTime } from '~/text/format.ts';
import { text } from '~/text/text.ts';
import { Actions } from './actions.tsx';
import { Asked } from './asked.tsx';
import { Basis } from './basis.tsx';
import styles from './check.module.css';
import { Findings } from './findings.tsx';
import { Working } from './working.tsx';
import { checkRoute } from './route.tsx';

export function CheckPage() {
  const { reviewId } = checkRoute.useParams();
  const { data } = useSuspenseQuery({
    ...reviewQuery(reviewId),
    refetchInterval: ({ state }) => {
      const now = reviewStage(state.data?.accessReview?.accessReview ?? {});
      return now === 'preparing' || now === 'starting' ? 1000 : false;
    },
  });
  const view = data.accessReview ?? {};
  const review = view.accessReview ?? {};
  const stage = reviewStage(review);
  const isWorking = stage === 'preparing' || stage === 'starting';
  // Once it runs, what would be asked is history: its pages say what is.
  const isPast = stage === 'running' || stage === 'late' || stage === 'closed' || stage === 'gone';
  const progress = useQuery(progressQuery(reviewId)).data;
  const preview = useQuery({
    ...read('ReviewSelectionService.Preview', { accessReviewId: reviewId }),
    enabled: !isWorking && !isPast,
    retry: false,
    staleTime: 0,
  });
  const failure = progress?.progress?.error ?? '';
  return (
    <Page
      title={review.displayName || text('reviews.unnamed')}
      before={<Link to="/reviews">{text('nav.reviews')}</Link>}
      beside={<StageChip stage={stage} />}
      actions={<Actions reviewId={reviewId} view={view} stage={stage} preview={preview.data} />}
      width="bare"
    >
      <div className={styles.page}>
        <div className={styles.main}>
          <div>
            <h2 className={styles.title}>{text('check.title')}</h2>
            {isPast ? null : (
              <p className={styles.quiet}>
                {stage === 'draft'
                  ? text('check.draft', { count: count(preview.data?.items) })
                  : review.connectorSourcesFrozenAt
                    ? text('check.frozen', { count: count(progress?.counts?.total), at: exactTime(review.connectorSourcesFrozenAt) })
                    : text('check.working')}
              </p>
            )}
          </div>
          {isWorking ? <Working stage={stage} progress={progress} /> : null}
          {failure !== '' && !isWorking ? <Note kind="fault">{failure}</Note> : null}
          {isPast ? (
            <Note kind="info">
              {stage === 'closed' && review.closedAt
                ? text('check.wasClosed', { at: exactTime(review.closedAt) })
                : text('check.wasStarted')}{' '}
              <Link
                {...(stage === 'closed'
                  ? linkOptions({ to: '/evidence/$reviewId', params: { reviewId } })
                  : linkOptions({ to: '/reviews/$reviewId/$tab', params: { reviewId, tab: 'progress' } }))}
              >
                {text(stage === 'closed' ? 'check.toEvidence' : 'check.toProgress')}
              </Link>
            </Note>
          ) : null}
          {preview.isLoading ? <Skeleton rows={8} /> : null}
          {preview.isError ? <Failed error={preview.error} retry={() => void preview.refetch()} /> : null}
          {preview.data === undefined ? null : (
            <>
              <Findings reviewId={reviewId} preview={preview.data} review={review} />
              <Asked preview={preview.data} />
            </>
          )}
        </div>
        <aside className={styles.aside} aria-label={text('check.restsOn')}>
          <Basis reviewId={reviewId} preview={preview.data} isFrozen={stage !== 'draft'} />
        </aside>
      </div>
    </Page>
  );
}
