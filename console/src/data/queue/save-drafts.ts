/** Keeps the decisions of an open queue on this device, says them to other tabs, and sends them to the server when that is planned. */
import type { Around, SaveFailure } from './draft-around.ts';
import { byTask, changedDrafts, type Draft, mergeHeld } from './drafts.ts';
import type { Action } from './state/reduce.ts';
import type { QueueState } from './state/state.ts';
import type { QueueStore } from './store.ts';

/** The drafts of a queue, being saved. */
export interface SavedDrafts {
  /** Reads this device, then the server; where that does not answer, what is here is used and sent later. */
  open(): Promise<void>;
  /** Sends what waits a last time; where that fails it stays on this device, and is sent when the review is opened again. */
  close(): void;
}

/** Saves for as long as the queue is open. */
export function saveDrafts(store: QueueStore, { shelf, tabs, server, timers }: Around): SavedDrafts {
  /** Whose change of the drafts is taken: what comes from the device or another tab is written there already. */
  let source: 'here' | 'server' | 'elsewhere' = 'here';
  let isClosed = false;
  let cancelTimer: (() => void) | undefined;
  let writing: Promise<void> = Promise.resolve();
  let toWrite = new Map<string, Draft | undefined>();

  const takeFrom = (from: typeof source, action: Action): void => {
    source = from;
    store.dispatch(action);
    source = 'here';
  };

  /** Writes what changed, one after the other. */
  const write = (changed: ReadonlyMap<string, Draft | undefined>): void => {
    toWrite = new Map([...changed, ...toWrite]);
    writing = writing.then(async () => {
      const before = toWrite;
      toWrite = new Map();
      if (before.size > 0) {
        await shelf.update((held) => [...mergeHeld(byTask(held), before, store.state.drafts).values()]).catch(() => undefined);
      }
    });
  };

  const sendNow = async (sent: NonNullable<QueueState['saving']['sent']>): Promise<void> => {
    await writing;
    const failure = await server.save(sent).catch((error: unknown): SaveFailure => ({ kind: 'fault', message: String(error) }));
    const now = timers.now();
    store.dispatch(failure === undefined ? { kind: 'sent', now } : { kind: 'sendFailed', failure, now });
  };

  const setTimer = ({ saving, submission }: QueueState): void => {
    cancelTimer?.();
    // A decision that is submitted is not staged again behind it.
    const isPlanned = saving.dueAt !== 0 && !isClosed && submission.phase !== 'sending';
    cancelTimer = isPlanned ? timers.later(Math.max(0, saving.dueAt - timers.now()), () => store.dispatch({ kind: 'send' })) : undefined;
  };

  store.subscribe((before) => {
    const { state } = store;
    if (state.drafts !== before.drafts && source !== 'elsewhere') {
      const changed = changedDrafts(before.drafts, state.drafts);
      if (changed.size > 0) {
        write(changed);
      }
      const drafts = [...changed.keys()].flatMap((taskId) => state.drafts.get(taskId) ?? []);
      if (source === 'here' && drafts.length > 0) {
        tabs.send({ drafts });
      }
    }
    if (state.saving.dueAt !== before.saving.dueAt || state.submission.phase !== before.submission.phase) {
      setTimer(state);
    }
    if (state.saving.sent !== undefined && state.saving.sent !== before.saving.sent) {
      void sendNow(state.saving.sent);
    }
  });

  const unhear = tabs.hear((news) =>
    takeFrom('elsewhere', 'drafts' in news ? { kind: 'copiesCame', drafts: news.drafts } : { kind: 'settled', ...news, now: timers.now() }),
  );
  return {
    async open() {
      const drafts = await shelf.read().catch(() => []);
      takeFrom('elsewhere', { kind: 'copiesCame', drafts });
      try {
        takeFrom('server', { kind: 'stagedCame', staged: await server.list(), now: timers.now() });
      } catch {
        // Nothing is lost: the next time that something is sent shows what is wrong.
        store.dispatch({ kind: 'planSending', now: timers.now() });
      }
    },
    close() {
      isClosed = true;
      unhear();
      cancelTimer?.();
      store.dispatch({ kind: 'send' });
    },
  };
}
