/** Steps from items of the review before to those of this one, as a sum that ties out. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '~/parts/controls/button.tsx';
import { Combobox, type Option } from '~/parts/fields/combobox.tsx';
import { Sums } from '~/parts/tables/sums.tsx';
import { Note } from '~/parts/states/note.tsx';
import { errorMessage, useAct } from '~/data/act.ts';
import { count } from '~/data/count.ts';
import { call, read } from '~/data/query.ts';
import type { Review } from '~/data/reviews/review.ts';
import { date } from '~/text/format.ts';
import { type PlainTextKey, text } from '~/text/text.ts';
import styles from '~/screens/review/settings.module.css';

export function RollForward({ reviewId, review }: { reviewId: string; review: Review }) {
  const [first, setFirst] = useState<Option>();
  const make = useAct('RollForwardService.Create', 'RollForwardService.Get');
  const query = useQuery({
    ...read('RollForwardService.Get', { accessReviewId: reviewId }),

    retry: false,
    refetchInterval: ({ state }) => (state.data?.rollForward?.state === 'ROLL_FORWARD_STATE_PENDING' ? 1000 : false),
  });
  const isFrozen = review.connectorSourcesFrozenAt !== undefined;
  const found = query.data?.rollForward;
  const isMaking = make.isPending || found?.state === 'ROLL_FORWARD_STATE_PENDING';
  const rows: readonly (readonly [PlainTextKey, number])[] = [
    ['review.rollFirst', count(found?.firstPopulation)],
    ['review.rollAdded', count(found?.additions)],
    ['review.rollEntered', count(found?.enteredScope)],
    ['review.rollDecision', -count(found?.removalsByDecision)],
    ['review.rollExpiry', -count(found?.removalsByExpiry)],
    ['review.rollLeaver', -count(found?.removalsByLeaver)],
    ['review.rollUnexplained', -count(found?.removalsUnexplained)],
    ['review.rollLeft', -count(found?.leftScope)],
    ['review.rollSecond', count(found?.secondPopulation)],
  ];
  return (
    <section>
      <div className={styles.head}>
        <h2>{text('review.roll')}</h2>
        <Button
          busy={isMaking}
          onClick={() => make.mutate({ accessReviewId: reviewId, ...(first === undefined ? {} : { firstAccessReviewId: first.id }) })}
        >
          {text(found === undefined ? 'review.rollMake' : 'review.rollAgain')}
        </Button>
      </div>
      <p className={styles.quiet}>{text('review.rollWhat')}</p>
      {isFrozen ? (
        <Combobox
          label={text('review.rollBefore')}
          hint={text('review.rollBeforeHint')}
          value={first}
          onChange={setFirst}
          search={async (words, signal) => {
            const reply = await call('ReviewSearchService.Search', { query: words, pageSize: 20 }, { signal });
            return (reply.list ?? [])
              .filter(({ accessReviewId }) => accessReviewId !== reviewId)
              .map(({ accessReviewId = '', displayName = '', startedAt }) => ({
                id: accessReviewId,
                label: displayName,
                hint: startedAt === undefined ? '' : date(startedAt),
              }));
          }}
        />
      ) : null}
      {make.isError ? <Note kind="warn">{errorMessage(make.error)}</Note> : null}
      {found?.state === 'ROLL_FORWARD_STATE_FAILED' ? <Note kind="fault">{found.error}</Note> : null}
      {found?.state === 'ROLL_FORWARD_STATE_DONE' ? (
        <Sums
          label={text('review.roll')}
          parts={rows.map(([label, value], index) => ({
            id: label,
            words: text(label),
            value,
            isTotal: index === 0 || index === rows.length - 1,
          }))}
        />
      ) : null}
      {found?.state === 'ROLL_FORWARD_STATE_DONE' && count(found.difference) !== 0 ? (
        <Note kind="warn">{text('review.rollDifference', { count: count(found.difference) })}</Note>
      ) : null}
    </section>
  );
}
