/** The question for a fresh sign-in, in a small window beside the page that waits. */
import { useEffect, useRef } from 'react';
import { answerFresh } from '~/data/session/fresh-sign-in.ts';
import { Button } from '~/parts/controls/button.tsx';
import { Icon } from '~/parts/words/icon.tsx';
import { text } from '~/text/text.ts';
import styles from './session-ended.module.css';

export function FreshAsk() {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      className={styles.dialog}
      aria-labelledby="fresh-sign-in"
      onCancel={(event) => {
        event.preventDefault();
        answerFresh(false);
      }}
    >
      <div className={styles.content}>
        <div className={styles.head}>
          <span aria-hidden="true">
            <Icon name="lock" />
          </span>
          <h2 id="fresh-sign-in">{text('fresh.title')}</h2>
        </div>
        <p>{text('fresh.why')}</p>
        <Button
          variant="primary"
          onClick={() => void window.open('/sign-in?fresh=1&to=%2Fsigned-in', 'countersign-sign-in', 'popup,width=480,height=680')}
        >
          {text('app.signInAgain')}
        </Button>
        <Button variant="quiet" onClick={() => answerFresh(false)}>
          {text('fresh.cancel')}
        </Button>
        <small>{text('fresh.window')}</small>
      </div>
    </dialog>
  );
}
