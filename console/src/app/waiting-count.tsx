/** How many decisions wait for the person, beside the entry of their reviews. */
import { useQuery } from '@tanstack/react-query';
import { read } from '../data/query.ts';
import { number } from '../text/format.ts';
import styles from './shell.module.css';

export function WaitingCount() {
  const { data } = useQuery(read('MyReviewService.List', { pageSize: 1 }));
  const waiting = Number(data?.totals?.waiting ?? 0);
  return waiting === 0 ? null : <span className={styles.waiting}>{number(waiting)}</span>;
}
