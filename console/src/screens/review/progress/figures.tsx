/** The three figures of a review: decided by people, days left or the day of the close, and what people denied of that; and what ended the other items. */
import { sayEndedWithoutPerson } from '~/app/reviews/ended-without-person.ts';
import { count } from '~/data/count.ts';
import type { Progress, Review } from '~/data/reviews/review.ts';
import { date, daysUntil, number, percent, weekday } from '~/text/format.ts';
import { text } from '~/text/text.ts';
import styles from './progress.module.css';

export function Figures({ progress, review }: { progress: Progress; review: Review }) {
  const total = count(progress.counts?.total);
  const decided = count(progress.counts?.byPeople);
  const otherwise = sayEndedWithoutPerson(progress.counts);
  const denied = count(progress.counts?.deniedByPeople);
  const due = progress.pace?.dueAt ?? review.completionDate;
  const isOver = review.state === 'ACCESS_REVIEW_STATE_CLOSED';
  const days = due === undefined ? undefined : daysUntil(due);
  return (
    <dl className={styles.figures}>
      <div>
        <dt>{text('review.decided')}</dt>
        <dd>{percent(decided, total)}</dd>
        <dd>{text('review.of', { part: number(decided), whole: number(total) })}</dd>
        {otherwise.length === 0 ? null : <dd>{otherwise.join(', ')}</dd>}
      </div>
      <div>
        <dt>{isOver ? text('review.closed') : days !== undefined && days < 0 ? text('review.daysOver') : text('review.daysLeft')}</dt>
        <dd>{isOver ? date(review.closedAt ?? '1970-01-01', true) : days === undefined ? '–' : number(Math.abs(days))}</dd>
        <dd>{due === undefined ? text('review.noDue') : text('review.dueOn', { day: weekday(due) })}</dd>
      </div>
      <div>
        <dt>{text('review.denied')}</dt>
        <dd>{decided === 0 ? '–' : percent(denied, decided)}</dd>
        <dd>{text('review.ofDecided', { part: number(denied), whole: number(decided) })}</dd>
      </div>
    </dl>
  );
}
