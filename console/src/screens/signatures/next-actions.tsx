/** What the signer does next: sign what is still left, sign anew what was not signed, or go back to where they came from. */
import { useQuery } from '@tanstack/react-query';
import { count } from '~/data/count.ts';
import { read } from '~/data/query.ts';
import { isAcknowledgement, type Signature } from '~/data/reviews/signature.ts';
import { ButtonLink } from '~/parts/controls/button-link.tsx';
import { text } from '~/text/text.ts';
import styles from './signatures.module.css';

export function NextActions({ signature }: { signature: Signature }) {
  const { accessReviewId = '', endedBy, state } = signature;
  const acknowledges = isAcknowledgement(signature);
  const reviews = useQuery({ ...read('MyReviewService.List', { pageSize: 100 }), enabled: !acknowledges }).data?.list ?? [];
  const review = reviews.find((one) => one.accessReviewId === accessReviewId);
  const counts = [review?.counts, ...(review?.inPlace ?? []).map((place) => place.counts)];
  const staged = counts.reduce((sum, one) => sum + count(one?.staged), 0);
  // A thousand decisions are kept on the server: those behind them are on the device alone, and for the server to be decided still.
  const open = counts.reduce((sum, one) => sum + count(one?.staged) + count(one?.todo), 0);
  const isSigned = state === 'SIGNATURE_STATE_SIGNED';
  if (endedBy === 'CLOSED') {
    return null;
  }
  if (acknowledges) {
    return (
      <div className={styles.actions}>
        <ButtonLink
          to="/reviews/$reviewId/$tab"
          params={{ reviewId: accessReviewId, tab: 'checks' }}
          variant={isSigned ? 'plain' : 'primary'}
        >
          {text('signature.toQueue')}
        </ButtonLink>
        {isSigned ? (
          <ButtonLink to="/home" variant="primary">
            {text('signature.done')}
          </ButtonLink>
        ) : null}
      </div>
    );
  }
  // More than a thousand decisions are signed in parts: the next part comes first.
  const isMore = isSigned && open > 0;
  return (
    <>
      {isMore ? <p>{text('signature.othersLeft', { count: open })}</p> : null}
      <div className={styles.actions}>
        {isSigned ? (
          <ButtonLink to="/home" variant={isMore ? 'plain' : 'primary'}>
            {text('signature.done')}
          </ButtonLink>
        ) : null}
        {isSigned && staged === 0 ? (
          <ButtonLink to="/r/$review" params={{ review: accessReviewId }} variant={isMore ? 'primary' : 'plain'}>
            {text('signature.toQueue')}
          </ButtonLink>
        ) : (
          <ButtonLink to="/r/$review/submit" params={{ review: accessReviewId }} variant="primary">
            {text(isSigned ? 'signature.submitOthers' : 'signature.signAnew')}
          </ButtonLink>
        )}
      </div>
    </>
  );
}
