/** Reads the rows of an open queue: those of the reading that is asked for, two pages ahead of what is wanted, and its groups. */
import { InfiniteQueryObserver } from '@tanstack/react-query';
import { whenBack } from '~/data/connection.ts';
import { type ClientError, isOutage, queries } from '~/data/query.ts';
import { listGroups, pageSize, queueKey, rowsQuery } from './queue-rows.ts';
import type { By } from './state/view.ts';
import type { QueueStore } from './store.ts';

/** The rows of a queue, being read. */
export interface ReadingRows {
  /** Ends when the first page came, or did not. */
  readonly first: Promise<void>;
  /** Reads what failed. */
  retry(): void;
  close(): void;
}

/** Reads for as long as the queue is open. */
export function readRows(store: QueueStore, reviewId: string): ReadingRows {
  const stop = new AbortController();
  const first = Promise.withResolvers<void>();
  const observer = new InfiniteQueryObserver(queries, rowsQuery(reviewId, store.state.rows.reading));
  const asked = new Set<By>();

  const readOn = (): void => {
    const { phase, list, wanted } = store.state.rows;
    const { hasNextPage, isFetching } = observer.getCurrentResult();
    if (phase === 'more' && hasNextPage && !isFetching && list.length < wanted + 2 * pageSize) {
      void observer.fetchNextPage();
    }
  };

  const readGroups = async (by: By): Promise<void> => {
    asked.add(by);
    const groups = await listGroups(reviewId, by, stop.signal).catch(() => undefined);
    asked.delete(by);
    if (groups !== undefined) {
      store.dispatch({ kind: 'groupsCame', by, groups });
    }
  };

  const take = (): void => {
    const { data, error, hasNextPage, isFetching } = observer.getCurrentResult();
    const { reading, pages, shown, phase } = store.state.rows;
    if (data !== undefined && (shown !== reading || pages !== data.pages)) {
      store.dispatch({ kind: 'pagesCame', reading, pages: data.pages, isComplete: !hasNextPage });
    } else if (error !== null && !isFetching && phase !== 'failed') {
      store.dispatch({ kind: 'pagesFailed', error: error as ClientError });
    }
    if (!isFetching) {
      first.resolve();
      readOn();
    }
  };

  const retry = (): void => {
    if (store.state.rows.phase === 'failed') {
      void (observer.getCurrentResult().data === undefined ? observer.refetch() : observer.fetchNextPage());
    }
  };

  const unsubscribe = store.subscribe((before) => {
    const { rows, view, isReady } = store.state;
    if (rows.reading !== before.rows.reading) {
      observer.setOptions(rowsQuery(reviewId, rows.reading));
    }
    const isOther = view !== before.view || (isReady && !before.isReady);
    if (isOther && rows.shown !== undefined && !rows.groups.has(view.by) && !asked.has(view.by)) {
      void readGroups(view.by);
    }
    readOn();
  });
  const unobserve = observer.subscribe(take);
  // Rows that did not come because nobody answered come by themselves when somebody does.
  const stopWaiting = whenBack(() => {
    if (isOutage(store.state.rows.error)) {
      retry();
    }
  });
  return {
    first: first.promise,
    retry,
    close() {
      stopWaiting();
      unobserve();
      unsubscribe();
      stop.abort();
      queries.removeQueries({ queryKey: queueKey(reviewId) });
    },
  };
}
