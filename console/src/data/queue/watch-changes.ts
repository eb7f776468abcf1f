/** Changes by others to tasks of a queue while it is open: asked for every few seconds while the page is in sight. */
import { call } from '~/data/query.ts';
import type { QueueRow } from './queue-rows.ts';
import type { QueueStore } from './store.ts';

const pauseMs = 5_000;

/**
 * Looks until the returned function is called. `remark` is what stands beside a draft that does not count any more; `freshen` reads the list of what is
 * staged, unless it is known to be of this version.
 */
export function watchChanges(
  reviewId: string,
  store: QueueStore,
  { remark, freshen }: { readonly remark: () => string; readonly freshen: (version?: string) => Promise<void> },
): () => void {
  // From before the oldest page that is here was read, so that nothing falls between the two.
  let since = store.state.rows.pages[0]?.changesCursor ?? '';
  let isOver = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const look = async (): Promise<void> => {
    if (document.visibilityState === 'visible') {
      const reply = await call('ReviewChangeService.List', { accessReviewId: reviewId, since, includeOwn: true }).catch(() => undefined);
      since = reply?.cursor ?? since;
      const changes = new Map<string, Partial<QueueRow>>();
      const own = new Map<string, Partial<QueueRow>>();
      const asked = new Map<string, string>();
      for (const { taskId = '', kind, outcome = '', actorUserId = '', actor = '', issuerId = '', issuer = '', at } of reply?.list ?? []) {
        if (kind === 'REVIEW_CHANGE_KIND_DECIDED' || kind === 'REVIEW_CHANGE_KIND_ENDED') {
          const decided = kind === 'REVIEW_CHANGE_KIND_DECIDED' ? outcome : 'CANCELLED';
          (actorUserId === store.state.me ? own : changes).set(taskId, {
            state: 'CLOSED',
            outcome: decided,
            decidedByUserId: actorUserId,
            decidedBy: actor,
            decidedIssuerId: issuerId,
            decidedIssuer: issuer,
            ...(at ? { decidedAt: at } : {}),
          });
        } else if (kind === 'REVIEW_CHANGE_KIND_MOVED_AWAY') {
          (actorUserId === store.state.me ? own : changes).set(taskId, { actions: [] });
        } else if (kind === 'REVIEW_CHANGE_KIND_ASKED') {
          asked.set(taskId, at ?? '');
        }
      }
      if (!isOver && (changes.size > 0 || asked.size > 0)) {
        store.dispatch({ kind: 'newsCame', changes, asked, remark: remark(), now: Date.now() });
      }
      const isNews = [...own].some(([id, change]) => {
        const row = store.state.rows.byId.get(id);
        return row !== undefined && !isShown(row, change);
      });
      if (!isOver && isNews) {
        store.dispatch({ kind: 'ownCame', changes: own, now: Date.now() });
      }
      const version = reply?.pendingVersion ?? '';
      if (!isOver && (isNews || (version !== '' && version !== store.state.known.version))) {
        await freshen(isNews ? undefined : version).catch(() => undefined);
      }
      if (!isOver && reply?.reload === true) {
        store.dispatch({ kind: 'readAnew' });
      }
      if (!isOver && (reply?.state === 'CLOSING' || reply?.state === 'CLOSED')) {
        store.dispatch({ kind: 'reviewEnded' });
      }
    }
    if (!isOver) {
      timer = setTimeout(() => void look(), pauseMs);
    }
  };
  timer = setTimeout(() => void look(), pauseMs / 5);
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}

/** True if a row is as a change says; a change is listed for a while, also to whoever made it here. */
function isShown(row: QueueRow, { state, outcome }: Partial<QueueRow>): boolean {
  return state === undefined ? (row.actions ?? []).length === 0 : row.state === state && row.outcome === outcome;
}
