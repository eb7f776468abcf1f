/** A remark on the whole page, across its top. A fault is said at once to those who listen, anything else when there is a pause. */
import type { ReactNode } from 'react';
import { Icon, type IconName } from '~/parts/words/icon.tsx';
import { iconOfKind, type NoteKind } from './note.tsx';
import styles from './note.module.css';

interface BannerProps {
  readonly kind: NoteKind;
  readonly icon?: IconName | undefined;
  readonly children: ReactNode;
  readonly action?: ReactNode;
}

export function Banner({ kind, icon, children, action }: BannerProps) {
  return (
    <div className={`${styles.banner} ${styles[kind]}`} role={kind === 'fault' ? 'alert' : 'status'}>
      <Icon name={icon ?? iconOfKind[kind]} />
      <div className={styles.content}>
        <p>{children}</p>
      </div>
      {action === undefined ? null : <div className={styles.action}>{action}</div>}
    </div>
  );
}
