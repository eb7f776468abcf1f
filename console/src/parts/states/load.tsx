/** Outcome of a query: its data, nothing yet, or that it failed. While it is read again, the old data stays. */
import type { ReactNode } from 'react';
import { Failed } from './failed.tsx';
import { Skeleton } from './skeleton.tsx';

/** Parts read of a query. */
export interface Loadable<T> {
  readonly data: T | undefined;
  readonly error: unknown;
  readonly refetch: () => unknown;
}

interface LoadProps<T> {
  readonly query: Loadable<T>;
  /** In the place of what comes; three rows where absent. */
  readonly skeleton?: ReactNode;
  /** In the place of an empty answer. */
  readonly empty?: ReactNode;
  /** Meaning of empty; where absent, an answer without anything in its lists. */
  readonly isEmpty?: ((data: T) => boolean) | undefined;
  readonly children: (data: T) => ReactNode;
}

export function Load<T>({ query, skeleton, empty, isEmpty = hasNothing, children }: LoadProps<T>) {
  if (query.data !== undefined) {
    return empty !== undefined && isEmpty(query.data) ? empty : children(query.data);
  }
  return query.error ? <Failed error={query.error} retry={() => void query.refetch()} /> : (skeleton ?? <Skeleton />);
}

/** True if an answer, or every page of one, has no list with something in it. */
function hasNothing(data: unknown): boolean {
  if (Array.isArray(data)) {
    return data.length === 0;
  }
  const { pages } = data as { pages?: unknown };
  if (Array.isArray(pages)) {
    return pages.every(hasNothing);
  }
  return !Object.values(data as object).some((value) => Array.isArray(value) && value.length > 0);
}
