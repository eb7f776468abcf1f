/**
 * Those in a circle holding something: a dot for each of up to twenty, filled for those who do, and the words that say it, which are all that is
 * read out.
 */
import styles from './peers.module.css';

interface PeersProps {
  readonly part: number;
  readonly all: number;
  /** `3 of 11 in Finance`. */
  readonly label: string;
}

/** More dots are not counted at a glance. */
const most = 20;

export function Peers({ part, all, label }: PeersProps) {
  return (
    <span className={styles.peers}>
      {all > most ? null : (
        <span className={styles.dots} aria-hidden="true">
          {Array.from({ length: all }, (_, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the dots have no other identity
            <span key={place} data-filled={place < part || undefined} />
          ))}
        </span>
      )}
      <span>{label}</span>
    </span>
  );
}
