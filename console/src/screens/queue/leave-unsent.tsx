/** In a browser that keeps nothing, what is not on the server is gone with the page: whoever leaves is asked. */
import { useBlocker } from '@tanstack/react-router';
import { Suspense, useEffect } from 'react';
import { readSaving } from '~/data/queue/state/read-state.ts';
import { loadLaterTexts } from '~/text/text.ts';
import { laterPart } from './later-part.ts';
import { useQueue, useQueueState } from './use-queue.ts';

const load = () =>
  Promise.all([import('~/app/forms/leave-dialog.tsx'), loadLaterTexts()]).then(([{ LeaveDialog: component }]) => component);
const LeaveDialog = laterPart(load);

export function LeaveUnsent() {
  const { reviewId } = useQueue();
  const isUnsent = useQueueState((state) => readSaving(state).unsaved > 0 || /^(?:waiting|sending)$/.test(state.submission.phase));
  const blocked = useBlocker({
    // Within the queue nothing is left behind.
    shouldBlockFn: ({ next }) => isUnsent && !next.pathname.startsWith(`/r/${reviewId}`),
    enableBeforeUnload: () => isUnsent,
    withResolver: true,
  });
  // It is wanted when the server does not answer.
  useEffect(() => void load().catch(() => undefined), []);
  return blocked.status === 'blocked' ? (
    <Suspense fallback={null}>
      <LeaveDialog onOpenChange={(open) => open || blocked.reset()} onLeave={blocked.proceed} />
    </Suspense>
  ) : null;
}
