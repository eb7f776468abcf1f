/** A little more about something, or a small form, beside the control that opens it. */
import { Popover as Base } from '@base-ui/react/popover';
import type { ReactNode } from 'react';
import styles from './floating.module.css';
import { labelledTrigger } from '~/parts/controls/trigger.tsx';

interface PopoverProps {
  /** A Button, or what stands in one. */
  readonly trigger: ReactNode;
  readonly label: string;
  readonly children: ReactNode;
  readonly open?: boolean | undefined;
  readonly onOpenChange?: ((open: boolean) => void) | undefined;
}

export function Popover({ trigger, label, children, open, onOpenChange }: PopoverProps) {
  return (
    <Base.Root {...(open === undefined ? {} : { open })} onOpenChange={(next) => onOpenChange?.(next)}>
      <Base.Trigger render={labelledTrigger(trigger, label)} />
      <Base.Portal>
        <Base.Positioner className={styles.layer} sideOffset={4} align="start">
          <Base.Popup className={styles.popover} aria-label={label}>
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
