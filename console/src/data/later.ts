/**
 * Reading that waits for the first page: what only stands beside a page is asked for once all that the page shows is there, so that it takes no
 * place in the line.
 */
import { useSyncExternalStore } from 'react';
import { queries } from './query.ts';

/** Time without a request after which the first page counts as there. */
const quietInMs = 1000;
/** Longest wait, on pages that never stop asking. */
const longestInMs = 5000;

let isThere = false;
let isWatching = false;
const listeners = new Set<() => void>();

function watchFirstPage(): void {
  if (isWatching) {
    return;
  }
  isWatching = true;
  let quiet: ReturnType<typeof setTimeout> | undefined;
  const end = (): void => {
    clearTimeout(quiet);
    clearTimeout(longest);
    stop();
    isThere = true;
    for (const listener of listeners) {
      listener();
    }
  };
  const look = (): void => {
    clearTimeout(quiet);
    quiet = queries.isFetching() === 0 ? setTimeout(end, quietInMs) : undefined;
  };
  const longest = setTimeout(end, longestInMs);
  const stop = queries.getQueryCache().subscribe(look);
  look();
}

/** True once the first page is there. */
export function useLater(): boolean {
  return useSyncExternalStore(
    (listener) => {
      watchFirstPage();
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => isThere,
  );
}
