/** The question whether to leave what is not saved: once, whichever way somebody leaves. Where the page itself goes, the browser asks in its own words. */
import { useBlocker } from '@tanstack/react-router';
import { Suspense } from 'react';
import { hasHalfWords } from '~/data/half-words.ts';
import { lazyPart } from '~/parts/states/lazy-part.tsx';
import { giveUpUnsaved, hasUnsaved } from './unsaved.ts';

// It comes with the forms that it asks about.
const LeaveDialog = lazyPart(() => import('./leave-dialog.tsx').then(({ LeaveDialog: component }) => component));

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
    <Suspense fallback={null}>
      <LeaveDialog onOpenChange={(open) => open || blocked.reset()} onLeave={leave} />
    </Suspense>
  );
}
