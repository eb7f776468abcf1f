/** People asked, with how many items each and why. */
import { Initials } from '~/parts/words/initials.tsx';
import { Progress } from '~/parts/drawings/progress.tsx';
import { count } from '~/data/count.ts';
import type { Preview } from '~/data/reviews/review.ts';
import { number } from '~/text/format.ts';
import { text } from '~/text/text.ts';
import styles from './check.module.css';
import { reasonWords } from './reason.ts';

export function Asked({ preview }: { preview: Preview }) {
  const reviewers = preview.reviewers ?? [];
  const unassigned = count(preview.unassignedItems);
  const most = Math.max(1, ...reviewers.map(({ items }) => count(items)));
  const unlisted = count(preview.reviewerCount) - reviewers.length;
  return (
    <section aria-labelledby="asked">
      <div className={styles.head}>
        <h2 id="asked">{text('check.whoIsAsked')}</h2>
        <span className={styles.quiet}>{text('check.most', { people: count(preview.reviewerCount), most: number(most) })}</span>
      </div>
      <ul className={styles.people}>
        {unassigned > 0 ? (
          <li className={styles.no}>
            <Initials name="×" />
            <span>{text('check.nobodyRow')}</span>
            <span className={styles.reason}>{text('check.nobodyWhy')}</span>
            <span className={styles.meter}>
              <Progress value={unassigned} max={Math.max(most, unassigned)} denied={unassigned} label={text('check.nobodyRow')} />
            </span>
            <strong>{number(unassigned)}</strong>
          </li>
        ) : null}
        {reviewers.map((one) => (
          <li key={one.userId}>
            <Initials name={one.displayName ?? ''} />
            <span>{one.displayName}</span>
            <span className={styles.reason}>{reasonWords(one.reason)}</span>
            <span className={styles.meter}>
              <Progress value={count(one.items)} max={most} label={one.displayName ?? ''} />
            </span>
            <strong>{number(count(one.items))}</strong>
          </li>
        ))}
      </ul>
      {unlisted > 0 ? <p className={styles.quiet}>{text('check.moreReviewers', { count: unlisted })}</p> : null}
    </section>
  );
}
