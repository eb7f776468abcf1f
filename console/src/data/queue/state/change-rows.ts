/** Transitions of the rows of a queue: they come, and change by what others do. */
import { type QueueReply, type QueueRow, readGroups, readTotals, type Section } from '~/data/queue/queue-rows.ts';
import type { ClientError } from '~/data/query.ts';
import { isUnsaved } from '~/data/queue/known.ts';
import { amendOwn, plan, refuse } from './change-drafts.ts';
import { layRows } from './change-list.ts';
import { firstLeft, rowIds, standing } from './read-state.ts';
import type { Group, QueueState, Reading, Rows } from './state.ts';

/** Pages of a reading that are here. */
export interface Pages {
  readonly reading: Reading;
  readonly pages: readonly QueueReply[];
  readonly isComplete: boolean;
}

/** Changes by others since the last look. */
export interface News {
  readonly changes: ReadonlyMap<string, Partial<QueueRow>>;
  /** Tasks that ask now, each with the moment since when. */
  readonly asked: ReadonlyMap<string, string>;
  /** Remark beside a draft that does not count any more. */
  readonly remark: string;
  readonly now: number;
}

const without = <T>(all: ReadonlyMap<string, T>, known: ReadonlyMap<string, T>): Map<string, T> =>
  new Map([...all].filter(([id, one]) => known.get(id) !== one));

/** The rows of the pages with the changes since. */
function merge(rows: Rows): Rows {
  const byId = new Map<string, QueueRow>();
  let closed = 0;
  for (const row of rows.pages.flatMap((page) => (page.rows ?? []) as QueueRow[])) {
    if (row.taskId !== undefined && !byId.has(row.taskId)) {
      const change = rows.changes.get(row.taskId);
      closed += change?.state === 'CLOSED' && row.state !== 'CLOSED' ? 1 : 0;
      byId.set(row.taskId, change === undefined ? row : { ...row, ...change });
    }
  }
  const [first] = rows.pages;
  const read = readTotals(first?.counts);
  const sectionCounts = (first?.sections ?? []).map(
    ({ section, counts }) => [(section ?? '').replace('REVIEW_QUEUE_SECTION_', '') as Section, readTotals(counts)] as const,
  );
  return {
    ...rows,
    byId,
    list: [...byId.values()],
    counts: { ...read, decided: read.decided + closed },
    sectionCounts: new Map(sectionCounts),
  };
}

/** Another reading of the rows begins; what is here stays until its first page comes. */
export function readAnew(state: QueueState, { by, sort: order } = state.view): QueueState {
  const { rows, asked } = state;
  const reading = { by, order, round: rows.reading.round + 1, asked, known: rows.changes };
  return { ...state, rows: { ...rows, reading, wanted: 0, phase: rows.phase === 'first' ? 'first' : 'more' } };
}

/** Pages came: the first ones of a reading take the place of those of the reading before. */
export function takePages(state: QueueState, { reading, pages, isComplete }: Pages): QueueState {
  const { rows } = state;
  if (reading.round !== rows.reading.round) {
    return state;
  }
  const isAnew = rows.shown?.round !== reading.round;
  const [first] = pages;
  const taken = merge({
    ...rows,
    pages,
    shown: reading,
    changes: isAnew ? without(rows.changes, reading.known) : rows.changes,
    groups: isAnew && first !== undefined ? new Map([[reading.by, readGroups(first)]]) : rows.groups,
    phase: isComplete ? 'complete' : 'more',
    error: undefined,
  });
  const next = { ...state, rows: taken };
  if (!state.isReady) {
    return next;
  }
  if (!isAnew || rows.shown === undefined) {
    return goOnToEnd(layRows(next));
  }
  return rows.shown.order === reading.order ? showAsked(next, reading) : goToFirst(layRows(next));
}

/** Nobody answered, or not as wanted: what is here stays. */
export function failPages(state: QueueState, error: ClientError): QueueState {
  return { ...state, toEnd: undefined, rows: { ...state.rows, phase: 'failed', error } };
}

