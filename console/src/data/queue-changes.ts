/** What others do to the tasks of a queue while it is open: asked for every few seconds while the page is in sight, and put beside the rows. */
import type { DraftBox } from './draft-box.ts';
import { call } from './query.ts';
import type { QueueRow, QueueRows } from './queue-rows.ts';

const pauseMs = 5_000;

/** Whoever looks at the queue, as far as changes concern them. */
export interface Onlooker {
  readonly rows: QueueRows;
  readonly box: DraftBox;
  /** Tasks ask the caller now, each with the moment since when. */
  ask(tasks: ReadonlyMap<string, string>): void;
  /** More happened than is listed. */
  readAnew(): void;
}

/** Looks until the returned function is called. `refused` is what stands beside a draft that does not count any more. */
export function watchChanges(reviewId: string, onlooker: Onlooker, refused: () => string): () => void {
  const { rows, box } = onlooker;
  let since = rows.changesCursor;
  let isOver = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const look = async (): Promise<void> => {
    if (document.visibilityState === 'visible') {
      const reply = await call('ReviewChangeService.List', { accessReviewId: reviewId, since }).catch(() => undefined);
      since = reply?.cursor ?? since;
      const changes = new Map<string, Partial<QueueRow>>();
      const asked = new Map<string, string>();
      for (const { taskId = '', kind, outcome = '', actorUserId = '', actor = '', at } of reply?.list ?? []) {
        if (kind === 'REVIEW_CHANGE_KIND_DECIDED' || kind === 'REVIEW_CHANGE_KIND_ENDED') {
          const decided = kind === 'REVIEW_CHANGE_KIND_DECIDED' ? outcome : 'CANCELLED';
          changes.set(taskId, {
            state: 'CLOSED',
            outcome: decided,
            decidedByUserId: actorUserId,
            decidedBy: actor,
            ...(at ? { decidedAt: at } : {}),
          });
        } else if (kind === 'REVIEW_CHANGE_KIND_MOVED_AWAY') {
          changes.set(taskId, { actions: [] });
        } else if (kind === 'REVIEW_CHANGE_KIND_ASKED') {
          asked.set(taskId, at ?? '');
        }
      }
      if (!isOver && asked.size > 0) {
        onlooker.ask(asked);
      }
      if (!isOver && reply?.reload === true) {
        onlooker.readAnew();
      }
      if (changes.size > 0) {
        rows.change(changes);
        box.refuse([...changes.keys()], refused());
      }
      if (reply?.state === 'CLOSING' || reply?.state === 'CLOSED') {
        box.end();
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
