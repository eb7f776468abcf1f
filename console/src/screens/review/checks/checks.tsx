/** Checks of a review as a whole: whether its reviewers were independent, a second look at a sample, and how it follows from the one before. */
import { Acknowledgement } from './acknowledgement.tsx';
import { Independence } from './independence.tsx';
import type { TabProps } from '~/screens/review/props.ts';
import { RollForward } from './roll-forward.tsx';
import { SecondReview } from './second-review.tsx';
import styles from '~/screens/review/settings.module.css';

export function ChecksTab({ reviewId, view }: TabProps) {
  return (
    <div className={styles.page}>
      <Acknowledgement reviewId={reviewId} view={view} />
      <Independence reviewId={reviewId} />
      <SecondReview reviewId={reviewId} mayManage={view.objectPermissions?.edit === true} />
      <RollForward reviewId={reviewId} review={view.accessReview ?? {}} />
    </div>
  );
}
