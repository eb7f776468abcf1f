/** The blind second review of a review, where one was drawn: how far it is, and how often the second decision was another one. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '~/parts/controls/button.tsx';
import { Facts } from '~/parts/words/facts.tsx';
import { Note } from '~/parts/states/note.tsx';
import { errorMessage, useAct } from '~/data/act.ts';
import { count } from '~/data/count.ts';
import { useNames } from '~/data/names.ts';
import { read } from '~/data/query.ts';
import { number, percent } from '~/text/format.ts';
import { text } from '~/text/text.ts';
import { DrawDialog } from '~/screens/review/acts/draw-dialog.tsx';
import { SecondItems } from './second-items.tsx';
import styles from '~/screens/review/settings.module.css';

interface SecondReviewProps {
  readonly reviewId: string;
  /** True if the person may draw one and end it. */
  readonly mayManage: boolean;
}

export function SecondReview({ reviewId, mayManage }: SecondReviewProps) {
  const [isDrawing, setDrawing] = useState(false);
  const end = useAct('SecondReviewService.End', 'SecondReviewService.Get', 'SecondReviewService.ListItems');
  const query = useQuery({ ...read('SecondReviewService.Get', { accessReviewId: reviewId }), retry: false });
  const found = query.data?.secondReview;
  const names = useNames(found?.reviewerIds ?? []);
  if (found === undefined) {
    return (
      <section>
        <div className={styles.head}>
          <h2>{text('review.second')}</h2>
          {query.isError && mayManage ? <Button onClick={() => setDrawing(true)}>{text('review.draw')}</Button> : null}
        </div>
        <p className={styles.quiet}>{text('review.secondWhat')}</p>
        {query.isError ? <p>{text('review.secondNone')}</p> : null}
        {isDrawing ? <DrawDialog reviewId={reviewId} onClose={() => setDrawing(false)} /> : null}
      </section>
    );
  }
  const result = found.result;
  return (
    <section>
      <div className={styles.head}>
        <h2>{text('review.second')}</h2>
        {mayManage && found.state === 'SECOND_REVIEW_STATE_OPEN' ? (
          <Button busy={end.isPending} onClick={() => end.mutate({ accessReviewId: reviewId })}>
            {text('review.secondEnd')}
          </Button>
        ) : null}
      </div>
      {end.isError ? <Note kind="fault">{errorMessage(end.error)}</Note> : null}
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
                    rate: percent(count(result.rate), 1, 1),
                    lower: percent(count(result.lower), 1, 1),
                    upper: percent(count(result.upper), 1, 1),
                  }),
                },
              ]),
          { term: text('review.secondSeed'), children: <code className={styles.hash}>{found.seed}</code> },
        ]}
      />
      {found.state === 'SECOND_REVIEW_STATE_ENDED' ? <SecondItems reviewId={reviewId} /> : null}
    </section>
  );
}
