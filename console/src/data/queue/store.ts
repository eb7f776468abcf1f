/** Holder of the state of an open queue: it takes what happens, and calls back those who look whenever the state is another one. */
import { type Action, reduce } from './state/reduce.ts';
import type { QueueState } from './state/state.ts';

export interface QueueStore {
  readonly state: QueueState;
  dispatch(action: Action): void;
  /** Calls back with the state before, until the returned function is called. */
  subscribe(listener: (before: QueueState) => void): () => void;
}

/** A store that begins with this state. What listeners dispatch is taken after all have heard. */
export function createQueueStore(first: QueueState): QueueStore {
  let state = first;
  const listeners = new Set<(before: QueueState) => void>();
  const waiting: Action[] = [];
  let isTelling = false;
  return {
    get state() {
      return state;
    },
    dispatch(action) {
      waiting.push(action);
      if (isTelling) {
        return;
      }
      isTelling = true;
      try {
        for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
          const before = state;
          state = reduce(before, next);
          if (state !== before) {
            for (const listener of listeners) {
              listener(before);
            }
          }
        }
      } finally {
        isTelling = false;
      }
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Ends when no drafts are on their way, so that what is submitted is not staged again behind it. */
export function untilNothingIsSent(store: QueueStore): Promise<void> {
  return new Promise((resolve) => {
    let stop = (): unknown => undefined;
    const look = (): void => {
      if (store.state.saving.sent === undefined) {
        stop();
        resolve();
      }
    };
    stop = store.subscribe(look);
    look();
  });
}
