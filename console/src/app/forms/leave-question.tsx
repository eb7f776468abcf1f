/** The question whether to leave what is not saved: once, whichever way somebody leaves. Where the page itself goes, the browser asks in its own words. */
import { useBlocker } from '@tanstack/react-router';
import { hasHalfWords } from '~/data/half-words.ts';
import { Button } from '~/parts/controls/button.tsx';
import { Dialog } from '~/parts/over/dialog.tsx';
import { text } from '~/text/text.ts';
import { giveUpUnsaved, hasUnsaved } from './unsaved.ts';

export function LeaveQuestion() {
  const blocked = useBlocker({ shouldBlockFn: hasUnsaved, enableBeforeUnload: () => hasUnsaved() || hasHalfWords(), withResolver: true });
  if (blocked.status !== 'blocked') {
    return null;
  }
  const leave = (): void => {
    giveUpUnsaved();
    blocked.proceed();
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => open || blocked.reset()}
      title={text('leave.title')}
      footer={
        <>
          <Button onClick={leave}>{text('leave.leave')}</Button>
          <Button variant="primary" onClick={blocked.reset}>
            {text('leave.stay')}
          </Button>
        </>
      }
    >
      <p>{text('leave.hint')}</p>
    </Dialog>
  );
}
