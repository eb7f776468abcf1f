/**
 * Over a page whose session has ended: what was on it is blurred and can neither be read nor used until the same person is signed in again, in
 * a small window. Whoever else signs in begins with a page of their own.
 */
import { useEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import { stringifySearch } from '~/app/search.ts';
import { useConnection } from '~/data/connection.ts';
import { knownSession, lookAgain } from '~/data/session/session.ts';
import { Button } from '~/parts/controls/button.tsx';
import { Icon } from '~/parts/words/icon.tsx';
import { text } from '~/text/text.ts';
import styles from './session-ended.module.css';

export function SessionEnded() {
  const { isSignedOut } = useConnection();
  // Beside the page, not in it: a dialog that is open there hides the page from those who listen.
  return isSignedOut ? createPortal(<Over name={knownSession()?.name ?? ''} />, document.body) : null;
}

function Over({ name }: { name: string }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    // Somebody who signed in elsewhere: before this page heard of it, or while another one was in sight.
    void lookAgain();
    const look = (): void => void (document.visibilityState === 'visible' && lookAgain());
    document.addEventListener('visibilitychange', look);
    return () => {
      document.removeEventListener('visibilitychange', look);
      element?.close();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      className={styles.dialog}
      aria-labelledby="session-ended"
      onCancel={(event) => event.preventDefault()}
      onClose={() => dialog.current?.isConnected === true && dialog.current.showModal()}
    >
      <div className={styles.content}>
        <div className={styles.head}>
          <span aria-hidden="true">
            <Icon name="lock" />
          </span>
          <h2 id="session-ended">{text('app.signedOut')}</h2>
        </div>
        <p>{text('app.signedOutKept')}</p>
        <Button variant="primary" onClick={openWindow}>
          {name === '' ? text('app.signInAgain') : text('app.signInAgainAs', { name })}
        </Button>
        <Button variant="quiet" onClick={() => window.location.assign('/sign-in')}>
          {text('app.signInAsOther')}
        </Button>
        <small>{text('app.smallWindow')}</small>
      </div>
    </dialog>
  );
}

function openWindow(): void {
  const opened = window.open('/sign-in?to=%2Fsigned-in', 'countersign-sign-in', 'popup,width=480,height=680');
  if (opened === null) {
    // Small windows are refused here: the page itself goes, and comes back.
    window.location.assign(`/sign-in${stringifySearch({ to: window.location.pathname + window.location.search })}`);
  }
}
