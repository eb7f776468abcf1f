/** The frame of dialogs and drawers. */
import { Dialog as Base } from '@base-ui/react/dialog';
import { type ReactNode, type RefObject, useRef } from 'react';
import { text } from '../text/text.ts';
import styles from './dialog.module.css';
import { Icon } from './icon.tsx';

export interface OverProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly title: string;
  readonly children?: ReactNode;
  /** Buttons, the one that does it last; words before them stand at the left. */
  readonly footer?: ReactNode;
  readonly wide?: boolean | 'most' | undefined;
  /** What gets the focus first; else a field that asks for it, or the dialog itself: never the cross that closes it. */
  readonly initialFocus?: RefObject<HTMLElement | null> | undefined;
  /** A press beside it does not close it: what is in it would be lost. */
  readonly keep?: boolean | undefined;
}

export function Over({
  open,
  onOpenChange,
  title,
  children,
  footer,
  wide = false,
  initialFocus,
  keep = false,
  place,
}: OverProps & { place: 'dialog' | 'drawer' }) {
  const popup = useRef<HTMLDivElement>(null);
  return (
    <Base.Root open={open} onOpenChange={(next) => onOpenChange(next)} disablePointerDismissal={keep}>
      <Base.Portal>
        <Base.Backdrop className={styles.scrim} />
        <Base.Viewport className={`${styles.around} ${place === 'drawer' ? styles.beside : ''}`}>
          <Base.Popup
            ref={popup}
            className={`${styles.dialog} ${place === 'drawer' ? styles.drawer : ''} ${wide === 'most' ? styles.widest : wide ? styles.wide : ''}`}
            initialFocus={initialFocus ?? popup}
          >
            <div className={styles.head}>
              <Base.Title>{title}</Base.Title>
              <Base.Close className={styles.close} aria-label={text('parts.close')}>
                <Icon name="cross" />
              </Base.Close>
            </div>
            {children === undefined ? null : <div className={styles.body}>{children}</div>}
            {footer === undefined ? null : <div className={styles.foot}>{footer}</div>}
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  );
}
