/** Progress of a check through a log, as JSON: a job keeps it between its pieces. Nothing here reads a table. */
import type { Context } from '../../../context.ts';
import { emptyFrontier, type Frontier, readFrontier } from '../../../lib/log/merkle.ts';
import type { EntryRow } from '../../audit/index.ts';

/** A row of evidence. */
export interface EvidenceRow {
  readonly eventId: string;
  /** Names the row within its table. */
  readonly id: string;
  /** The task it is about, where it is about one. */
  readonly taskId?: string;
  /** The review it belongs to, where its event names one and the line does not. */
  readonly reviewId?: string;
  /** Of what lines with a form do not have: what was changed; absent where nothing was. */
  readonly wrong?: string;
  /** Canonical JSON of all that its event vouches for. */
  readonly line: string;
  /** The line as digests without a form have it, where that was another. */
  readonly formerly?: string;
}

/** A part of the evidence. */
export type EvidenceScope = { readonly reviewId: string } | { readonly taskId: string };

/** A table whose rows events vouch for. */
export interface EvidenceSource {
  readonly table: string;
  /** The rows that these events recorded, in the order of their keys. */
  readonly list: (context: Context, eventIds: readonly string[]) => Promise<EvidenceRow[]>;
  /** The digests of the rows that these events recorded, made by the database: for tables of which one event records very many rows. */
  readonly listDigests?: (
    context: Context,
    eventIds: readonly string[],
  ) => Promise<readonly { readonly eventId: string; readonly rows: number; readonly sha256: string }[]>;
  /** Sentences about what rows that these events recorded say beside their lines, and what contradicts it. */
  readonly listWrong?: (context: Context, entries: readonly EntryRow[]) => Promise<readonly string[]>;
  /** Those of these events whose rows are rightly gone: something later took their place. */
  readonly listSuperseded?: (context: Context, eventIds: readonly string[]) => Promise<readonly string[]>;
  /** Rows that name no event although they are of after `since`, when rows began to name one. */
  readonly listStray: (context: Context, since: Date, limit: number) => Promise<{ readonly id: string }[]>;
  /** The ids of events that rows name, in order, behind one. */
  readonly listEventIds: (context: Context, after: string, limit: number) => Promise<{ readonly id: string }[]>;
  /** Sentences about what contradicts these rows: everywhere, or in a review or a task alone. */
  readonly listContradictions?: (context: Context, limit: number, only?: EvidenceScope) => Promise<string[]>;
}

/** A checkpoint that somebody keeps outside. */
export interface OutsideCheckpoint {
  readonly file: string;
  readonly epoch: number;
  readonly size: number;
  /** In base64. */
  readonly root: string;
}

/** Standing of a check. */
export interface CheckState {
  readonly epoch: number;
  /** The position to go on at. */
  readonly next: number;
  /** Leaves of the epoch's tree so far, and its frontier in base64. */
  readonly size: number;
  readonly frontier: string;
  /** The size of the last checkpoint that the tree led to. */
  readonly goodSize: number;
  /** True once the epoch's tree did not lead to a checkpoint: it leads to none of those behind it. */
  readonly isTreeBroken: boolean;
  /** True once an event with a code was seen: every later one has its own. */
  readonly hasCodes: boolean;
  /** Positions whose event is ours and not the one that was sealed there. */
  readonly misplaced: readonly number[];
  readonly events: number;
  readonly checkpoints: number;
  /** Events of before codes. */
  readonly uncoded: number;
  /** Events whose code is by a key this process has no secret of. */
  readonly unjudged: number;
  /** Rows of evidence that were held against their event. */
  readonly rows: number;
  readonly findings: number;
  /** The first of them. */
  readonly sentences: readonly string[];
}

const maxSentences = 1_000;

/** A check at its beginning. */
export const firstState: CheckState = {
  epoch: 0,
  next: 0,
  size: 0,
  frontier: '',
  goodSize: 0,
  isTreeBroken: false,
  hasCodes: false,
  misplaced: [],
  events: 0,
  checkpoints: 0,
  uncoded: 0,
  unjudged: 0,
  rows: 0,
  findings: 0,
  sentences: [],
};

/** The same with these findings. */
export function withFindings(state: CheckState, sentences: readonly string[]): CheckState {
  return {
    ...state,
    findings: state.findings + sentences.length,
    sentences: [...state.sentences, ...sentences].slice(0, maxSentences),
  };
}

/** The frontier of a state. */
export function frontierOf({ size, frontier }: Pick<CheckState, 'size' | 'frontier'>): Frontier {
  return size === 0 ? emptyFrontier : readFrontier(size, Buffer.from(frontier, 'base64'));
}
