/** Work I may decide in somebody's place. */
import { ButtonLink } from '~/parts/controls/button-link.tsx';
import { Initials } from '~/parts/words/initials.tsx';
import { date } from '~/text/format.ts';
import { Rich } from '~/text/rich.tsx';
import { text } from '~/text/text.ts';
import styles from './home.module.css';
import type { MyReview } from './review-row.tsx';

interface InPlaceRowProps {
  readonly review: MyReview;
  readonly one: NonNullable<MyReview['inPlace']>[number];
}

export function InPlaceRow({ review, one: { displayName: name = '', until, counts } }: InPlaceRowProps) {
  const count = Number(counts?.todo ?? 0);
  return (
    <li className={styles.line}>
      <Initials name={name} />
      <p>
        {until === undefined ? (
          <Rich id="home.inPlaceOpen" values={{ name, count }} />
        ) : (
          <Rich id="home.inPlaceUntil" values={{ name, count, date: date(until, true) }} />
        )}{' '}
        <span className={styles.faint}>{review.displayName}</span>
      </p>
      <ButtonLink to="/r/$review" params={{ review: review.accessReviewId ?? '' }}>
        {text('home.lookAtThem')}
      </ButtonLink>
    </li>
  );
}
