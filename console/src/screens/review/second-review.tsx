/** The blind second review of a review, where one was drawn: how far it is, and how often the second decision was another one. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../parts/button.tsx';
import { Facts } from '../../parts/facts.tsx';
import { count } from '../../data/count.ts';
import { useNames } from '../../data/names.ts';
import { read } from '../../data/query.ts';
import { number, percent } from '../../text/format.ts';
import { text } from '../../text/text.ts';
import styles from './settings.module.css';

export function SecondReview({ reviewId }: { reviewId: string }) {
  const [isWanted, setWanted] = useState(false);
  const query = useQuery({ ...read('SecondReviewService.Get', { accessReviewId: reviewId }), enabled: isWanted, retry: false });
  const found = query.data?.secondReview;
  const names = useNames(found?.reviewerIds ?? []);
  if (found === undefined) {
    return (
      <section>
        <div className={styles.head}>
          <h2>{text('review.second')}</h2>
          {query.isError ? null : (
            <Button busy={query.isFetching} onClick={() => setWanted(true)}>
              {text('review.secondShow')}
            </Button>
          )}
        </div>
        <p className={styles.quiet}>{text(query.isError ? 'review.secondNone' : 'review.secondWhat')}</p>
      </section>
    );
  }
  const result = found.result;
  return (
    <section>
      <h2>{text('review.second')}</h2>
      <Facts
        rows={[
          {
            term: text('review.secondDrawn'),
            children: text('review.of', { part: number(count(found.items)), whole: number(count(found.population)) }),
          },
          { term: text('review.secondBy'), children: (found.reviewerIds ?? []).map((id) => names.get(id) ?? '').join(', ') },
          {
            term: text('review.secondAnswered'),
            children: text('review.of', { part: number(count(found.answered)), whole: number(count(found.items)) }),
          },
          ...(result === undefined
            ? []
            : [
                {
                  term: text('review.secondDiffer'),
                  children: text('review.secondRate', {
                    rate: percent(count(result.rate), 1),
                    lower: percent(count(result.lower), 1),
                    upper: percent(count(result.upper), 1),
                  }),
                },
              ]),
          { term: text('review.secondSeed'), children: <code className={styles.hash}>{found.seed}</code> },
        ]}
      />
    </section>
  );
}
