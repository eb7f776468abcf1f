/** How the items of the review before became those of this one, as a sum that ties out. */
import { useQuery } from '@tanstack/react-query';
import { Button } from '../../parts/button.tsx';
import { Note } from '../../parts/note.tsx';
import { messageOf, useAct } from '../../data/act.ts';
import { count } from '../../data/count.ts';
import { read } from '../../data/query.ts';
import { number } from '../../text/format.ts';
import { type PlainTextKey, text } from '../../text/text.ts';
import styles from './settings.module.css';

export function RollForward({ reviewId }: { reviewId: string }) {
  const make = useAct('RollForwardService.Create', 'RollForwardService.Get');
  const query = useQuery({
    ...read('RollForwardService.Get', { accessReviewId: reviewId }),
    enabled: make.isSuccess,
    retry: false,
    refetchInterval: ({ state }) => (state.data?.rollForward?.state === 'ROLL_FORWARD_STATE_PENDING' ? 1000 : false),
  });
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
        <Button busy={isMaking} onClick={() => make.mutate({ accessReviewId: reviewId })}>
          {text(found === undefined ? 'review.rollMake' : 'review.rollAgain')}
        </Button>
      </div>
      <p className={styles.quiet}>{text('review.rollWhat')}</p>
      {make.isError ? <Note kind="warn">{messageOf(make.error)}</Note> : null}
      {found?.state === 'ROLL_FORWARD_STATE_FAILED' ? <Note kind="fault">{found.error}</Note> : null}
      {found?.state === 'ROLL_FORWARD_STATE_DONE' ? (
        <table className={styles.sum}>
          <tbody>
            {rows.map(([label, value], index) => (
              <tr key={label} data-total={index === 0 || index === rows.length - 1 || undefined}>
                <th scope="row">{text(label)}</th>
                <td>{number(value)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      ) : null}
      {found?.state === 'ROLL_FORWARD_STATE_DONE' && count(found.difference) !== 0 ? (
        <Note kind="warn">{text('review.rollDifference', { count: count(found.difference) })}</Note>
      ) : null}
    </section>
  );
}
