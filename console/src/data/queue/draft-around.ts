/** Surroundings of a review's decisions before they are submitted: the device, other tabs, the server and time. Tests bring their own. */
import type { Draft, StagedDecision } from './drafts.ts';
import type { TaskResult } from './state/state.ts';

/** Place of drafts on this device. `update` reads and writes as one. */
export interface Shelf {
  read(): Promise<readonly Draft[]>;
  update(change: (held: readonly Draft[]) => readonly Draft[]): Promise<void>;
}

/** Message between tabs: decisions that changed, or those that were submitted with what became of them. */
export type TabNews = { readonly drafts: readonly Draft[] } | { readonly results: readonly TaskResult[]; readonly sent: readonly Draft[] };

/** Other tabs of the same person and review. */
export interface Tabs {
  send(news: TabNews): void;
  /** Hears what others send, until the returned function is called. */
  hear(heard: (news: TabNews) => void): () => void;
}

/** Reason the server did not take drafts. */
export interface SaveFailure {
  /** `outage`: nobody answered or a part of the way is down; `signedOut`; `closed`: the review takes no decisions; `tasks`: some are refused. */
  readonly kind: 'outage' | 'signedOut' | 'closed' | 'tasks' | 'fault';
  readonly message: string;
  readonly requestId?: string | undefined;
  /** By task, where some are refused. */
  readonly tasks?: ReadonlyMap<string, string>;
}

/** The server as drafts know it. `save` answers what went wrong, or undefined. */
export interface DraftServer {
  list(): Promise<readonly StagedDecision[]>;
  save(decisions: readonly (Draft & { choice: 'certify' | 'deny' })[]): Promise<SaveFailure | undefined>;
}

/** Time. */
export interface Timers {
  now(): number;
  /** Calls back later; the returned function prevents it. */
  later(ms: number, run: () => void): () => void;
}

/** All of it. */
export interface Around {
  readonly shelf: Shelf;
  readonly tabs: Tabs;
  readonly server: DraftServer;
  readonly timers: Timers;
}
