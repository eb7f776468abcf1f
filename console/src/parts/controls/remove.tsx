/** The cross that takes something away, in a chip or beside a line. */
import { Icon } from '~/parts/words/icon.tsx';
import styles from './remove.module.css';

/** `label` names what is taken away: nothing but the cross is seen. */
export function Remove({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <button type="button" className={styles.remove} aria-label={label} onClick={onClick}>
      <Icon name="cross" size={12} />
    </button>
  );
}
