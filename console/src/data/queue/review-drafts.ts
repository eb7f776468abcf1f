/** The drafts of a review in a browser: IndexedDB, other tabs by BroadcastChannel, the server's staged decisions. */
import type { Around, DraftServer, SaveFailure, Shelf, TabNews, Tabs } from './draft-around.ts';
import { changeKept, type DraftsOf, draftsKey, readKept } from './draft-store.ts';
import { type Draft, type StagedDecision, toDecision } from './drafts.ts';
import { call, ClientError, isOutage, isSignedOut } from '~/data/query.ts';
import { knownSession } from '~/data/session/session.ts';

function openShelf(of: DraftsOf): Shelf {
  return {
    read: async () => (await readKept<readonly Draft[]>(of, 'drafts')) ?? [],
    update: (change) => changeKept<readonly Draft[]>(of, 'drafts', (held) => change(held ?? [])),
  };
}

function openTabs(of: DraftsOf): Tabs {
  if (typeof BroadcastChannel === 'undefined') {
    return { send: () => undefined, hear: () => () => undefined };
  }
  const channel = new BroadcastChannel(`countersign.drafts/${draftsKey(of)}`);
  return {
    send: (news) => channel.postMessage(news),
    hear: (heard) => {
      channel.onmessage = ({ data }: MessageEvent<TabNews>) => heard(data);
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

/** The surroundings of a review's drafts in this browser. */
export function aroundDrafts(of: DraftsOf): Around {
  return {
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
  };
}
