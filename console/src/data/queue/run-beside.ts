/** Work beside an open queue that its first screen does not need: changes by others, submissions, and the time it is in sight. */
import type { Tabs } from './draft-around.ts';
import type { DraftsOf } from './draft-store.ts';
import { makeLooking } from './looking.ts';
import { sendSubmissions } from './send-submission.ts';
import type { QueueStore } from './store.ts';
import { watchChanges } from './watch-changes.ts';

/** The work beside a queue. */
export interface Beside {
  /** Milliseconds that the queue was in sight since its decisions were submitted last. */
  lookedMs(): number;
  close(): void;
}

/** Runs until it is closed. `remark` is what stands beside a draft that does not count any more. */
export function runBeside(store: QueueStore, of: DraftsOf, tabs: Tabs, remark: () => string): Beside {
  const looking = makeLooking(of);
  looking.open();
  const unsubscribe = store.subscribe((before) => {
    if (store.state.submission.phase === 'done' && before.submission.phase !== 'done') {
      looking.reset();
    }
  });
  const stopWatching = watchChanges(of.reviewId, store, remark);
  const stopSending = sendSubmissions(store, of, tabs);
  return {
    lookedMs: () => looking.ms,
    close() {
      unsubscribe();
      stopWatching();
      stopSending();
      looking.close();
    },
  };
}
