/**
 * The frame of dialogs and drawers, once one of them is wanted (over.tsx). Who closes one by Escape, by its cross or by a press beside it is asked once, if
 * they wrote more into it than a few words: those are nowhere else.
 */
import { Dialog as Base } from '@base-ui/react/dialog';
import { type FormEvent, useRef, useState } from 'react';
import { Button } from '~/parts/controls/button.tsx';
import { loadLaterTexts, text } from '~/text/text.ts';
import styles from './dialog.module.css';
import { Icon } from '~/parts/words/icon.tsx';
import type { FrameProps } from './over.tsx';

/** Letters that are written anew as fast as a question is answered. */
const few = 20;
/** Fields that hold words of one's own. */
const ownWords = 'textarea, input:not([role=combobox], [type=search], [type=file])';

type Written = HTMLInputElement | HTMLTextAreaElement;

export function OverFrame({ open, onOpenChange, title, children, footer, wide = false, initialFocus, keep = false, place }: FrameProps) {
  const popup = useRef<HTMLDivElement>(null);
  const written = useRef(new Set<Written>());
  const [isAsking, setAsking] = useState(false);
  const hear = ({ target }: FormEvent): void => {
    if ((target as Element).matches(ownWords)) {
      written.current.add(target as Written);
    }
  };
  const change = (next: boolean): void => {
    if (document.querySelector('dialog:modal') !== null) {
      // What is pressed while the session has ended is not meant for what is under that.
      return;
    }
    if (!next && [...written.current].some((one) => one.isConnected && one.value.trim().length > few)) {
      // The words of the question come with those of later pages; where they do not come, nothing that was written goes.
      void loadLaterTexts().then(
        () => setAsking(true),
        () => undefined,
      );
    } else {
      onOpenChange(next);
    }
  };
  const leave = (): void => {
    setAsking(false);
    onOpenChange(false);
  };
  return (
    <Base.Root open={open} onOpenChange={change} disablePointerDismissal={keep}>
      <Base.Portal>
        <Base.Backdrop className={styles.scrim} />
        <Base.Viewport className={`${styles.around} ${place === 'drawer' ? styles.beside : ''}`}>
          <Base.Popup
            ref={popup}
            className={`${styles.dialog} ${place === 'drawer' ? styles.drawer : ''} ${wide === 'most' ? styles.widest : wide ? styles.wide : ''}`}
            initialFocus={initialFocus ?? popup}
            onInput={hear}
          >
            <div className={styles.head}>
              <Base.Title>{title}</Base.Title>
              <Base.Close className={styles.close} aria-label={text('parts.close')}>
                <Icon name="cross" />
              </Base.Close>
            </div>
            {children === undefined ? null : <div className={styles.body}>{children}</div>}
            {footer === undefined ? null : <div className={styles.foot}>{footer}</div>}
            {isAsking ? (
              <OverFrame
                open
                place="dialog"
                onOpenChange={setAsking}
                title={text('leave.title')}
                footer={
                  <>
                    <Button onClick={leave}>{text('leave.leave')}</Button>
                    <Button variant="primary" onClick={() => setAsking(false)}>
                      {text('leave.stay')}
                    </Button>
                  </>
                }
              >
                <p>{text('leave.written')}</p>
              </OverFrame>
            ) : null}
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  );
}
