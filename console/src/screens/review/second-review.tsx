/** The blind second review of a review, where one was drawn: how far it is, and how often the second decision was another one. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../parts/button.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Note } from '../../parts/note.tsx';
import { messageOf, useAct } from '../../data/act.ts';
import { count } from '../../data/count.ts';
import { useNames } from '../../data/names.ts';
import { read } from '../../data/query.ts';
import { number, percent } from '../../text/format.ts';
import { text } from '../../text/text.ts';
import { DrawDialog } from './draw-dialog.tsx';
import { SecondItems } from './second-items.tsx';
import styles from './settings.module.css';

interface SecondReviewProps {
  readonly reviewId: string;
  /** Whether the person may draw one and end it. */
  readonly mayManage: boolean;
}

export function SecondReview({ reviewId, mayManage }: SecondReviewProps) {
  const [isDrawing, setDrawing] = useState(false);
  const end = useAct('SecondReviewService.End', 'SecondReviewService.Get', 'SecondReviewService.ListItems');
  const [isWanted, setWanted] = useState(false);
  const query = useQuery({ ...read('SecondReviewService.Get', { accessReviewId: reviewId }), enabled: isWanted, retry: false });
  const found = query.data?.secondReview;
  const names = useNames(found?.reviewerIds ?? []);
  if (found === undefined) {
    return (
      <section>
        <div className={styles.head}>
          <h2>{text('review.second')}</h2>
          {query.isError ? (
            mayManage ? (
              <Button onClick={() => setDrawing(true)}>{text('review.draw')}</Button>
            ) : null
          ) : (
            <Button busy={query.isFetching} onClick={() => setWanted(true)}>
              {text('review.secondShow')}
            </Button>
          )}
        </div>
        <p className={styles.quiet}>{text(query.isError ? 'review.secondNone' : 'review.secondWhat')}</p>
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
      {end.isError ? <Note kind="fault">{messageOf(end.error)}</Note> : null}
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
      {found.state === 'SECOND_REVIEW_STATE_ENDED' ? <SecondItems reviewId={reviewId} /> : null}
    </section>
  );
}
