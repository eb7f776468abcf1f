/** Returns the state of a queue after something happened. Pure: what has to be done about it (sending, storing, reading) follows from the states. */
import type { ClientError } from '~/data/query.ts';
import type { SaveFailure } from '~/data/queue/draft-around.ts';
import type { Draft } from '~/data/queue/drafts.ts';
import {
  type Decision,
  decideTasks,
  dismissChanged,
  dropDrafts,
  endReview,
  failSent,
  lastStep,
  markSent,
  noteNotKept,
  plan,
  send,
  sendAnew,
  takeCopies,
  takeStaged,
  undoLast,
  undoTask,
} from './change-drafts.ts';
import { extend, go, goOn, goToEnd, move, moveSection, select, selectSection, selectTo, setMode, setView, toggle } from './change-list.ts';
import { failPages, readAnew, takeGroups, takeNews, takeOwn, takePages, want } from './change-rows.ts';
import {
  beginSubmission,
  bindSubmission,
  dismissSubmission,
  endSubmission,
  failSubmission,
  findSubmission,
  hearSubmission,
  sendSubmission,
  stopSubmission,
  type SubmissionFailure,
  settle,
  undoSubmission,
} from './change-submission.ts';
import { isUnderway, nextLeft, plainOf, rowIds } from './read-state.ts';
import type { Group, KeptSubmission, Mode, QueueState, TaskResult } from './state.ts';
import { freeTargets } from './targets.ts';
import type { By, QueueView } from './view.ts';

/** Moment in milliseconds. */
interface At {
  readonly now: number;
}

interface Task {
  readonly id: string;
}

interface Way {
  readonly by: 1 | -1;
}

interface Results {
  readonly results: readonly TaskResult[];
}

/** The transition for each kind of action. */
const transitions = {
  opened: (state: QueueState, { view, task }: { view: QueueView; task: string }) => showView({ ...state, isReady: true }, view, task),
  pagesCame: takePages,
  pagesFailed: (state: QueueState, { error }: { error: ClientError }) => failPages(state, error),
  groupsCame: (state: QueueState, { by, groups }: { by: By; groups: readonly Group[] }) => takeGroups(state, by, groups),
  wantRows: (state: QueueState, { until }: { until: number }) => want(state, until),
  readAnew: (state: QueueState) => readAnew(state),
  newsCame: takeNews,
  ownCame: takeOwn,
  reviewEnded: endReview,

  view: (state: QueueState, { view }: { view: QueueView }) => (state.isReady ? showView(state, view) : state),
  go: (state: QueueState, { id }: Task) => go(state, id),
  move: (state: QueueState, { by }: { by: number }) => move(state, by),
  moveSection: (state: QueueState, { by }: Way) => moveSection(state, by),
  goToStart: (state: QueueState) => go(state, rowIds(state)[0] ?? ''),
  goToEnd,
  goToNextLeft: (state: QueueState) => go(state, nextLeft(state) ?? ''),
  toggle: (state: QueueState, { id }: Task) => toggle(state, id),
  extend: (state: QueueState, { by }: Way) => extend(state, by),
  selectTo: (state: QueueState, { id }: Task) => selectTo(state, id),
  selectSection,
  selectPlain: (state: QueueState, { ids }: { ids: readonly string[] }) => select(state, plainOf(state, ids)),
  clearSelection: (state: QueueState) => select(state, []),
  share: (state: QueueState, { comment }: { comment: string }): QueueState => ({ ...state, shared: comment }),
  mode: (state: QueueState, { mode }: { mode: Mode }) => setMode(state, mode),

  decide: (state: QueueState, { choice, comment, until, now }: At & Omit<Decision, 'taskId' | 'amend'>) => {
    const isAmended = (id: string): boolean => state.rows.byId.get(id)?.state === 'CLOSED';
    const made = freeTargets(state).map((taskId) => ({ taskId, choice, comment, until, amend: isAmended(taskId) }));
    return goOn(decideTasks(state, made, now));
  },
  undoLast: (state: QueueState, { now }: At) => {
    if (isUnderway(state)) {
      return undoSubmission(state);
    }
    const [first] = lastStep(state);
    const next = undoLast(state, now);
    return first !== undefined && next.lines.places.has(first[0]) ? go(next, first[0]) : next;
  },
  undoTask: (state: QueueState, { id, now }: Task & At) => (isUnderway(state) ? state : undoTask(state, id, now)),
  discard: (state: QueueState, { id, now }: Task & At) => goOn(dropDrafts(state, [id], now)),
  passed: (state: QueueState, { ids, name, isDone, now }: At & { ids: readonly string[]; name: string; isDone: boolean }) => {
    // What was passed on leaves the selection, so that the next press is about the rest, and what was decided about it before.
    const selected = new Set([...state.selected].filter((id) => !ids.includes(id)));
    const next = { ...dropDrafts(state, ids, now), selected, passed: new Map([...state.passed, ...ids.map((id) => [id, name] as const)]) };
    return isDone ? goOn(next) : next;
  },
  copiesCame: takeCopies,
  stagedCame: takeStaged,
  dismissChanged,
  notKept: noteNotKept,
  planSending: (state: QueueState, { now }: At) => plan(state, now),
  send,
  sendAnew,
  sent: markSent,
  sendFailed: (state: QueueState, { failure, now }: At & { failure: SaveFailure }) => failSent(state, failure, now),

  submit: (state: QueueState, { drafts, key, now }: At & { drafts: readonly Draft[]; key: string }) =>
    beginSubmission(state, drafts, key, now),
  submissionFound: (state: QueueState, { kept }: { kept: KeptSubmission }) => findSubmission(state, kept),
  sendSubmission,
  submissionBound: (state: QueueState, { version }: { version: string }) => bindSubmission(state, version),
  submissionChanged: (state: QueueState, { now }: At) => stopSubmission(state, now),
  submissionElsewhere: (state: QueueState, { underway }: { underway: { count: number; endsAt: number } | undefined }) =>
    hearSubmission(state, underway),
  settled: settle,
  submitted: (state: QueueState, { results }: Results) => endSubmission(state, results),
  submissionFailed: (state: QueueState, { now, ...failure }: At & SubmissionFailure) => failSubmission(state, failure, now),
  dismissSubmission,
};

type Transitions = typeof transitions;
type EventOf<T> = T extends (state: QueueState, event: infer Event) => QueueState ? (unknown extends Event ? object : Event) : never;

/** Something that happened. */
export type Action = { [K in keyof Transitions]: { readonly kind: K } & EventOf<Transitions[K]> }[keyof Transitions];

/** Shows a part of the queue; in another order, the rows are read anew. */
function showView(state: QueueState, view: QueueView, task?: string): QueueState {
  const next = setView(state, view, task);
  return view.sort === state.rows.reading.order ? next : readAnew(next);
}

/** Returns the next state; the same one where nothing changes. */
export function reduce(state: QueueState, action: Action): QueueState {
  const change = transitions[action.kind] as (state: QueueState, event: Action) => QueueState;
  return change(state, action);
}
