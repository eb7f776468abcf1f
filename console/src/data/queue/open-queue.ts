/** Opens the queue of a review: its state, and beside it all that reads, keeps and sends what belongs to it. */
import { whenSignedIn } from '~/data/connection.ts';
import type { DraftsOf } from './draft-store.ts';
import { loadLater } from './load-later.ts';
import { readRows } from './read-rows.ts';
import { aroundDrafts } from './review-drafts.ts';
import type { Beside } from './run-beside.ts';
import { saveDrafts } from './save-drafts.ts';
import { openState } from './state/state.ts';
import type { QueueView } from './state/view.ts';
import { createQueueStore, type QueueStore } from './store.ts';

/** The queue of a review that somebody has open. */
export interface OpenQueue {
  readonly reviewId: string;
  readonly store: QueueStore;
  /** Milliseconds that it was in sight since its decisions were submitted last. */
  lookedMs(): number;
  /** Asks the tab that has a submission under way to take it back, or to send it now. */
  askSubmission(ask: 'undo' | 'send'): void;
  /** Reads the rows that did not come. */
  retryRows(): void;
  close(): void;
}

interface Opening {
  readonly view: QueueView;
  /** The task to go to. */
  readonly task: string;
  /** Remark beside a draft that does not count any more. */
  readonly remark: () => string;
  /** Called once the queue is there. */
  readonly whenReady: () => void;
  /** Hears that the work beside it does not come: nothing is sent then. */
  readonly whenLost: (error: unknown) => void;
}

/** Opens it; `close` ends everything. */
export function openQueue(of: DraftsOf, { view, task, remark, whenReady, whenLost }: Opening): OpenQueue {
  const store = createQueueStore(openState(of.userId, view));
  const around = aroundDrafts(of);
  const drafts = saveDrafts(store, around);
  const rows = readRows(store, of.reviewId);
  let isClosed = false;
  let beside: Beside | undefined;
  // Sending and reading that failed while the session had ended goes on by itself.
  const stopSignedIn = whenSignedIn(() => {
    store.dispatch({ kind: 'send' });
    rows.retry();
  });
  const start = async (): Promise<void> => {
    await Promise.all([rows.first, drafts.open()]);
    if (isClosed) {
      return;
    }
    store.dispatch({ kind: 'opened', view, task });
    whenReady();
    const { runBeside } = await loadLater(() => import('./run-beside.ts'));
    if (!isClosed) {
      beside = runBeside(store, of, { ...around, drafts, remark });
    }
  };
  start().catch(whenLost);
  return {
    reviewId: of.reviewId,
    store,
    lookedMs: () => beside?.lookedMs() ?? 0,
    askSubmission: (ask) => around.tabs.send({ ask }),
    retryRows: rows.retry,
    close() {
      isClosed = true;
      stopSignedIn();
      beside?.close();
      rows.close();
      drafts.close();
    },
  };
}
