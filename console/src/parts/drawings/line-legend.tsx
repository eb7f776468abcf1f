/** Key to the lines and marks of a drawing over time. */
import { text } from '~/text/text.ts';
import { Mark } from '~/parts/words/mark.tsx';
import styles from './lifelines.module.css';

export function LineLegend() {
  return (
    <span className={styles.legend}>
      <span>
        <svg className={styles.swatch} aria-hidden="true">
          <line className={styles.held} x1="10%" x2="90%" y1="50%" y2="50%" />
        </svg>
        {text('lines.has')}
      </span>
      <span>
        <svg className={styles.swatch} aria-hidden="true">
          <line className={styles.ended} x1="10%" x2="90%" y1="50%" y2="50%" />
        </svg>
        {text('lines.had')}
      </span>
      <span>
        <Mark state="certified" />
        {text('lines.certified')}
      </span>
      <span>
        <Mark state="denied" />
        {text('lines.denied')}
      </span>
    </span>
  );
}
