/** Props of every tab of a review. */
import type { Progress, ReviewView } from '~/data/reviews/review.ts';

export interface TabProps {
  readonly reviewId: string;
  readonly view: ReviewView;
  /** Undefined until it was read. */
  readonly progress: Progress | undefined;
}
