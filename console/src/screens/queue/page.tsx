/** The queue of a review: what is asked of one, what stands out first, decided by keyboard alone. */
import { useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useSession } from '~/data/session/session.ts';
import { Failed } from '~/parts/states/failed.tsx';
import { Skeleton } from '~/parts/states/skeleton.tsx';
import { text } from '~/text/text.ts';
import { addressOf, queueView } from './address.ts';
import { Frame } from './frame.tsx';
import styles from './queue.module.css';
import { queueRoute } from './route.tsx';
import { useOpenQueue } from './use-open-queue.ts';
import { QueueContext, useQueue, useQueueState } from './use-queue.ts';
import { useGrouping } from './use-presentation.ts';
import { useReviewInfo } from './use-review-info.ts';

export function QueuePage() {
  const { review } = queueRoute.useParams();
  const queue = useOpenQueue(useSession(), review, queueRoute.useSearch());
  return queue === undefined ? (
    <Skeleton rows={12} />
  ) : (
    <QueueContext value={queue}>
      <Opened key={review} reviewId={review} />
    </QueueContext>
  );
}

function Opened({ reviewId }: { reviewId: string }) {
  const { store, retryRows } = useQueue();
  const isReady = useQueueState((state) => state.isReady);
  const current = useQueueState((state) => state.current);
  const isFailed = useQueueState(({ rows }) => rows.phase === 'failed' && rows.list.length === 0);
  const info = useReviewInfo(reviewId);
  const address = queueRoute.useSearch();
  const navigate = useNavigate();
  const isSubmitting = useLocation({ select: ({ pathname }) => pathname.endsWith('/submit') });
  const view = queueView(address);
  const wanted = JSON.stringify(view);
  useGrouping(
    reviewId,
    address,
    (by) => void navigate({ to: '/r/$review', params: { review: reviewId }, search: addressOf({ ...view, by }), replace: true }),
  );
  useEffect(() => {
    document.title = text('app.titled', { title: info?.displayName ?? text('queue.title') });
  }, [info]);
  useEffect(() => {
    if (isReady) {
      store.dispatch({ kind: 'view', view: JSON.parse(wanted) as typeof view });
    }
  }, [store, isReady, wanted]);
  // The task in the address follows a moment later: it is for the link and the next visit, and no key waits for it.
  useEffect(() => {
    if (!isReady || current === '' || current === address.task) {
      return undefined;
    }
    const timer = setTimeout(() => void navigate({ to: '.', search: addressOf(store.state.view, current), replace: true }), 400);
    return () => clearTimeout(timer);
  });
  if (isFailed) {
    return (
      <main className={styles.alone}>
        <Failed error={store.state.rows.error} retry={retryRows} />
      </main>
    );
  }
  const go = (to: '/r/$review' | '/r/$review/submit', search = addressOf(store.state.view, store.state.current), replace = false) =>
    void navigate({ to, params: { review: reviewId }, search, replace });
  // The list changes at once, and the address follows: the next key acts on what is in sight. Writing a filter is no way to go back by.
  const onView = (parts: Partial<typeof view>) => {
    const next = { ...store.state.view, ...parts };
    store.dispatch({ kind: 'view', view: next });
    go('/r/$review', addressOf(next), parts.q !== undefined);
  };
  return (
    <Frame
      info={info}
      view={view}
      isSubmitting={isSubmitting}
      onView={onView}
      onSubmit={() => go('/r/$review/submit')}
      onBack={() => go('/r/$review')}
    />
  );
}
