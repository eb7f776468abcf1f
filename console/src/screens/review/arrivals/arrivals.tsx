/** Access that came into the scope after the snapshot, about which the review asks nobody, and the act that makes a supplementary review of it. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '~/parts/controls/button.tsx';
import { Note } from '~/parts/states/note.tsx';
import { errorMessage, useAct } from '~/data/act.ts';
import { count } from '~/data/count.ts';
import { read } from '~/data/query.ts';
import { ofReviews } from '~/data/reviews/review.ts';
import { text } from '~/text/text.ts';
import { ArrivalsTable } from './arrivals-table.tsx';
import styles from './arrivals.module.css';
import { type ArrivalCounts, sayCame } from './say-came.ts';

type Supplement = NonNullable<ArrivalCounts['supplements']>[number];

function ReviewLink({ review }: { review: Supplement }) {
  return (
    <Link to="/reviews/$reviewId/$tab" params={{ reviewId: review.accessReviewId ?? '', tab: 'progress' }}>
      {review.displayName || text('reviews.unnamed')}
    </Link>
  );
}

export function Arrivals({ reviewId }: { reviewId: string }) {
  const [isShown, setShown] = useState(false);
  const counts = useQuery({ ...read('ReviewArrivalService.Get', { accessReviewId: reviewId }), staleTime: 0 }).data?.counts;
  const supplement = useAct('ReviewArrivalService.Supplement', 'ReviewArrivalService.Get', 'ReviewArrivalService.List', ...ofReviews);
  if (counts === undefined) {
    return null;
  }
  const unasked = count(counts.unasked);
  const { supplements = [], supplementOf } = counts;
  return (
    <section aria-labelledby="arrivals" className={styles.arrivals}>
      <h2 id="arrivals">{text('arrivals.title')}</h2>
      {supplementOf === undefined ? null : (
        <p>
          {text('arrivals.supplementOf')} <ReviewLink review={supplementOf} />
        </p>
      )}
      <Note
        kind={unasked > 0 || counts.counted !== true ? 'warn' : 'ok'}
        action={
          <>
            {count(counts.arrived) > 0 ? (
              <Button variant="quiet" aria-expanded={isShown} onClick={() => setShown(!isShown)}>
                {text(isShown ? 'arrivals.hide' : 'arrivals.show')}
              </Button>
            ) : null}
            {counts.maySupplement ? (
              <Button busy={supplement.isPending} onClick={() => supplement.mutate({ accessReviewId: reviewId })}>
                {text('arrivals.supplement', { count: unasked })}
              </Button>
            ) : null}
          </>
        }
      >
        <p>{sayCame(counts)}</p>
        {unasked > 0 ? <p className={styles.quiet}>{text('arrivals.what')}</p> : null}
      </Note>
      {supplement.isError ? <Note kind="fault">{errorMessage(supplement.error)}</Note> : null}
      {supplements.length === 0 ? null : (
        <ul>
          {supplements.map((one) => (
            <li key={one.accessReviewId}>
              <ReviewLink review={one} /> {text('arrivals.items', { count: count(one.items) })}
            </li>
          ))}
        </ul>
      )}
      {isShown ? <ArrivalsTable reviewId={reviewId} /> : null}
    </section>
  );
}
