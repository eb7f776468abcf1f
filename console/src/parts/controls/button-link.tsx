/** A link that looks like a button: it leads somewhere, where a button does something. */
import { createLink } from '@tanstack/react-router';
import type { ComponentPropsWithRef, ReactNode } from 'react';
import type { ButtonVariant } from './button.tsx';
import styles from './button.module.css';
import { Icon, type IconName } from '~/parts/words/icon.tsx';
import { Keys, ariaShortcut } from '~/parts/words/keys.tsx';

interface ButtonAnchorProps extends ComponentPropsWithRef<'a'> {
  readonly variant?: ButtonVariant | undefined;
  readonly icon?: IconName | undefined;
  readonly keys?: string | undefined;
  readonly children?: ReactNode;
}

function ButtonAnchor({ variant = 'plain', icon, keys, children, ...anchor }: ButtonAnchorProps) {
  return (
    <a {...anchor} className={`${styles.button} ${styles[variant]}`} aria-keyshortcuts={ariaShortcut(keys)}>
      {icon === undefined ? null : <Icon name={icon} />}
      {children}
      {keys === undefined ? null : <Keys keys={keys} onFill={variant === 'primary'} />}
    </a>
  );
}

export const ButtonLink = createLink(ButtonAnchor);
