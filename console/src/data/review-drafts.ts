/** The drafts of a review in a browser: IndexedDB, other tabs by BroadcastChannel, the server's staged decisions. */
import { del, get, set, update } from 'idb-keyval';
import type { DraftServer, SaveFailure, Shelf, Tabs } from './draft-around.ts';
import { DraftBox } from './draft-box.ts';
import { type DraftsOf, getStore, keyOf } from './draft-store.ts';
import type { Draft, StagedDecision } from './drafts.ts';
import { call, ClientError, isOutage, isSignedOut } from './query.ts';
import { knownSession } from './session.ts';

/** A value beside the drafts of a review, such as a submission that waits. */
export const beside = {
  read: <T>(of: DraftsOf, name: string): Promise<T | undefined> => get<T>(`${keyOf(of)}/${name}`, getStore()),
  write: (of: DraftsOf, name: string, value: unknown): Promise<void> =>
    value === undefined ? del(`${keyOf(of)}/${name}`, getStore()) : set(`${keyOf(of)}/${name}`, value, getStore()),
};

function openShelf(of: DraftsOf): Shelf {
  const key = keyOf(of);
  return {
    read: async () => (await get<readonly Draft[]>(key, getStore())) ?? [],
    update: (change) => update<readonly Draft[]>(key, (held) => change(held ?? []), getStore()),
  };
}

function openTabs(of: DraftsOf): Tabs {
  if (typeof BroadcastChannel === 'undefined') {
    return { send: () => undefined, hear: () => () => undefined };
  }
  const channel = new BroadcastChannel(`countersign.drafts/${keyOf(of)}`);
  return {
    send: (drafts) => channel.postMessage(drafts),
    hear: (heard) => {
      channel.onmessage = ({ data }: MessageEvent<readonly Draft[]>) => heard(data);
      return () => {
        channel.onmessage = null;
        channel.close();
      };
    },
  };
}

function explainFailure(error: unknown, sent: readonly Draft[]): SaveFailure {
  if (!(error instanceof ClientError)) {
    return { kind: 'fault', message: String(error) };
  }
  const { message, requestId, status, code, violations } = error;
  if (isOutage(error)) {
    return { kind: 'outage', message, requestId };
  }
  if (isSignedOut(error)) {
    return { kind: 'signedOut', message };
  }
  const tasks = new Map<string, string>();
  for (const { field, description } of violations) {
    const taskId = sent[Number(/^decisions\[(\d+)\]/.exec(field)?.[1] ?? -1)]?.taskId;
    if (taskId !== undefined) {
      tasks.set(taskId, description);
    }
  }
  if (tasks.size > 0) {
    return { kind: 'tasks', message, requestId, tasks };
  }
  return { kind: status === 404 || code === 'FAILED_PRECONDITION' || status === 403 ? 'closed' : 'fault', message, requestId };
}

function openServer({ reviewId }: DraftsOf): DraftServer {
  return {
    async list() {
      const staged: StagedDecision[] = [];
      let pageToken = '';
      do {
        const page = await call('PendingDecisionService.ListPendingDecisions', { accessReviewId: reviewId, pageSize: 100, pageToken });
        for (const { pendingDecision } of page.list ?? []) {
          if (pendingDecision?.taskId !== undefined) {
            staged.push({
              taskId: pendingDecision.taskId,
              choice: pendingDecision.decision === 'REVIEW_DECISION_DENY' ? 'deny' : 'certify',
              comment: pendingDecision.comment ?? '',
              until: pendingDecision.certifyUntil ?? '',
              amend: pendingDecision.amend ?? false,
              stagedAt: Date.parse(pendingDecision.stagedAt ?? '') || 1,
            });
          }
        }
        pageToken = page.nextPageToken ?? '';
      } while (pageToken !== '');
      return staged;
    },
    async save(decisions) {
      if (knownSession() === undefined) {
        return { kind: 'signedOut', message: '' };
      }
      try {
        await call('PendingDecisionService.SetPendingDecisions', { accessReviewId: reviewId, decisions: decisions.map(toDecision) });
        return undefined;
      } catch (error) {
        return explainFailure(error, decisions);
      }
    },
  };
}

/** A draft as the contract has it. */
export function toDecision({ taskId, choice, comment, until, amend }: Draft) {
  return {
    taskId,
    decision: choice === 'deny' ? ('REVIEW_DECISION_DENY' as const) : ('REVIEW_DECISION_CERTIFY' as const),
    comment,
    ...(until === '' ? {} : { certifyUntil: until }),
    ...(amend ? { amend } : {}),
  };
}

/** The box of a review. Call `open`, and `close` when the page is left. */
export function makeDraftBox(of: DraftsOf): DraftBox {
  return new DraftBox({
    shelf: openShelf(of),
    tabs: openTabs(of),
    server: openServer(of),
    timers: {
      now: () => Date.now(),
      later: (ms, run) => {
        const timer = setTimeout(run, ms);
        return () => clearTimeout(timer);
      },
    },
  });
}
