/** A link that looks like a button: it leads somewhere, where a button does something. */
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ButtonVariant } from './button.tsx';
import styles from './button.module.css';
import { Icon, type IconName } from './icon.tsx';
import { Keys, shortcutOf } from './keys.tsx';
import { linkTo } from './link-to.ts';

interface ButtonLinkProps {
  /** A path of the console, with its search where it has one. */
  readonly to: string;
  readonly variant?: ButtonVariant | undefined;
  readonly icon?: IconName | undefined;
  readonly keys?: string | undefined;
  readonly children: ReactNode;
}

export function ButtonLink({ to, variant = 'plain', icon, keys, children }: ButtonLinkProps) {
  return (
    <Link {...linkTo(to)} className={`${styles.button} ${styles[variant]}`} aria-keyshortcuts={shortcutOf(keys)}>
      {icon === undefined ? null : <Icon name={icon} />}
      {children}
      {keys === undefined ? null : <Keys keys={keys} onFill={variant === 'primary'} />}
    </Link>
  );
}
