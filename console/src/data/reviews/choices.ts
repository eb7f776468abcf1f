/** Choices that a review makes once, each with its name. */
import type { ByValue } from '~/text/by-value.ts';
import type { PlainTextKey } from '~/text/text.ts';
import type { Review } from './review.ts';

/** Ways in which the list of a reviewer opens. */
export const viewNames: ByValue<Review['defaultView'], PlainTextKey> = {
  ACCESS_REVIEW_VIEW_TYPE_BY_APP: 'queue.byApp',
  ACCESS_REVIEW_VIEW_TYPE_BY_USER: 'queue.byPerson',
  ACCESS_REVIEW_VIEW_TYPE_BY_RESOURCE: 'queue.byResource',
  ACCESS_REVIEW_VIEW_TYPE_UNSTRUCTURED: 'queue.byList',
};

/** Ends of items that nobody decided. */
export const closeNames: ByValue<Review['autoCloseDecision'], PlainTextKey> = {
  CLOSE_DECISION_SKIP: 'review.closeSkip',
  CLOSE_DECISION_REVOKED: 'review.closeRevoke',
  CLOSE_DECISION_NO_ACTION: 'review.closeNothing',
};
