/** The frame of one review: its name and state, what can be done to it, and its tabs. */
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { Page } from '../../app/page.tsx';
import { StageChip } from '../../app/stage-chip.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { count } from '../../data/count.ts';
import { progressQuery, reviewQuery, stageOf } from '../../data/review.ts';
import { text } from '../../text/text.ts';
import { Actions } from './actions.tsx';
import { CommentsTab } from './comments.tsx';
import { HistoryTab } from './history.tsx';
import { ItemsTab } from './items.tsx';
import { ProgressTab } from './progress.tsx';
import { RemovalsTab } from './removals.tsx';
import type { Tab } from './route.tsx';
import { SettingsTab } from './settings.tsx';
import { SubmissionsTab } from './submissions.tsx';

export function ReviewPage() {
  const { reviewId = '', tab } = useParams({ strict: false }) as { reviewId?: string; tab?: Tab };
  const progress = useQuery(progressQuery(reviewId));
  const atWork = progress.data?.progress;
  const found = useSuspenseQuery({
    ...reviewQuery(reviewId),
    // A close that was begun is looked at until it is through.
    refetchInterval: ({ state }) =>
      atWork?.phase === 'CLOSE' && !atWork.error && state.data?.accessReview?.accessReview?.state === 'ACCESS_REVIEW_STATE_OPEN'
        ? 1000
        : false,
  });
  const view = found.data.accessReview ?? {};
  const review = view.accessReview ?? {};
  const at = (one: Tab) => `/reviews/${reviewId}/${one}`;
  const props = { reviewId, view, progress: progress.data };
  return (
    <Page
      title={review.displayName || text('reviews.unnamed')}
      before={<Link to={'/reviews' as string}>{text('nav.reviews')}</Link>}
      beside={<StageChip stage={stageOf(review)} />}
      actions={<Actions {...props} />}
      width="wide"
      tabs={
        <Tabs
          label={text('review.parts')}
          items={[
            { to: at('progress'), label: text('review.progress') },
            { to: at('items'), label: text('review.items'), count: count(progress.data?.counts?.total) },
            { to: at('submissions'), label: text('review.submissions') },
            { to: at('comments'), label: text('review.comments') },
            { to: at('removals'), label: text('review.removals'), count: count(progress.data?.removals?.total) },
            { to: at('settings'), label: text('review.settings') },
            { to: at('history'), label: text('review.history') },
          ]}
        />
      }
    >
      {tab === 'progress' ? <ProgressTab {...props} /> : null}
      {tab === 'items' ? <ItemsTab {...props} /> : null}
      {tab === 'submissions' ? <SubmissionsTab {...props} /> : null}
      {tab === 'comments' ? <CommentsTab {...props} /> : null}
      {tab === 'removals' ? <RemovalsTab {...props} /> : null}
      {tab === 'settings' ? <SettingsTab {...props} /> : null}
      {tab === 'history' ? <HistoryTab {...props} /> : null}
    </Page>
  );
}
