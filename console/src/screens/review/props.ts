/** What every tab of a review gets. */
import type { Progress, ReviewView } from '../../data/review.ts';

export interface TabProps {
  readonly reviewId: string;
  readonly view: ReviewView;
  /** Undefined until it was read. */
  readonly progress: Progress | undefined;
}
