/** The whole state of a queue that somebody has open. It is never changed in place: `reduce` makes the next one. */
import type { ClientError } from '~/data/query.ts';
import type { Draft, Drafts } from '~/data/queue/drafts.ts';
import { type Known, nothingKnown } from '~/data/queue/known.ts';
import type { Grouping, Order, QueueReply, QueueRow, Section, Totals } from '~/data/queue/queue-rows.ts';
import type { Item } from './layout.ts';
import type { QueueView } from './view.ts';

/** The field that is open in place of the decision, if any. */
export type Mode = 'free' | 'certify' | 'deny' | 'until' | 'reassign' | 'comment';

/** A group of a grouping, with its totals when it was read. */
export type Group = Totals & { readonly id: string; readonly name: string };

/** A reading of the rows from their start. */
export interface Reading {
  readonly by: Grouping;
  readonly order: Order;
  /** Tells one reading from the one before. */
  readonly round: number;
  /** Tasks that asked when it began, which it is to show. */
  readonly asked: ReadonlyMap<string, string>;
  /** Changes by others that were known when it began: what is read has them. */
  readonly known: ReadonlyMap<string, Partial<QueueRow>>;
}

export interface Rows {
  /** The reading that was asked for last, and the one whose rows are here. */
  readonly reading: Reading;
  readonly shown: Reading | undefined;
  readonly pages: readonly QueueReply[];
  /** Changes since a page was read. */
  readonly changes: ReadonlyMap<string, Partial<QueueRow>>;
  /** In the server's order, with the changes. */
  readonly list: readonly QueueRow[];
  readonly byId: ReadonlyMap<string, QueueRow>;
  readonly counts: Totals;
  readonly sectionCounts: ReadonlyMap<Section, Totals>;
  readonly groups: ReadonlyMap<Grouping, readonly Group[]>;
  readonly phase: 'first' | 'more' | 'complete' | 'failed';
  readonly error: ClientError | undefined;
  /** So many rows are wanted, at least. */
  readonly wanted: number;
}

/** The lines of the list, and where each row stands among them. */
export interface Lines {
  readonly items: readonly Item[];
  readonly places: ReadonlyMap<string, number>;
  /** The number of each row among lines that are no heads, from 1. */
  readonly ranks: ReadonlyMap<string, number>;
  /** Number of lines that are no heads, those of rows still to come too. */
  readonly count: number;
}

/** Standing of the decisions with the server. */
export interface Saving {
  readonly phase: 'saved' | 'waiting' | 'sending' | 'device' | 'signedOut' | 'closed' | 'fault';
  /** Decisions on their way; undefined while there are none. */
  readonly sent: readonly (Draft & { choice: 'certify' | 'deny' })[] | undefined;
  /** Time of the next sending, in milliseconds; 0 where none is planned. */
  readonly dueAt: number;
  /** Since when the next sending is planned. */
  readonly plannedAt: number;
  /** Tries without an answer, in a row. */
  readonly failures: number;
  readonly message: string;
  readonly requestId: string;
  /** False where this device keeps nothing: what is decided is on the server, or in this page alone. */
  readonly isKept: boolean;
}

/** The answer about one task. */
export interface TaskResult {
  readonly taskId: string;
  readonly decided: boolean;
  readonly code: string;
  readonly message: string;
}

/** Record on this device of a submission that is not over. */
export interface KeptSubmission {
  readonly phase: 'waiting' | 'sending';
  readonly key: string;
  readonly drafts: readonly Draft[];
  /** Of the server's list that it was sent with: sent again, it is recorded if that holds still, or was recorded before. */
  readonly version?: string;
}

/**
 * A submission: it waits ten seconds in the page, then is sent. One that is left while it waits never goes out, and the next visit says so; of one
 * that is left while it is sent it is not known whether it arrived, and sending it again under its key is harmless. One whose decisions were changed by
 * another tab or device before it was recorded is `changed`, and does not go out; one that another tab has under way is `elsewhere`.
 */
export interface Submission {
  readonly phase: 'idle' | 'waiting' | 'sending' | 'done' | 'failed' | 'left' | 'unsure' | 'changed' | 'elsewhere';
  readonly count: number;
  /** End of the ten seconds, in milliseconds. */
  readonly endsAt: number;
  readonly kept: KeptSubmission | undefined;
  readonly results: readonly TaskResult[];
  readonly message: string;
  readonly requestId: string;
  readonly isOutage: boolean;
}

/** A step that can be taken back: the drafts before, by task. */
export type Step = readonly (readonly [string, Draft | undefined])[];

export interface QueueState {
  /** The person who looks. */
  readonly me: string;
  /** False until the first rows and the drafts were read. */
  readonly isReady: boolean;
  readonly rows: Rows;
  readonly drafts: Drafts;
  /** What the server holds of them. */
  readonly known: Known;
  /** The latest moment of a decision on this device whose stone is gone. */
  readonly latest: number;
  readonly steps: readonly Step[];
  readonly saving: Saving;
  readonly submission: Submission;
  readonly view: QueueView;
  readonly lines: Lines;
  /** Rows that were laid out since the view was set; those that were decided then, and those among them by the person who looks. */
  readonly seen: ReadonlySet<string>;
  readonly settled: ReadonlySet<string>;
  readonly mine: ReadonlySet<string>;
  /** The task that is looked at; empty where there is none. */
  readonly current: string;
  /** Current task when the end was asked for, while rows before it are still to come; undefined where it was not. */
  readonly toEnd: string | undefined;
  readonly mode: Mode;
  readonly selected: ReadonlySet<string>;
  /** The row from which a range is chosen. */
  readonly anchor: string;
  /** Comment beside the selection, for all of it: it goes with the decision however that is made, and ends with the selection. */
  readonly shared: string;
  /** Tasks that were passed on during this visit, with the name of who got them. */
  readonly passed: ReadonlyMap<string, string>;
  /** Tasks that ask since the queue was read, each with the moment since when; and those among earlier ones that were shown. */
  readonly asked: ReadonlyMap<string, string>;
  readonly answered: ReadonlyMap<string, string>;
}

/** No submission. */
export const idle: Submission = {
  phase: 'idle',
  count: 0,
  endsAt: 0,
  kept: undefined,
  results: [],
  message: '',
  requestId: '',
  isOutage: false,
};

const none: Totals = { total: 0, todo: 0, decided: 0, staged: 0 };

/** The state of a queue that is opened, before anything was read. */
export function openState(me: string, view: QueueView): QueueState {
  return {
    me,
    isReady: false,
    rows: {
      reading: { by: view.by, order: view.sort, round: 1, asked: new Map(), known: new Map() },
      shown: undefined,
      pages: [],
      changes: new Map(),
      list: [],
      byId: new Map(),
      counts: none,
      sectionCounts: new Map(),
      groups: new Map(),
      phase: 'first',
      error: undefined,
      wanted: 0,
    },
    drafts: new Map(),
    known: nothingKnown,
    latest: 0,
    steps: [],
    saving: { phase: 'saved', sent: undefined, dueAt: 0, plannedAt: 0, failures: 0, message: '', requestId: '', isKept: true },
    submission: idle,
    view,
    lines: { items: [], places: new Map(), ranks: new Map(), count: 0 },
    seen: new Set(),
    settled: new Set(),
    mine: new Set(),
    current: '',
    toEnd: undefined,
    mode: 'free',
    selected: new Set(),
    anchor: '',
    shared: '',
    passed: new Map(),
    asked: new Map(),
    answered: new Map(),
  };
}
