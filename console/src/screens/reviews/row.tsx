/** One review in the list: how far it is, whom it waits for, when it is due, and who owns it. */
import { Link } from '@tanstack/react-router';
import { StageDot } from '../../app/stage-dot.tsx';
import { Initials } from '../../parts/initials.tsx';
import { Progress } from '../../parts/progress.tsx';
import { Tooltip } from '../../parts/tooltip.tsx';
import { count } from '../../data/count.ts';
import { placeOf, stageOf } from '../../data/review.ts';
import { number } from '../../text/format.ts';
import { text } from '../../text/text.ts';
import { Due } from './due.tsx';
import type { ReviewLine } from './groups.ts';
import styles from './table.module.css';

export function ReviewRow({ line }: { line: ReviewLine }) {
  const id = line.accessReviewId ?? '';
  const stage = stageOf({
    ...(line.state === undefined ? {} : { state: line.state }),
    ...(line.dueAt === undefined ? {} : { completionDate: line.dueAt }),
  });
  const total = count(line.counts?.total);
  const left = count(line.counts?.undecided);
  const decided = total - left;
  const denied = count(line.counts?.revoked);
  const unassigned = count(line.unassigned);
  const isOpen = stage === 'running' || stage === 'late';
  return (
    <tr className={styles.row}>
      <th scope="row" className={styles.name}>
        <Link to={placeOf(id, stage) as string}>{line.displayName || text('reviews.unnamed')}</Link>
        <small>{line.description}</small>
      </th>
      <td>
        <StageDot stage={stage} />
      </td>
      <td className={styles.decided}>
        {isOpen && total > 0 ? <Progress value={decided} max={total} denied={denied} label={text('reviews.decided')} /> : null}
        {stage === 'draft' ? null : (
          <small>
            {isOpen || stage === 'closed'
              ? text(denied > 0 ? 'reviews.countsDenied' : 'reviews.counts', {
                  decided: number(decided),
                  total: number(total),
                  denied: number(denied),
                } as never)
              : text('reviews.itemsPrepared', { count: total })}
          </small>
        )}
      </td>
      <td>
        {unassigned > 0 && stage !== 'closed' ? (
          <span className={styles.no}>{text('reviews.nobodyFor', { count: unassigned })}</span>
        ) : null}
        {unassigned === 0 && isOpen ? (
          <>
            {text('reviews.left', { count: left })}
            {left > 0 ? <small>{text('reviews.waitingPeople', { count: count(line.waitingPeople) })}</small> : null}
          </>
        ) : null}
      </td>
      <td>
        <Due line={line} stage={stage} />
      </td>
      <td className={styles.owner}>
        {(line.owners ?? []).slice(0, 2).map(({ userId, displayName = '' }) => (
          <Tooltip key={userId} text={displayName}>
            <Initials name={displayName} />
          </Tooltip>
        ))}
      </td>
    </tr>
  );
}
