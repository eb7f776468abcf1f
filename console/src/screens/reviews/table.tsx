/** The reviews as one table, group by group, each with the way to its next page. */
import { Empty } from '../../parts/empty.tsx';
import { Pages } from '../../parts/pages.tsx';
import { number } from '../../text/format.ts';
import { text } from '../../text/text.ts';
import type { GroupId } from './groups.ts';
import { ReviewRow } from './row.tsx';
import styles from './table.module.css';
import type { ReadGroup } from './use-groups.ts';

interface ReviewTableProps {
  readonly groups: readonly ReadGroup[];
  readonly counts: Readonly<Record<GroupId, number>> | undefined;
  /** Whether all groups are shown, each with its name. */
  readonly isWhole: boolean;
}

export function ReviewTable({ groups, counts, isWhole }: ReviewTableProps) {
  const shown = groups.filter(({ lines }) => lines.length > 0);
  if (shown.length === 0) {
    return <Empty icon="filter" title={text('reviews.noneMatches')} />;
  }
  return (
    <table className={styles.table} aria-label={text('nav.reviews')}>
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
      {shown.map(({ group: { id, label }, lines, pages }) => (
        <tbody key={id}>
          {isWhole ? (
            <tr className={styles.group}>
              <th scope="colgroup" colSpan={6}>
                {text(label)} <span>{counts === undefined ? null : number(counts[id])}</span>
              </th>
            </tr>
          ) : null}
          {lines.map((line) => (
            <ReviewRow key={line.accessReviewId} line={line} />
          ))}
          {pages.hasNextPage ? (
            <tr className={styles.more}>
              <td colSpan={6}>
                <Pages query={pages} />
              </td>
            </tr>
          ) : null}
        </tbody>
      ))}
    </table>
  );
}
