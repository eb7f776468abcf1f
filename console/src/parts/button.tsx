/** A button that says what happens. One that cannot be used stays reachable and says why; one that works shows it and takes no second press. */
import type { ComponentProps, MouseEvent, ReactNode } from 'react';
import styles from './button.module.css';
import { Icon, type IconName } from './icon.tsx';
import { useChosenKeys } from './key-map.ts';
import { Keys, shortcutOf } from './keys.tsx';
import { Tooltip } from './tooltip.tsx';

export type ButtonVariant = 'primary' | 'plain' | 'quiet' | 'danger';

export interface ButtonProps extends Omit<ComponentProps<'button'>, 'onClick' | 'disabled' | 'className' | 'style'> {
  readonly variant?: ButtonVariant | undefined;
  readonly icon?: IconName | undefined;
  /** Its work is under way. */
  readonly busy?: boolean | undefined;
  /** Why it cannot be used now; undefined where it can. */
  readonly disabledReason?: string | undefined;
  /** The keys that press it, as `c`, `mod+Enter` or `g h`. */
  readonly keys?: string | undefined;
  readonly onClick?: ((event: MouseEvent<HTMLButtonElement>) => void) | undefined;
  readonly children?: ReactNode;
}

export function Button({ variant = 'plain', icon, busy = false, disabledReason, keys, type, onClick, children, ...rest }: ButtonProps) {
  useChosenKeys();
  const stopped = busy || disabledReason !== undefined;
  const button = (
    <button
      {...rest}
      type={type ?? 'button'}
      className={`${styles.button} ${styles[variant]}`}
      aria-disabled={stopped || undefined}
      aria-busy={busy || undefined}
      aria-keyshortcuts={shortcutOf(keys)}
      onClick={(event) => {
        if (stopped) {
          event.preventDefault();
          event.stopPropagation();
        } else {
          onClick?.(event);
        }
      }}
    >
      {busy ? <span className={styles.turning} aria-hidden="true" /> : icon === undefined ? null : <Icon name={icon} />}
      {children}
      {keys === undefined ? null : <Keys keys={keys} onFill={variant === 'primary'} />}
    </button>
  );
  return disabledReason === undefined ? button : <Tooltip text={disabledReason}>{button}</Tooltip>;
}
