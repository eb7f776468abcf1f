/** Words for those who listen to the page, where the picture says it already to those who look. */
import type { ReactNode } from 'react';
import styles from './hidden.module.css';

export function Hidden({ children }: { children: ReactNode }) {
  return <span className={styles.hidden}>{children}</span>;
}
