/**
 * Sends a submission in parts of 1,000 under one key when its ten seconds are over, and keeps it on this device until it is. One tab of a browser has one
 * under way at a time; the others know of it, and change nothing meanwhile. What is recorded is what was confirmed, or nothing: the server is told which
 * version of its list that was.
 */
import { ClientError, forget, isOutage } from '~/data/query.ts';
import type { Around } from './draft-around.ts';
import { maxAtOnce, waitingMs } from './drafts.ts';
import { isAsConfirmed } from './state/change-drafts.ts';
import type { KeptSubmission, Submission, TaskResult } from './state/state.ts';
import { type QueueStore, untilNothingIsSent } from './store.ts';

/** What the tab of a queue does about submissions. */
interface Sending extends Around {
  /** Reads the server's list anew. */
  readonly freshen: () => Promise<unknown>;
}

/** The version of no list: with it, only what arrived before has an answer. */
const noVersion = 'none';

/** Times a list is read anew before a submission is given up because it changes all the time. */
const mostRounds = 3;

/** Looks for a submission of an earlier visit, and sends those of this one until the returned function is called. */
export function sendSubmissions(store: QueueStore, { shelf, tabs, server, timers, freshen }: Sending): () => void {
  let stopTimer = (): void => undefined;
  /** Gives the lock back; undefined where this tab does not have it. */
  let release: (() => void) | undefined;
  let claiming: Promise<boolean> | undefined;
  let keeping: Promise<unknown> = Promise.resolve();
  let isOver = false;

  const keep = (kept: KeptSubmission | undefined): void => {
    keeping = shelf.keepSubmission(kept).catch(() => undefined);
  };

  /** Takes the lock for the submission of this tab; where another tab has it, this one has none. Whether it has it. */
  const claim = async (): Promise<boolean> => {
    claiming ??= takeLock().finally(() => {
      claiming = undefined;
    });
    if (!(await claiming) || !isOurs(store.state.submission)) {
      return false;
    }
    const { phase, count, endsAt, kept } = store.state.submission;
    keep(kept);
    tabs.send({ underway: { phase: phase === 'waiting' ? phase : 'sending', count, endsAt } });
    return true;
  };

  const takeLock = async (): Promise<boolean> => {
    if (release !== undefined) {
      return true;
    }
    const held = await tabs.holdSubmission();
    const { submission } = store.state;
    if (held === undefined) {
      store.dispatch({ kind: 'submissionElsewhere', underway: { count: submission.count, endsAt: submission.endsAt } });
      return false;
    }
    release = held;
    if (isOver || !isOurs(submission)) {
      giveBack();
      return false;
    }
    return true;
  };

  /** Other tabs find what is kept as soon as they have the lock. */
  const giveBack = (): void => {
    void keeping.then(release);
    release = undefined;
  };

  // The later parts are of what this device alone has, or of the list that the first one changed: they have no version.
  const submit = ({ drafts, key }: KeptSubmission, from: number, version: string) =>
    server.submit({ decisions: drafts.slice(from, from + maxAtOnce), key: `${key}-${from / maxAtOnce}`, version });

  /** Sends the first part as it was confirmed. Undefined where that is not what is meant any more. */
  const submitFirst = async (kept: KeptSubmission) => {
    if (kept.version !== undefined) {
      // It may have arrived: under its key it gets the answer of then, and else it is recorded if nothing changed since, here or there.
      const reply = await submit(kept, 0, isAsConfirmed(store.state, kept.drafts) ? kept.version : noVersion);
      if (reply !== undefined) {
        return reply;
      }
      await freshen();
    }
    await untilNothingIsSent(store);
    for (let round = 0; round < mostRounds && isAsConfirmed(store.state, kept.drafts); round++) {
      const { version } = store.state.known;
      store.dispatch({ kind: 'submissionBound', version });
      const reply = await submit(kept, 0, version);
      if (reply !== undefined) {
        return reply;
      }
      await freshen();
    }
    return undefined;
  };

  const send = async (kept: KeptSubmission): Promise<void> => {
    try {
      const all: TaskResult[] = [];
      for (let from = 0; from < kept.drafts.length; from += maxAtOnce) {
        const reply = from === 0 ? await submitFirst(kept) : await submit(kept, from, '');
        if (reply === undefined) {
          store.dispatch({ kind: 'submissionChanged', now: timers.now() });
          return;
        }
        const news = { ...reply, sent: kept.drafts.slice(from, from + maxAtOnce) };
        all.push(...news.results);
        store.dispatch({ kind: 'settled', ...news, now: timers.now() });
        tabs.send(news);
      }
      store.dispatch({ kind: 'submitted', results: all });
      void forget('MyReviewService.List', 'MySubmissionService.List', 'MyOutcomeService.List');
    } catch (error) {
      const { message, requestId = '' } = error as ClientError;
      const isOut = isOutage(error) || !(error instanceof ClientError);
      store.dispatch({ kind: 'submissionFailed', message, requestId, isOutage: isOut, now: timers.now() });
    } finally {
      if (isOver) {
        giveBack();
      }
    }
  };

  /** Says what an earlier visit, or another tab that is gone, left behind. */
  const find = async (): Promise<void> => {
    const kept = await shelf.readSubmission().catch(() => undefined);
    const { phase } = store.state.submission;
    if (kept === undefined || isOver || (phase !== 'idle' && phase !== 'elsewhere')) {
      return;
    }
    const free = await tabs.holdSubmission();
    if (free === undefined) {
      store.dispatch({ kind: 'submissionElsewhere', underway: { count: kept.drafts.length, endsAt: 0 } });
      return;
    }
    store.dispatch({ kind: 'submissionFound', kept });
    if (store.state.submission.kept === undefined) {
      keep(undefined);
    }
    await keeping;
    free();
  };

  /** One that another tab has under way ends when that tab is done, or gone. */
  const followOther = async (): Promise<void> => {
    await tabs.untilNoSubmission();
    if (!isOver) {
      store.dispatch({ kind: 'submissionElsewhere', underway: undefined });
      await find();
    }
  };

  const follow = ({ phase, kept }: Submission, before?: Submission): void => {
    if (kept !== before?.kept && release !== undefined) {
      keep(kept);
    }
    if (phase === before?.phase) {
      return;
    }
    stopTimer();
    if (phase === 'waiting') {
      void claim();
      // What is confirmed is on the server before it goes out, where the server answers.
      store.dispatch({ kind: 'send' });
      stopTimer = timers.later(waitingMs, () => store.dispatch({ kind: 'sendSubmission' }));
    } else if (phase === 'sending' && kept !== undefined) {
      void claim().then((isClaimed) => (isClaimed ? send(kept) : undefined));
    } else if (phase === 'elsewhere') {
      void followOther();
    } else if (release !== undefined) {
      giveBack();
    }
  };

  const unhear = tabs.hear((news) => {
    const { submission } = store.state;
    if ('underway' in news && !isOurs(submission)) {
      store.dispatch({ kind: 'submissionElsewhere', underway: news.underway });
    } else if ('ask' in news && submission.phase === 'waiting') {
      store.dispatch(news.ask === 'undo' ? { kind: 'undoLast', now: timers.now() } : { kind: 'sendSubmission' });
    }
  });
  const unsubscribe = store.subscribe((before) => follow(store.state.submission, before.submission));
  // It may have begun before this was here.
  follow(store.state.submission);
  void find();
  // The copy that is kept says to the next visit that it did not go out.
  return () => {
    isOver = true;
    stopTimer();
    if (release !== undefined && store.state.submission.phase !== 'sending') {
      giveBack();
    }
    unhear();
    unsubscribe();
  };
}

const isOurs = ({ phase }: Submission): boolean => phase === 'waiting' || phase === 'sending';
