/** Decision in a small circle with a sign of its own, so that no colour is needed; its word is for those who listen. */
import { Hidden } from './hidden.tsx';
import styles from './mark.module.css';

export type MarkState = 'undecided' | 'certified' | 'until' | 'denied' | 'reassigned' | 'gone';

const signs: Readonly<Record<MarkState, string>> = {
  undecided: '',
  certified: 'M5 8.3l2.1 2.1L11.2 6',
  until: 'M8 5v3.2l2 1.2',
  denied: 'M5.8 5.8l4.4 4.4M10.2 5.8l-4.4 4.4',
  reassigned: 'M5 8h6M8.8 5.8 11 8l-2.2 2.2',
  gone: 'M5.2 8h5.6',
};

export function Mark({ state, label }: { state: MarkState; label?: string | undefined }) {
  return (
    <>
      <svg viewBox="0 0 16 16" className={`${styles.mark} ${styles[state]}`} aria-hidden="true">
        <circle cx="8" cy="8" r="7" />
        {signs[state] === '' ? null : <path d={signs[state]} />}
      </svg>
      {label === undefined || label === '' ? null : <Hidden>{label}</Hidden>}
    </>
  );
}
