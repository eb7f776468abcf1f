/** End of a credential: in words while that is near, marked in the last week. */
import { date, daysUntil, exactTime } from '~/text/format.ts';
import { text } from '~/text/text.ts';
import styles from './credentials.module.css';

export function Ends({ at }: { at: string | undefined }) {
  if (at === undefined) {
    return text('credentials.neverEnds');
  }
  const days = daysUntil(at);
  const isOver = Date.parse(at) <= Date.now();
  return (
    <time dateTime={at} title={exactTime(at)} className={isOver ? styles.over : days <= 7 ? styles.soon : undefined}>
      {isOver ? text('credentials.ended', { date: date(at, true) }) : text('credentials.endsIn', { days, date: date(at, true) })}
    </time>
  );
}
