/** Somebody's pace: seconds each, or that they have not begun; in amber where it deserves a look. */
import type { ReviewerRow } from '~/app/reviews/decided-of.ts';
import { saySeconds } from '~/app/reviews/say-seconds.ts';
import { count } from '~/data/count.ts';
import type { ReplyOf } from '~/data/query.ts';
import { number } from '~/text/format.ts';
import { text } from '~/text/text.ts';
import styles from './progress.module.css';

type Figures = NonNullable<ReplyOf<'ReviewerFigureService.List'>['list']>[number];

export function Pace({ row, figures }: { row: ReviewerRow; figures: Figures | undefined }) {
  if (figures === undefined || count(figures.decisions) === 0) {
    return count(row.asked) === count(row.open) && count(row.asked) > 0 ? (
      <span className={styles.warn}>{text('review.notBegun')}</span>
    ) : (
      <span className={styles.quiet}>–</span>
    );
  }
  const seconds = count(figures.secondsPerDecision);
  const words = seconds > 0 ? text('review.secondsEach', { seconds: saySeconds(seconds) }) : '–';
  return (figures.flags ?? []).includes('REVIEWER_FLAG_RUBBER_STAMP') ? (
    <span className={styles.warn}>{text('review.run', { pace: words, run: number(count(figures.longestRun)) })}</span>
  ) : (
    <span className={styles.quiet}>{words}</span>
  );
}
