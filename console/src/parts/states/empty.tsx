/** Notice where there is nothing yet: what would be here, and the one next step. */
import type { ReactNode } from 'react';
import { Icon, type IconName } from '~/parts/words/icon.tsx';
import styles from './states.module.css';

interface EmptyProps {
  readonly icon?: IconName | undefined;
  readonly title: string;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
}

export function Empty({ icon, title, children, action }: EmptyProps) {
  return (
    <div className={styles.empty}>
      {icon === undefined ? null : <Icon name={icon} size={24} />}
      <h2>{title}</h2>
      {children === undefined ? null : <div>{children}</div>}
      {action === undefined ? null : <div className={styles.action}>{action}</div>}
    </div>
  );
}
