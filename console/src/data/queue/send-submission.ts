/** Sends a submission in parts of 1,000 under one key when its ten seconds are over, and keeps it on this device until it is. */
import { call, ClientError, forget, isOutage, type ReplyOf } from '~/data/query.ts';
import type { Tabs } from './draft-around.ts';
import { changeKept, type DraftsOf, readKept } from './draft-store.ts';
import { maxAtOnce, toDecision, waitingMs } from './drafts.ts';
import type { KeptSubmission, Submission, TaskResult } from './state/state.ts';
import type { QueueStore } from './store.ts';

/** Looks for a submission of an earlier visit, and sends those of this one until the returned function is called. */
export function sendSubmissions(store: QueueStore, of: DraftsOf, tabs: Tabs): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;

  const keep = (kept: KeptSubmission | undefined): void =>
    void changeKept<KeptSubmission>(of, 'submission', () => kept).catch(() => undefined);

  const send = async ({ key, drafts }: KeptSubmission): Promise<void> => {
    try {
      await untilNothingIsSent(store);
      const all: TaskResult[] = [];
      for (let from = 0; from < drafts.length; from += maxAtOnce) {
        const sent = drafts.slice(from, from + maxAtOnce);
        const reply = await call('ReviewSubmissionService.Submit', {
          accessReviewId: of.reviewId,
          decisions: sent.map(toDecision),
          idempotencyKey: `${key}-${from / maxAtOnce}`,
        });
        const results = readResults(reply);
        all.push(...results);
        store.dispatch({ kind: 'settled', results, sent, now: Date.now() });
        tabs.send({ results, sent });
      }
      store.dispatch({ kind: 'submitted', results: all });
      void forget('MyReviewService.List', 'MySubmissionService.List', 'MyOutcomeService.List');
    } catch (error) {
      const { message, requestId = '' } = error as ClientError;
      const isOut = isOutage(error) || !(error instanceof ClientError);
      store.dispatch({ kind: 'submissionFailed', message, requestId, isOutage: isOut, now: Date.now() });
    }
  };

  const follow = ({ phase, kept }: Submission, before?: Submission): void => {
    if (kept !== before?.kept) {
      keep(kept);
    }
    if (phase !== before?.phase) {
      clearTimeout(timer);
      if (phase === 'waiting') {
        timer = setTimeout(() => store.dispatch({ kind: 'sendSubmission' }), waitingMs);
      } else if (phase === 'sending' && kept !== undefined) {
        void send(kept);
      }
    }
  };

  const find = async (): Promise<void> => {
    const kept = await readKept<KeptSubmission>(of, 'submission').catch(() => undefined);
    if (kept !== undefined && store.state.submission.phase === 'idle') {
      store.dispatch({ kind: 'submissionFound', kept });
      if (store.state.submission.kept === undefined) {
        keep(undefined);
      }
    }
  };

  const unsubscribe = store.subscribe((before) => follow(store.state.submission, before.submission));
  // It may have begun before this was here.
  follow(store.state.submission);
  void find();
  // The copy that is kept says to the next visit that it did not go out.
  return () => {
    clearTimeout(timer);
    unsubscribe();
  };
}

/** Returns the answer about each task, as the queue keeps it. */
export function readResults({ results = [] }: Pick<ReplyOf<'ReviewSubmissionService.Submit'>, 'results'>): TaskResult[] {
  return results.map(({ taskId = '', decided = false, code = '', message = '' }) => ({ taskId, decided, code, message }));
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
