/** Work beside an open queue that its first screen does not need: changes by others, submissions, and the time it is in sight. */
import type { Around } from './draft-around.ts';
import type { DraftsOf } from './draft-store.ts';
import { makeLooking } from './looking.ts';
import type { SavedDrafts } from './save-drafts.ts';
import { sendSubmissions } from './send-submission.ts';
import type { QueueStore } from './store.ts';
import { watchChanges } from './watch-changes.ts';

/** The work beside a queue. */
export interface Beside {
  /** Milliseconds that the queue was in sight since its decisions were submitted last. */
  lookedMs(): number;
  close(): void;
}

interface Beneath extends Around {
  readonly drafts: SavedDrafts;
  /** Remark beside a draft that does not count any more. */
  readonly remark: () => string;
}

/** Runs until it is closed. */
export function runBeside(store: QueueStore, of: DraftsOf, { drafts: { freshen }, remark, ...around }: Beneath): Beside {
  const looking = makeLooking(of);
  looking.open();
  const unsubscribe = store.subscribe((before) => {
    if (store.state.submission.phase === 'done' && before.submission.phase !== 'done') {
      looking.reset();
    }
  });
  const stopWatching = watchChanges(of.reviewId, store, { remark, freshen });
  const stopSending = sendSubmissions(store, { ...around, freshen });
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
