/** The evidence of one review: what was checked, its reports with their hashes, who acknowledged it, and how people decided. */
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { Page } from '../../app/page.tsx';
import { StageChip } from '../../app/stage-chip.tsx';
import { ButtonLink } from '../../parts/button-link.tsx';
import { useNames } from '../../data/names.ts';
import { read } from '../../data/query.ts';
import { progressQuery, reviewQuery, stageOf } from '../../data/review.ts';
import { exactTime } from '../../text/format.ts';
import { text } from '../../text/text.ts';
import { Checks } from './checks.tsx';
import styles from './evidence.module.css';
import { HowDecided } from './how-decided.tsx';
import { Reports } from './reports.tsx';
import { Retention } from './retention.tsx';

export function EvidencePage() {
  const { reviewId = '' } = useParams({ strict: false }) as { reviewId?: string };
  const view = useSuspenseQuery(reviewQuery(reviewId)).data.accessReview ?? {};
  const review = view.accessReview ?? {};
  const progress = useQuery(progressQuery(reviewId)).data;
  const acknowledgement = useQuery(read('ReviewAcknowledgementService.GetAcknowledgement', { accessReviewId: reviewId })).data
    ?.acknowledgement;
  const names = useNames([acknowledgement?.acknowledgedById]);
  return (
    <Page
      title={review.displayName ?? ''}
      before={<Link to={'/evidence' as string}>{text('nav.evidence')}</Link>}
      beside={<StageChip stage={stageOf(review)} />}
      actions={<ButtonLink to={`/reviews/${reviewId}/progress`}>{text('evidence.toReview')}</ButtonLink>}
      width="bare"
    >
      <div className={styles.page}>
        <div className={styles.main}>
          <Checks reviewId={reviewId} progress={progress} />
        </div>
        <aside className={styles.aside} aria-label={text('evidence.files')}>
          <Reports reviewId={reviewId} view={view} />
          <section>
            <h2>{text('evidence.whoAcknowledged')}</h2>
            <p className={styles.quiet}>
              {acknowledgement?.acknowledgedById
                ? text(acknowledgement.valid ? 'review.acknowledgedBy' : 'review.acknowledgedVoid', {
                    name: names.get(acknowledgement.acknowledgedById) ?? '',
                    at: exactTime(acknowledgement.acknowledgedAt ?? ''),
                  })
                : text('evidence.notAcknowledged')}
            </p>
            {acknowledgement?.comment ? <p>{acknowledgement.comment}</p> : null}
            {acknowledgement?.digest ? <code className={styles.hash}>{acknowledgement.digest}</code> : null}
          </section>
          <HowDecided reviewId={reviewId} />
          <Retention />
        </aside>
      </div>
    </Page>
  );
}
