/** The reviews as one table, group by group. */
import { Empty } from '../../parts/empty.tsx';
import type { ReviewView } from '../../data/review.ts';
import { text } from '../../text/text.ts';
import { type GroupId, groupOfView, groups } from './groups.ts';
import { ReviewRow } from './row.tsx';
import styles from './table.module.css';

export function ReviewTable({ views, state }: { views: readonly ReviewView[]; state: GroupId | undefined }) {
  if (views.length === 0) {
    return <Empty icon="filter" title={text('reviews.noneMatches')} />;
  }
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">{text('reviews.review')}</th>
          <th scope="col">{text('reviews.state')}</th>
          <th scope="col">{text('reviews.decided')}</th>
          <th scope="col">{text('reviews.waitingFor')}</th>
          <th scope="col">{text('reviews.due')}</th>
          <th scope="col">{text('reviews.owner')}</th>
        </tr>
      </thead>
      {groups.map(({ id, label }) => {
        const rows = views.filter((view) => groupOfView(view) === id);
        return rows.length === 0 ? null : (
          <tbody key={id}>
            {state === undefined ? (
              <tr className={styles.group}>
                <th scope="colgroup" colSpan={6}>
                  {text(label)} <span>{rows.length}</span>
                </th>
              </tr>
            ) : null}
            {rows.map((view) => (
              <ReviewRow key={view.accessReview?.id} view={view} />
            ))}
          </tbody>
        );
      })}
    </table>
  );
}
