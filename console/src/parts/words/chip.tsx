/** One word on the state of an object, beside its name. */
import type { ReactNode } from 'react';
import styles from './chip.module.css';

export type SignalKind = 'ok' | 'no' | 'warn' | 'info' | 'plain';

export function Chip({ kind = 'plain', children }: { kind?: SignalKind | undefined; children: ReactNode }) {
  return <span className={`${styles.chip} ${styles[kind] ?? ''}`}>{children}</span>;
}
