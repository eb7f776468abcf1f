/** The frame of dialogs and drawers, once one of them is wanted (over.tsx). */
import { Dialog as Base } from '@base-ui/react/dialog';
import { useRef } from 'react';
import { text } from '~/text/text.ts';
import styles from './dialog.module.css';
import { Icon } from '~/parts/words/icon.tsx';
import type { FrameProps } from './over.tsx';

export function OverFrame({ open, onOpenChange, title, children, footer, wide = false, initialFocus, keep = false, place }: FrameProps) {
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
