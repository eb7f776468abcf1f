/** The queue around the parts of its page, which read its state by selectors. */
import { createContext, useContext, useSyncExternalStore } from 'react';
import type { OpenQueue } from '~/data/queue/open-queue.ts';
import type { QueueState } from '~/data/queue/state/state.ts';
import type { QueueActions } from './actions.ts';

/** An open queue and what can be done in it. */
export interface Queue extends OpenQueue {
  readonly actions: QueueActions;
}

/** The queue around a part of its page. */
export const QueueContext = createContext<Queue | undefined>(undefined);

/** The queue that this part belongs to. */
export function useQueue(): Queue {
  const queue = useContext(QueueContext);
  if (queue === undefined) {
    throw new Error('no queue is around this part');
  }
  return queue;
}

/** Selects what a part shows of the state: it is drawn again when that is another value, so a selector returns what is in the state or is remembered for it. */
export function useQueueState<T>(select: (state: QueueState) => T): T {
  const { store } = useQueue();
  return useSyncExternalStore(store.subscribe, () => select(store.state));
}