/** Groups of a grouping that the rows were not read by. */
export function takeGroups(state: QueueState, by: QueueState['view']['by'], groups: readonly Group[]): QueueState {
  return layRows({ ...state, rows: { ...state.rows, groups: new Map(state.rows.groups).set(by, groups) } });
}

/** So many rows are wanted, at least. */
export function want(state: QueueState, until: number): QueueState {
  return until <= state.rows.wanted ? state : { ...state, rows: { ...state.rows, wanted: until } };
}

/** Others decided, or took tasks away: drafts about these do not count any more. Others ask: it is remembered, and shown when it is wanted. */
export function takeNews(state: QueueState, { changes, asked, remark, now }: News): QueueState {
  return ask(changes.size === 0 ? state : refuse(changeRows(state, changes), [...changes.keys()], remark, now), asked);
}

/**
 * What this person decided elsewhere, on another device or through a program. What was changed here since changes what is recorded now; of what was staged, the
 * server's list says whether it is that which was recorded.
 */
export function takeOwn(
  state: QueueState,
  { changes, now }: { readonly changes: ReadonlyMap<string, Partial<QueueRow>>; readonly now: number },
): QueueState {
  const next = changeRows(state, changes);
  return plan({ ...next, drafts: amendOwn(next, (draft) => isUnsaved(draft, state.known)) }, now);
}

/** Changes rows that are here, and those that are still to come. */
export function changeRows(state: QueueState, changes: ReadonlyMap<string, Partial<QueueRow>>): QueueState {
  const all = new Map(state.rows.changes);
  for (const [id, change] of changes) {
    all.set(id, { ...all.get(id), ...change });
  }
  return { ...state, rows: merge({ ...state.rows, changes: all }) };
}

function ask(state: QueueState, tasks: ReadonlyMap<string, string>): QueueState {
  const isNews = ([id, at]: readonly [string, string]): boolean => {
    const row = state.rows.byId.get(id);
    const kind = row === undefined || state.passed.has(id) ? 'gone' : standing(state, row).kind;
    const isHere = row !== undefined && row.state !== 'CLOSED' && kind !== 'gone' && kind !== 'forbidden';
    return state.answered.get(id) !== at && !isHere;
  };
  const news = [...tasks].filter(isNews);
  return news.length === 0 ? state : { ...state, asked: new Map([...state.asked, ...news]) };
}

function goToFirst(state: QueueState): QueueState {
  return { ...state, current: firstLeft(state) ?? rowIds(state)[0] ?? '' };
}

/** Goes to the first of the tasks that asked, as if it had never been here. */
function showAsked(state: QueueState, { asked }: Reading): QueueState {
  const leave = <T extends string>(ids: ReadonlySet<T>): Set<T> => new Set([...ids].filter((id) => !asked.has(id)));
  const next = layRows({
    ...state,
    asked: without(state.asked, asked),
    answered: new Map([...state.answered, ...asked]),
    passed: new Map([...state.passed].filter(([id]) => !asked.has(id))),
    seen: leave(state.seen),
    settled: leave(state.settled),
    mine: leave(state.mine),
  });
  const first = rowIds(next).find((id) => asked.has(id));
  return { ...next, current: first ?? (next.lines.places.has(next.current) ? next.current : (firstLeft(next) ?? '')) };
}

/** Goes on to the end with the rows that come, where that was wanted and nobody went elsewhere meanwhile. */
function goOnToEnd(state: QueueState): QueueState {
  const current = state.current === '' ? (firstLeft(state) ?? '') : state.current;
  if (state.toEnd === undefined || state.toEnd !== state.current) {
    return { ...state, current, toEnd: undefined };
  }
  const last = rowIds(state).at(-1) ?? current;
  return { ...state, current: last, toEnd: state.rows.phase === 'more' ? last : undefined };
}
