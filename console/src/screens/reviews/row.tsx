/** One review in the list. How far it is and who owns it is read once the row is in view. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { StageDot } from '../../app/stage-dot.tsx';
import { useSeen } from '../../app/use-seen.ts';
import { Initials } from '../../parts/initials.tsx';
import { Progress } from '../../parts/progress.tsx';
import { Tooltip } from '../../parts/tooltip.tsx';
import { count } from '../../data/count.ts';
import { read } from '../../data/query.ts';
import { placeOf, progressQuery, type ReviewView, stageOf } from '../../data/review.ts';
import { number } from '../../text/format.ts';
import { text } from '../../text/text.ts';
import { Due } from './due.tsx';
import styles from './table.module.css';

export function ReviewRow({ view }: { view: ReviewView }) {
  const review = view.accessReview ?? {};
  const id = review.id ?? '';
  const stage = stageOf(review);
  const [ref, isSeen] = useSeen<HTMLTableRowElement>();
  const progress = useQuery({ ...progressQuery(id), enabled: isSeen && stage !== 'draft' });
  const owners = useQuery({ ...read('ReviewOwnerService.ListOwners', { accessReviewId: id }), enabled: isSeen, staleTime: 300_000 });
  const counts = progress.data?.counts;
  const total = count(counts?.total);
  const decided = total - count(counts?.undecided);
  const denied = count(counts?.revoked);
  const unassigned = count(progress.data?.pace?.unassigned);
  const isOpen = stage === 'running' || stage === 'late';
  const people = (owners.data?.list ?? []).map(({ owner }) => owner?.displayName || owner?.email || '');
  return (
    <tr ref={ref} className={styles.row}>
      <th scope="row" className={styles.name}>
        <Link to={placeOf(id, stage) as string}>{review.displayName || text('reviews.unnamed')}</Link>
        <small>{review.description}</small>
      </th>
      <td>
        <StageDot stage={stage} />
      </td>
      <td className={styles.decided}>
        {isOpen && total > 0 ? <Progress value={decided} max={total} denied={denied} label={text('reviews.decided')} /> : null}
        {counts === undefined ? null : (
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
        {unassigned === 0 && isOpen ? text('reviews.left', { count: total - decided }) : null}
      </td>
      <td>
        <Due review={review} stage={stage} />
      </td>
      <td className={styles.owner}>
        {people.slice(0, 2).map((name) => (
          <Tooltip key={name} text={name}>
            <Initials name={name} />
          </Tooltip>
        ))}
      </td>
    </tr>
  );
}
