/** Share of something done, as a bar; of that, how much was denied. */
import styles from './progress.module.css';

interface ProgressProps {
  readonly value: number;
  readonly max: number;
  /** Number of `value` denied. */
  readonly denied?: number | undefined;
  readonly label: string;
}

export function Progress({ value, max, denied = 0, label }: ProgressProps) {
  const share = (part: number): number => (max <= 0 ? 0 : Math.min(100, (part / max) * 100));
  return (
    <div className={styles.progress} role="progressbar" aria-label={label} aria-valuemin={0} aria-valuemax={max} aria-valuenow={value}>
      <svg aria-hidden="true">
        <rect className={styles.value} width={`${share(value)}%`} height="100%" />
        {denied > 0 ? <rect className={styles.denied} x={`${share(value - denied)}%`} width={`${share(denied)}%`} height="100%" /> : null}
      </svg>
    </div>
  );
}
