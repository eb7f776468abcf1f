/** The drafts of a review in a browser: IndexedDB, other tabs by BroadcastChannel and locks, the server's staged decisions. */
import type { Around, DraftServer, SaveFailure, Shelf, TabNews, Tabs } from './draft-around.ts';
import { changeKept, type DraftsOf, draftsKey, readKept } from './draft-store.ts';
import { type Draft, toDecision } from './drafts.ts';
import { type KeptDrafts, readRecord, type StagedDecision, writeRecord } from './known.ts';
import { alone, hold, untilFree } from './locks.ts';
import type { KeptSubmission, TaskResult } from './state/state.ts';
import { openChannel } from '~/data/connection.ts';
import type { ErrorCode } from '../../../../src/client/error.ts';
import { call, ClientError, isOutage, isSignedOut, type ReplyOf } from '~/data/query.ts';
import { knownSession } from '~/data/session/session.ts';

function openShelf(of: DraftsOf): Shelf {
  return {
    read: async () => readRecord(await readKept<KeptDrafts>(of, 'drafts')),
    update: (change) => changeKept<KeptDrafts>(of, 'drafts', (held) => writeRecord(change(readRecord(held)))),
    readSubmission: () => readKept<KeptSubmission>(of, 'submission'),
    keepSubmission: (kept) => changeKept<KeptSubmission>(of, 'submission', () => kept),
  };
}

function openTabs(of: DraftsOf): Tabs {
  const name = `countersign.drafts/${draftsKey(of)}`;
  const submission = `countersign.submission/${draftsKey(of)}`;
  let channel = openChannel(name);
  const all = new Set<(news: TabNews) => void>();
  if (channel !== undefined) {
    channel.onmessage = ({ data }: MessageEvent<TabNews>) => {
      for (const heard of all) {
        heard(data);
      }
    };
  }
  return {
    send: (news) => channel?.postMessage(news),
    hear: (heard) => {
      all.add(heard);
      return () => {
        all.delete(heard);
        if (all.size === 0) {
          channel?.close();
          channel = undefined;
        }
      };
    },
    alone: (work) => alone(name, work),
    holdSubmission: () => hold(submission),
    untilNoSubmission: () => untilFree(submission),
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
  if (code === ('CONFLICT' satisfies ErrorCode)) {
    return { kind: 'changed', message, requestId };
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
  return {
    kind: status === 404 || code === ('FAILED_PRECONDITION' satisfies ErrorCode) || status === 403 ? 'closed' : 'fault',
    message,
    requestId,
  };
}

type Pending = NonNullable<NonNullable<ReplyOf<'PendingDecisionService.ListPendingDecisions'>['list']>[number]['pendingDecision']>;

function readStaged(pending: Pending | undefined): (StagedDecision & { stagedAt: number })[] {
  const { taskId, decision, comment = '', certifyUntil = '', amend = false, stagedAt = '' } = pending ?? {};
  const choice = decision === 'REVIEW_DECISION_DENY' ? 'deny' : 'certify';
  return taskId === undefined ? [] : [{ taskId, choice, comment, until: certifyUntil, amend, stagedAt: Date.parse(stagedAt) || 1 }];
}

function openServer({ reviewId }: DraftsOf): DraftServer {
  return {
    async list() {
      for (;;) {
        const decisions: ReturnType<typeof readStaged> = [];
        const versions = new Set<string>();
        let pageToken = '';
        do {
          const page = await call('PendingDecisionService.ListPendingDecisions', { accessReviewId: reviewId, pageSize: 100, pageToken });
          versions.add(page.version ?? '');
          decisions.push(...(page.list ?? []).flatMap(({ pendingDecision }) => readStaged(pendingDecision)));
          pageToken = page.nextPageToken ?? '';
        } while (pageToken !== '' && versions.size === 1);
        if (versions.size === 1) {
          const [version = ''] = versions;
          return { version, decisions: decisions.sort((left, right) => left.stagedAt - right.stagedAt) };
        }
      }
    },
    async save(decisions, version) {
      if (knownSession() === undefined) {
        return { kind: 'signedOut', message: '' };
      }
      try {
        const reply = await call('PendingDecisionService.SetPendingDecisions', {
          accessReviewId: reviewId,
          decisions: decisions.map(toDecision),
          version,
        });
        return { version: reply.version ?? '' };
      } catch (error) {
        return explainFailure(error, decisions);
      }
    },
    async submit({ decisions, key, version }) {
      try {
        const reply = await call('ReviewSubmissionService.Submit', {
          accessReviewId: reviewId,
          decisions: decisions.map(toDecision),
          idempotencyKey: key,
          pendingVersion: version,
        });
        return { results: readResults(reply), version: reply.pendingVersion ?? '' };
      } catch (error) {
        if (error instanceof ClientError && error.violations.some(({ field }) => field === 'pendingVersion')) {
          return undefined;
        }
        throw error;
      }
    },
  };
}

/** Returns the answer about each task, as the queue keeps it. */
export function readResults({ results = [] }: Pick<ReplyOf<'ReviewSubmissionService.Submit'>, 'results'>): TaskResult[] {
  return results.map(({ taskId = '', decided = false, code = '', message = '' }) => ({ taskId, decided, code, message }));
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
