/**
 * A button that says what happens. One that cannot be used stays reachable and says why; one that works shows it and takes no second press, nor does one
 * that was clicked twice at once.
 */
import type { ComponentProps, MouseEvent, ReactNode } from 'react';
import styles from './button.module.css';
import { Icon, type IconName } from '~/parts/words/icon.tsx';
import { useChosenKeys } from '~/parts/words/key-map.ts';
import { Keys, ariaShortcut } from '~/parts/words/keys.tsx';
import { Tooltip } from '~/parts/over/tooltip.tsx';

export type ButtonVariant = 'primary' | 'plain' | 'quiet' | 'danger';

export interface ButtonProps extends Omit<ComponentProps<'button'>, 'onClick' | 'disabled' | 'className' | 'style'> {
  readonly variant?: ButtonVariant | undefined;
  readonly icon?: IconName | undefined;
  /** Its work is under way. */
  readonly busy?: boolean | undefined;
  /** Reason it cannot be used now; undefined where it can. */
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
      aria-keyshortcuts={ariaShortcut(keys)}
      onClick={(event) => {
        // The second press of a double click was meant for the first, whatever has come under the pointer since.
        if (stopped || event.detail > 1) {
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
