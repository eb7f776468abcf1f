/** Signing out: asks first where decisions are not submitted, and says what becomes of those that the server does not have. */
import { useNavigate } from '@tanstack/react-router';
import { useCallback, useEffect, useState } from 'react';
import { giveUpUnsaved, hasUnsaved } from '~/app/forms/unsaved.ts';
import { errorMessage } from '~/data/act.ts';
import { dropHalfWords, hasHalfWords } from '~/data/half-words.ts';
import { countDrafts } from '~/data/queue/kept-drafts.ts';
import { openDrafts, signOut } from '~/data/session/session.ts';
import { Button } from '~/parts/controls/button.tsx';
import { Dialog } from '~/parts/over/dialog.tsx';
import { toast } from '~/parts/over/toast.tsx';
import { text } from '~/text/text.ts';

const nothing = { here: 0, onServer: 0 };

export function SignOut({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const [open, setOpen] = useState(nothing);
  const [isBusy, setBusy] = useState(false);
  const leave = useCallback(async () => {
    setBusy(true);
    try {
      await signOut();
      giveUpUnsaved();
      dropHalfWords();
      await navigate({ to: '/sign-in' });
    } catch (error) {
      toast(errorMessage(error));
    }
    onClose();
  }, [navigate, onClose]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is asked for once, when it is shown
  useEffect(() => {
    let isGone = false;
    // Where a browser refuses storage, nothing is on this device.
    const counting = openDrafts().then(countDrafts);
    void counting
      .catch(() => nothing)
      .then((found) => {
        if (isGone) {
          return;
        }
        if (found.here + found.onServer === 0 && !hasUnsaved() && !hasHalfWords()) {
          void leave();
        } else {
          setOpen({ ...found });
        }
      });
    return () => {
      isGone = true;
    };
  }, []);
  if (open === nothing) {
    return null;
  }
  return (
    <Dialog
      open
      onOpenChange={(next) => next || onClose()}
      title={text('app.signOutAsk')}
      footer={
        <>
          <Button onClick={onClose}>{text('app.staySignedIn')}</Button>
          <Button variant={open.here > 0 ? 'danger' : 'primary'} busy={isBusy} onClick={() => void leave()}>
            {text('app.signOut')}
          </Button>
        </>
      }
    >
      {hasUnsaved() || hasHalfWords() ? <p>{text('leave.words')}</p> : null}
      {open.here > 0 ? <p>{text('app.signOutHere', { count: open.here })}</p> : null}
      {open.onServer > 0 ? <p>{text('app.signOutServer', { count: open.onServer })}</p> : null}
    </Dialog>
  );
}
