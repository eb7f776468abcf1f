/** Says that the server does not answer, and what that means for decisions. It is there from the first screen on: nothing can be fetched then. */
import { OfflineBanner } from '~/app/frame/offline-banner.tsx';
import { readSaving } from '~/data/queue/state/read-state.ts';
import { Rich } from '~/text/rich.tsx';
import { useQueue, useQueueState } from './use-queue.ts';

export function AwayBanner() {
  const { store } = useQueue();
  const { state, retryAt } = useQueueState(readSaving);
  const isKept = useQueueState(({ saving }) => saving.isKept);
  const retry = () => store.dispatch({ kind: 'send' });
  return (
    <OfflineBanner waiting={state === 'device' ? { nextTry: retryAt, retry } : undefined}>
      <Rich id={isKept ? 'queue.offline' : 'queue.offlineNotKept'} />
    </OfflineBanner>
  );
}
