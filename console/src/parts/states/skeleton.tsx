/** The place of rows that are on their way. It shows after 200 ms: what comes sooner does not flicker. */
import { text } from '~/text/text.ts';
import { Hidden } from '~/parts/words/hidden.tsx';
import styles from './states.module.css';

export function Skeleton({ rows = 3 }: { rows?: number }) {
  return (
    <div className={styles.skeleton} aria-busy="true">
      <Hidden>{text('parts.loading')}</Hidden>
      {Array.from({ length: rows }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all the same
        <div key={index} className={styles.bar} />
      ))}
    </div>
  );
}
