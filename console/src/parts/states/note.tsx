/** A remark in the page, beside what it is about. */
import type { ReactNode } from 'react';
import { Icon, type IconName } from '~/parts/words/icon.tsx';
import styles from './note.module.css';

export type NoteKind = 'info' | 'warn' | 'fault' | 'ok';

/** The icon of each kind, which says it without colour. */
export const iconOfKind: Readonly<Record<NoteKind, IconName>> = { info: 'info', warn: 'warning', fault: 'warning', ok: 'check' };

interface NoteProps {
  readonly kind?: NoteKind | undefined;
  readonly children: ReactNode;
  readonly action?: ReactNode;
}

export function Note({ kind = 'info', children, action }: NoteProps) {
  return (
    <div className={`${styles.note} ${styles[kind]}`}>
      <Icon name={iconOfKind[kind]} />
      <div className={styles.content}>{children}</div>
      {action === undefined ? null : <div className={styles.action}>{action}</div>}
    </div>
  );
}
