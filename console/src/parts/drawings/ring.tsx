/** Share of something done, as a ring. */
import styles from './progress.module.css';

const around = 2 * Math.PI * 12;

interface RingProps {
  readonly value: number;
  readonly max: number;
  readonly label: string;
  /** In pixels. */
  readonly size?: number | undefined;
}

export function Ring({ value, max, label, size = 32 }: RingProps) {
  const share = max <= 0 ? 0 : Math.min(1, value / max);
  return (
    <span className={styles.around} role="progressbar" aria-label={label} aria-valuemin={0} aria-valuemax={max} aria-valuenow={value}>
      <svg width={size} height={size} viewBox="0 0 30 30" className={styles.ring} aria-hidden="true">
        <circle cx="15" cy="15" r="12" />
        {share > 0 ? <circle cx="15" cy="15" r="12" strokeDasharray={`${share * around} ${around}`} /> : null}
      </svg>
    </span>
  );
}
