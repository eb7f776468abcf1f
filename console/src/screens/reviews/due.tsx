/** Due date of a review, and how that stands to now; of one that is closed, when it closed. */
import type { Stage } from '~/data/reviews/review.ts';
import { daysUntil, relative, weekday } from '~/text/format.ts';
import { text } from '~/text/text.ts';
import type { ReviewLine } from './groups.ts';
import styles from './table.module.css';

export function Due({ line, stage }: { line: ReviewLine; stage: Stage }) {
  if (stage === 'closed') {
    return (
      <>
        {weekday(line.closedAt ?? '1970-01-01')}
        <small>{text('reviews.closedOn')}</small>
      </>
    );
  }
  const due = line.dueAt;
  if (due === undefined) {
    return <span className={styles.quiet}>{text('reviews.notSet')}</span>;
  }
  const days = daysUntil(due);
  return (
    <>
      <span className={stage === 'late' ? styles.no : stage === 'running' && days <= 2 ? styles.warn : undefined}>{weekday(due)}</span>
      <small>{relative(due, 60)}</small>
    </>
  );
}
