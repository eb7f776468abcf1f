/** The frame of one review: its name and state, what can be done to it, and its tabs. */
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Link, linkOptions } from '@tanstack/react-router';
import { lazyPage } from '~/app/lazy-page.ts';
import { type ComponentType, Suspense } from 'react';
import { ReviewHold } from '~/app/evidence/review-hold.tsx';
import { Page } from '~/app/page.tsx';
import { StageChip } from '~/app/reviews/stage-chip.tsx';
import { Skeleton } from '~/parts/states/skeleton.tsx';
import { Tabs } from '~/parts/layout/tabs.tsx';
import { count } from '~/data/count.ts';
import { progressQuery, reviewQuery, reviewStage } from '~/data/reviews/review.ts';
import { text } from '~/text/text.ts';
import { Actions } from './acts/actions.tsx';
import { ProgressTab } from './progress/progress.tsx';
import type { TabProps } from './props.ts';
import { reviewRoute, type Tab } from './route.tsx';

/** The first that is looked at comes with the page, each other when it is opened. */
const bodies: Readonly<Record<Tab, ComponentType<TabProps>>> = {
  progress: ProgressTab,
  items: lazyPage(() => import('./items/items.tsx'), 'ItemsTab'),
  submissions: lazyPage(() => import('./submissions.tsx'), 'SubmissionsTab'),
  comments: lazyPage(() => import('./items/comments.tsx'), 'CommentsTab'),
  removals: lazyPage(() => import('./removals.tsx'), 'RemovalsTab'),
  checks: lazyPage(() => import('./checks/checks.tsx'), 'ChecksTab'),
  settings: lazyPage(() => import('./settings.tsx'), 'SettingsTab'),
  history: lazyPage(() => import('./history.tsx'), 'HistoryTab'),
};

export function ReviewPage() {
  const { reviewId, tab } = reviewRoute.useParams();
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
  const at = (one: Tab) => linkOptions({ to: '/reviews/$reviewId/$tab', params: { reviewId, tab: one } });
  const Body = bodies[tab];
  const props = { reviewId, view, progress: progress.data };
  return (
    <Page
      title={review.displayName || text('reviews.unnamed')}
      before={<Link to="/reviews">{text('nav.reviews')}</Link>}
      beside={<StageChip stage={reviewStage(review)} />}
      actions={<Actions {...props} />}
      width="wide"
      tabs={
        <Tabs
          label={text('review.parts')}
          items={[
            { link: at('progress'), label: text('review.progress') },
            { link: at('items'), label: text('review.items'), count: count(progress.data?.counts?.total) },
            { link: at('submissions'), label: text('review.submissions') },
            { link: at('comments'), label: text('review.comments') },
            { link: at('removals'), label: text('review.removals'), count: count(progress.data?.removals?.total) },
            { link: at('checks'), label: text('review.checks') },
            { link: at('settings'), label: text('review.settings') },
            { link: at('history'), label: text('review.history') },
          ]}
        />
      }
    >
      <ReviewHold review={review} />
      <Suspense fallback={<Skeleton rows={8} />}>
        <Body {...props} />
      </Suspense>
    </Page>
  );
}
