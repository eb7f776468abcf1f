/** Words for what a request asks for. */
import type { ReplyOf } from '~/data/query.ts';
import { text } from '~/text/text.ts';

/** A request that takes a second person. */
export type SecondPersonRequest = NonNullable<ReplyOf<'SecondPersonService.List'>['list']>[number];

/** Returns what is asked, in a sentence without its end. */
export function sayRequest({ kind, subjectDisplayName, subjectId, accessReviewId, reviewYears, eventYears }: SecondPersonRequest): string {
  const name = subjectDisplayName || subjectId || '';
  switch (kind) {
    case 'SECOND_PERSON_REQUEST_KIND_LIFT_HOLD':
      return accessReviewId ? text('requests.liftReview', { name }) : text('requests.liftCompany');
    case 'SECOND_PERSON_REQUEST_KIND_SHORTEN_RETENTION':
      return text('requests.shorten', { reviewYears: reviewYears ?? 0, eventYears: eventYears ?? 0 });
    case 'SECOND_PERSON_REQUEST_KIND_ERASE_PERSON':
      return text('requests.erase', { name });
    case 'SECOND_PERSON_REQUEST_KIND_RESTORE_PERSON':
      return text('requests.restore', { name });
    case 'SECOND_PERSON_REQUEST_KIND_PURGE_TENANT':
    case 'SECOND_PERSON_REQUEST_KIND_UNSPECIFIED':
    case undefined:
      return text('requests.purge');
  }
}
