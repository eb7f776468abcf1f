/** Surroundings of a review's decisions before they are submitted: the device, other tabs, the server and time. Tests bring their own. */
import type { Draft } from './drafts.ts';
import type { Copies, KeptDrafts, Staged, StagedDecision } from './known.ts';
import type { KeptSubmission, TaskResult } from './state/state.ts';

/** Place of drafts and of a submission on this device. `update` reads and writes as one. All fail where the browser keeps nothing. */
export interface Shelf {
  read(): Promise<Copies>;
  update(change: (held: Copies) => Copies): Promise<void>;
  readSubmission(): Promise<KeptSubmission | undefined>;
  /** Keeps it; undefined removes it. */
  keepSubmission(kept: KeptSubmission | undefined): Promise<void>;
}

/**
 * Message between tabs: decisions that changed, with what is known of the server; those that were submitted, with what became of them; a submission that
 * waits or is sent; and what another tab asks about that.
 */
export type TabNews =
  | { readonly kept: KeptDrafts }
  | { readonly results: readonly TaskResult[]; readonly sent: readonly Draft[]; readonly version: string }
  | { readonly underway: { readonly phase: 'waiting' | 'sending'; readonly count: number; readonly endsAt: number } }
  | { readonly ask: 'undo' | 'send' };

/** Other tabs of the same person and review. */
export interface Tabs {
  send(news: TabNews): void;
  /** Hears what others send, until the returned function is called. */
  hear(heard: (news: TabNews) => void): () => void;
  /** Does what one tab alone may do at a time: speak with the server about drafts. */
  alone<T>(work: () => Promise<T>): Promise<T>;
  /** Makes a submission this tab's own until the returned function is called; undefined where another tab has one. */
  holdSubmission(): Promise<(() => void) | undefined>;
  /** Ends when no tab has one. */
  untilNoSubmission(): Promise<void>;
}

/** Reason the server did not take drafts. */
export interface SaveFailure {
  /**
   * `outage`: nobody answered or a part of the way is down; `signedOut`; `closed`: the review takes no decisions; `tasks`: some are refused; `changed`: the
   * server's list is another one by now.
   */
  readonly kind: 'outage' | 'signedOut' | 'closed' | 'tasks' | 'changed' | 'fault';
  readonly message: string;
  readonly requestId?: string | undefined;
  /** By task, where some are refused. */
  readonly tasks?: ReadonlyMap<string, string>;
}

/** Decisions of a submission that go out together. */
export interface SubmissionPart {
  readonly decisions: readonly Draft[];
  readonly key: string;
  readonly version: string;
}

/** The server as drafts know it. `save` replaces the list of this version; it answers the version behind that, or what went wrong. */
export interface DraftServer {
  list(): Promise<Staged>;
  save(decisions: readonly (Draft & StagedDecision)[], version: string): Promise<SaveFailure | { readonly version: string }>;
  /**
   * Submits decisions under a key, if what is staged is of this version; where that is empty, whatever it is. Undefined where it is of another. `version` of
   * the answer is empty where it is not known. Throws a ClientError.
   */
  submit(part: SubmissionPart): Promise<{ readonly results: readonly TaskResult[]; readonly version: string } | undefined>;
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
