/** Count of waiting decisions, beside the entry of the person's reviews. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { readPages } from '~/data/query.ts';
import { number } from '~/text/format.ts';
import styles from './shell.module.css';

export function WaitingCount() {
  // The same list as the home's, so that both are one request.
  const { data } = useInfiniteQuery(readPages('MyReviewService.List', { pageSize: 50 }));
  const waiting = Number(data?.pages[0]?.totals?.decidable ?? 0);
  return waiting === 0 ? null : <span className={styles.waiting}>{number(waiting)}</span>;
}
