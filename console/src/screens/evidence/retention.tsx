/** Time the review, its files and the log behind them are kept. */
import { useQuery } from '@tanstack/react-query';
import { read } from '~/data/query.ts';
import type { Review } from '~/data/reviews/review.ts';
import { useMay } from '~/data/session/session.ts';
import { date } from '~/text/format.ts';
import { text } from '~/text/text.ts';
import styles from './evidence.module.css';

/** Returns the words on how long the content of a review is kept: from its close on, and as long as a hold is on it. */
function sayReview({ closedAt, emptiedAt, legalHold }: Review, years: number): string {
  if (emptiedAt !== undefined) {
    return text('holds.emptied', { date: date(emptiedAt) });
  }
  if (closedAt === undefined) {
    return text('evidence.keptFromClose', { years });
  }
  const until = new Date(closedAt);
  until.setUTCFullYear(until.getUTCFullYear() + years);
  return text(legalHold === undefined ? 'evidence.keptUntil' : 'evidence.keptByHold', { date: date(until.toISOString()) });
}

export function Retention({ review }: { review: Review }) {
  const mayRead = useMay('settings.read');
  const found = useQuery({ ...read('RetentionService.Get', {}), enabled: mayRead }).data?.retention;
  if (found === undefined) {
    return null;
  }
  return (
    <section>
      <h2>{text('evidence.kept')}</h2>
      <p className={styles.quiet}>
        {sayReview(review, found.reviewYears ?? 0)} {text('evidence.keptReports', { days: found.reportDays ?? 0 })}{' '}
        {(found.eventYears ?? 0) === 0 ? text('evidence.keptForEver') : text('evidence.keptEvents', { years: found.eventYears ?? 0 })}
      </p>
    </section>
  );
}
