/** The queue of a review: what is asked of one, what stands out first, decided by keyboard alone. */
import { useLocation, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useSession } from '../../data/session.ts';
import { Failed } from '../../parts/failed.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { text } from '../../text/text.ts';
import { addressOf, readAddress, viewOf } from './address.ts';
import { Frame } from './frame.tsx';
import styles from './queue.module.css';
import { useModel, useQueue, type Queue } from './use-queue.ts';
import { useReviewInfo } from './use-review-info.ts';

export function QueuePage() {
  const { review = '' } = useParams({ strict: false });
  const session = useSession();
  const address = readAddress(useSearch({ strict: false }));
  const queue = useQueue(session, review, address);
  return queue === undefined ? <Skeleton rows={12} /> : <Opened key={review} queue={queue} reviewId={review} />;
}

function Opened({ queue, reviewId }: { queue: Queue; reviewId: string }) {
  const model = useModel(queue.model);
  const info = useReviewInfo(reviewId);
  const address = readAddress(useSearch({ strict: false }));
  const navigate = useNavigate();
  const isSubmitting = useLocation({ select: ({ pathname }) => pathname.endsWith('/submit') });
  const view = viewOf(address);
  const wanted = JSON.stringify(view);
  useEffect(() => {
    document.title = text('app.titled', { title: info?.displayName ?? text('queue.title') });
  }, [info]);
  useEffect(() => {
    if (model.isReady) {
      model.setView(JSON.parse(wanted) as typeof view);
    }
  }, [model, wanted]);
  // The task in the address follows a moment later: it is for the link and the next visit, and no key waits for it.
  useEffect(() => {
    if (!model.isReady || model.current === '' || model.current === address.task) {
      return undefined;
    }
    const timer = setTimeout(() => void navigate({ to: '.', search: addressOf(view, model.current) as never, replace: true }), 400);
    return () => clearTimeout(timer);
  });
  if (model.rows.state === 'failed' && model.rows.rows.length === 0) {
    return (
      <main className={styles.alone}>
        <Failed error={model.rows.error} retry={() => void model.rows.read().then(() => model.setView(view))} />
      </main>
    );
  }
  const go = (path: string, search = addressOf(view, model.current)) => void navigate({ to: path, search: search as never });
  return (
    <Frame
      queue={queue}
      info={info}
      view={view}
      isSubmitting={isSubmitting}
      onView={(next) => go(`/r/${reviewId}`, addressOf(next))}
      onSubmit={() => go(`/r/${reviewId}/submit`)}
      onBack={() => go(`/r/${reviewId}`)}
    />
  );
}
