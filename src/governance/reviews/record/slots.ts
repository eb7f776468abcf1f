/** Slot of reviews for later modules. */
import type { Context } from '../../../context.ts';
import { createSlot } from '../../../lib/slot.ts';

/** Counts of answers in a second review that is over. */
export interface SecondReviewCounts {
  readonly answered: number;
  readonly disagreements: number;
}

/** Later modules' answers. */
export interface ReviewSlot {
  /** The counts of a second review that is over; undefined where there is none. */
  readonly findSecondReviewCounts: (context: Context, reviewId: string) => Promise<SecondReviewCounts | undefined>;
  /** True if there is, or ever was, a template with this id. */
  readonly hasTemplate: (context: Context, templateId: string) => Promise<boolean>;
  /** True if there is, or ever was, a template with this id and the caller may not know of it. */
  readonly isHiddenTemplate: (context: Context, templateId: string) => Promise<boolean>;
}

/** Slot they fill. */
export const reviewSlot = createSlot<ReviewSlot>('reviews');
