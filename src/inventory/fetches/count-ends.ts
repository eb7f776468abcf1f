/** Counts of what fetches came to in this process since it began, for whoever watches the service: by kind of source and state, never whose they are. */
import type { FetchState } from './states.ts';

const counts = new Map<string, EndCount>();

/** Number of fetches of a kind that came to a state. */
export interface EndCount {
  readonly kind: string;
  readonly state: FetchState;
  readonly count: number;
}

/** Counts a fetch that came to a state. One whose transaction is tried again counts again. */
export function countEnd(kind: string, state: FetchState): void {
  const key = `${kind} ${state}`;
  counts.set(key, { kind, state, count: (counts.get(key)?.count ?? 0) + 1 });
}

/** Lists the counts. */
export function listEnds(): readonly EndCount[] {
  return [...counts.values()];
}
