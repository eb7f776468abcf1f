/** Narrows and orders the list below it. */
import type { ReactNode } from 'react';
import { text } from '~/text/text.ts';
import styles from './filter-bar.module.css';

export function FilterBar({ children }: { children: ReactNode }) {
  return (
    <search className={styles.bar} aria-label={text('parts.filter')}>
      {children}
    </search>
  );
}
