/** Opens the queue of a review with its page, and closes it when the page is left. */
import { useEffect, useState } from 'react';
import { loadLater } from '~/data/queue/load-later.ts';
import { openQueue } from '~/data/queue/open-queue.ts';
import type { Session } from '~/data/session/session.ts';
import { losePart } from '~/parts/states/lazy-part.tsx';
import { text } from '~/text/text.ts';
import { makeActions } from './actions.ts';
import { type QueueAddress, queueView } from './address.ts';
import type { Queue } from './use-queue.ts';

const fetchLaterParts = (): void => {
  void loadLater(() => import('./list/fetch-later-parts.ts')).then(
    (later) => later.fetchLaterParts(),
    () => undefined,
  );
};

/** Opens a queue; undefined until it is. */
export function useOpenQueue(session: Session | undefined, reviewId: string, address: QueueAddress): Queue | undefined {
  const [queue, setQueue] = useState<Queue>();
  const { tenantId, userId, draftKey } = session ?? {};
  // biome-ignore lint/correctness/useExhaustiveDependencies: the address and the key are those it begins with; what changes of the address later is dispatched
  useEffect(() => {
    if (tenantId === undefined || userId === undefined || draftKey === undefined) {
      return undefined;
    }
    const opened = openQueue(
      { tenantId, userId, reviewId, draftKey },
      {
        view: queueView(address),
        task: address.task ?? '',
        remark: () => text('queue.notRecorded'),
        whenReady: fetchLaterParts,
        whenLost: losePart,
      },
    );
    setQueue({ ...opened, actions: makeActions(opened) });
    return () => opened.close();
  }, [tenantId, userId, reviewId]);
  return queue;
}
