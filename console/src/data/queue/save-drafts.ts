/** Keeps the decisions of an open queue on this device, says them to other tabs, and sends them to the server when that is planned. */
import type { Around, SaveFailure } from './draft-around.ts';
import { byTask, changedDrafts } from './drafts.ts';
import { type Copies, countToSend, joinCopies, readRecord, nothingKnown, writeRecord } from './known.ts';
import { maxRetryMs } from './state/change-drafts.ts';
import type { Action } from './state/reduce.ts';
import type { QueueState } from './state/state.ts';
import type { QueueStore } from './store.ts';

/** The drafts of a queue, being saved. */
export interface SavedDrafts {
  /** Reads this device, then the server; where that does not answer, what is here is used and sent later. */
  open(): Promise<void>;
  /** Reads the server's list anew, unless it is known to be of this version. */
  freshen(version?: string): Promise<void>;
  /** Sends what waits a last time; where that fails it stays on this device, and is sent when the review is opened again. */
  close(): void;
}

/** Saves for as long as the queue is open. */
export function saveDrafts(store: QueueStore, { shelf, tabs, server, timers }: Around): SavedDrafts {
  /** True while copies of another tab or of the device are taken: they are written there already. */
  let isElsewhere = false;
  let isClosed = false;
  let cancelTimer: (() => void) | undefined;
  let writing: Promise<void> = Promise.resolve();

  const takeCopies = (copies: Copies): void => {
    isElsewhere = true;
    store.dispatch({ kind: 'copiesCame', ...copies, now: timers.now() });
    isElsewhere = false;
  };
  const dispatchNow = <K extends Action['kind']>(kind: K): void => store.dispatch({ kind, now: timers.now() } as Action & { kind: K });
  const noteNotKept = (): void => dispatchNow('notKept');

  /** Writes what changed, one after the other. What another tab wrote meanwhile stays where it is later. */
  const write = (changed: Copies): void => {
    writing = writing.then(() => shelf.update((held) => joinCopies(held, changed))).catch(noteNotKept);
  };

  /** What other tabs did until now: said to this one already, or on its way. */
  const readShelf = async (): Promise<void> => {
    await writing;
    const copies = await shelf.read().catch(() => undefined);
    copies === undefined ? noteNotKept() : takeCopies(copies);
  };

  const readServer = async (): Promise<void> => {
    const staged = await server.list();
    store.dispatch({ kind: 'stagedCame', staged, now: timers.now() });
  };

  /** Sends once; undefined where nothing is left to send. */
  const trySending = async (): Promise<SaveFailure | undefined> => {
    store.dispatch({ kind: 'sendAnew' });
    await writing;
    const { saving, known } = store.state;
    const answer = await server.save(saving.sent ?? [], known.version);
    if ('version' in answer) {
      store.dispatch({ kind: 'sent', version: answer.version, now: timers.now() });
      return undefined;
    }
    return answer;
  };

  const sendNow = async (): Promise<void> => {
    await readShelf();
    let failure = await trySending();
    if (failure?.kind === 'changed') {
      await readServer();
      failure = countToSend(store.state.drafts, store.state.known) === 0 ? failure : await trySending();
    }
    if (failure !== undefined) {
      store.dispatch({ kind: 'sendFailed', failure, now: timers.now() });
    }
    await writing;
  };

  const failure = (error: unknown): SaveFailure => ({ kind: 'outage', message: String(error) });

  const startSending = (): void =>
    void tabs.alone(sendNow).catch((error: unknown) => store.dispatch({ kind: 'sendFailed', failure: failure(error), now: timers.now() }));

  const setTimer = ({ saving, submission }: QueueState): void => {
    cancelTimer?.();
    // A decision that is submitted is not staged again behind it. A clock that was set back since puts nothing off.
    const isPlanned = saving.dueAt !== 0 && !isClosed && submission.phase !== 'sending';
    cancelTimer = isPlanned
      ? timers.later(Math.min(maxRetryMs, Math.max(0, saving.dueAt - timers.now())), () => store.dispatch({ kind: 'send' }))
      : undefined;
  };

  store.subscribe((before) => {
    const { state } = store;
    if ((state.drafts !== before.drafts || state.known !== before.known) && !isElsewhere) {
      const changed = {
        drafts: byTask(changedDrafts(before.drafts, state.drafts)),
        known: state.known === before.known ? nothingKnown : state.known,
        latest: state.latest,
      };
      write(changed);
      tabs.send({ kept: { ...writeRecord(changed), drafts: [...changed.drafts.values()] } });
    }
    if (state.saving.dueAt !== before.saving.dueAt || state.submission.phase !== before.submission.phase) {
      setTimer(state);
    }
    if (state.saving.sent !== undefined && before.saving.sent === undefined) {
      startSending();
    }
  });

  const unhear = tabs.hear((news) => {
    if ('kept' in news) {
      takeCopies(readRecord(news.kept));
    } else if ('results' in news) {
      isElsewhere = true;
      store.dispatch({ kind: 'settled', ...news, now: timers.now() });
      isElsewhere = false;
    }
  });
  return {
    open: () =>
      tabs.alone(async () => {
        await readShelf();
        try {
          await readServer();
        } catch {
          // Nothing is lost: the next time that something is sent shows what is wrong.
          dispatchNow('planSending');
        }
      }),
    freshen: (version) =>
      tabs.alone(async () => {
        await readShelf();
        if (version === undefined || version !== store.state.known.version) {
          await readServer();
        }
      }),
    close() {
      isClosed = true;
      unhear();
      cancelTimer?.();
      store.dispatch({ kind: 'send' });
    },
  };
}
