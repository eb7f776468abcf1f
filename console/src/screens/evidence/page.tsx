/** The evidence of one review: what was checked, its reports with their hashes, who acknowledged it, and how people decided. */
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Page } from '~/app/page.tsx';
import { StageChip } from '~/app/reviews/stage-chip.tsx';
import { ButtonLink } from '~/parts/controls/button-link.tsx';
import { count } from '~/data/count.ts';
import { useNamesAt } from '~/data/names-at.ts';
import { read } from '~/data/query.ts';
import { progressQuery, reviewQuery, reviewStage } from '~/data/reviews/review.ts';
import { exactTime } from '~/text/format.ts';
import { text } from '~/text/text.ts';
import { Bundle } from './bundle.tsx';
import { Checkpoint } from './checkpoint.tsx';
import { Checks } from './checks.tsx';
import styles from './evidence.module.css';
import { HowDecided } from './how-decided.tsx';
import { PeopleAsked } from './people-asked.tsx';
import { Population } from './population.tsx';
import { Reports } from './reports.tsx';
import { Retention } from './retention.tsx';
import { evidenceRoute } from './route.tsx';
import { Signatures } from './signatures.tsx';
import { TieOut } from './tie-out.tsx';

export function EvidencePage() {
  const { reviewId } = evidenceRoute.useParams();
  const view = useSuspenseQuery(reviewQuery(reviewId)).data.accessReview ?? {};
  const review = view.accessReview ?? {};
  const progress = useQuery(progressQuery(reviewId)).data;
  const acknowledgement = useQuery(read('ReviewAcknowledgementService.GetAcknowledgement', { accessReviewId: reviewId })).data
    ?.acknowledgement;
  const nameAt = useNamesAt([[acknowledgement?.acknowledgedById, acknowledgement?.acknowledgedAt]]);
  return (
    <Page
      title={review.displayName ?? ''}
      before={<Link to="/evidence">{text('nav.evidence')}</Link>}
      beside={<StageChip stage={reviewStage(review)} />}
      actions={
        <ButtonLink to="/reviews/$reviewId/$tab" params={{ reviewId, tab: 'progress' }}>
          {text('evidence.toReview')}
        </ButtonLink>
      }
      width="bare"
    >
      <div className={styles.page}>
        <div className={styles.main}>
          <Checks reviewId={reviewId} progress={progress} />
          {progress === undefined ? null : <Population reviewId={reviewId} review={review} items={count(progress.counts?.total)} />}
          <TieOut reviewId={reviewId} />
          <PeopleAsked reviewId={reviewId} />
          <Signatures reviewId={reviewId} review={review} />
        </div>
        <aside className={styles.aside} aria-label={text('evidence.files')}>
          <Bundle reviewId={reviewId} isClosed={reviewStage(review) === 'closed'} />
          <Reports reviewId={reviewId} view={view} />
          <section>
            <h2>{text('sample.title')}</h2>
            <p className={styles.quiet}>{text('evidence.sampleWhat')}</p>
            <p>
              <Link to="/evidence/$reviewId/sample" params={{ reviewId }}>
                {text('evidence.toSample')}
              </Link>
            </p>
          </section>
          <section>
            <h2>{text('evidence.whoAcknowledged')}</h2>
            <p className={styles.quiet}>
              {acknowledgement?.acknowledgedById
                ? text(acknowledgement.valid ? 'review.acknowledgedBy' : 'review.acknowledgedVoid', {
                    name: nameAt(acknowledgement.acknowledgedById, acknowledgement.acknowledgedAt),
                    at: exactTime(acknowledgement.acknowledgedAt ?? ''),
                  })
                : text('evidence.notAcknowledged')}
            </p>
            {acknowledgement?.comment ? <p>{acknowledgement.comment}</p> : null}
            {acknowledgement?.signatureId ? (
              <p>
                <Link to="/signatures/$id" params={{ id: acknowledgement.signatureId }}>
                  {text('signature.one')}
                </Link>
              </p>
            ) : null}
            {acknowledgement?.digest ? <code className={styles.hash}>{acknowledgement.digest}</code> : null}
          </section>
          <HowDecided reviewId={reviewId} />
          <Checkpoint />
          <Retention review={review} />
        </aside>
      </div>
    </Page>
  );
}
