/** A review's legal hold, or that its content is gone: a remark for everybody who reads it. */
import type { ReplyOf } from '~/data/query.ts';
import { Note } from '~/parts/states/note.tsx';
import { date } from '~/text/format.ts';
import { text } from '~/text/text.ts';
import styles from './review-hold.module.css';

type Review = NonNullable<NonNullable<ReplyOf<'AccessReviewService.Get'>['accessReview']>['accessReview']>;

export function ReviewHold({ review: { legalHold, emptiedAt } }: { review: Review }) {
  if (legalHold === undefined && emptiedAt === undefined) {
    return null;
  }
  return (
    <div className={styles.remarks}>
      {legalHold === undefined ? null : (
        <Note>{text(legalHold.isOfTenant ? 'holds.bannerCompany' : 'holds.banner', { reason: legalHold.reason ?? '' })}</Note>
      )}
      {emptiedAt === undefined ? null : <Note>{text('holds.emptied', { date: date(emptiedAt) })}</Note>}
    </div>
  );
}
