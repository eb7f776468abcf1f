/** A signal in a row: a coloured dot and its word. */
import type { ReactNode } from 'react';
import styles from './chip.module.css';
import type { SignalKind } from './chip.tsx';

const classes: Readonly<Record<SignalKind, string | undefined>> = {
  ok: styles.dotOk,
  no: styles.dotNo,
  warn: styles.dotWarn,
  info: styles.dotInfo,
  plain: undefined,
};

export function Dot({ kind = 'plain', children }: { kind?: SignalKind | undefined; children: ReactNode }) {
  return <span className={`${styles.dot} ${classes[kind] ?? ''}`}>{children}</span>;
}
