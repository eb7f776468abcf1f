/** Transitions of the list of a queue: going through it, choosing rows and opening fields. */
import { layOut } from './layout.ts';
import { firstLeft, isDecided, nextLeft, rowIds, standing } from './read-state.ts';
import { isMine } from './standing.ts';
import type { Mode, QueueState } from './state.ts';
import { choosable } from './targets.ts';
import type { QueueView } from './view.ts';

/** Lays out the rows that are here. Those that come into the list decided count as such until the view is set again; nothing jumps. */
export function layRows(state: QueueState): QueueState {
  const { rows, view } = state;
  const fresh = rows.list.filter(({ taskId }) => !state.seen.has(taskId));
  const decided = fresh.map((row) => ({ id: row.taskId, ...standing(state, row) })).filter((one) => one.isDecided);
  const add = (to: ReadonlySet<string>, ids: readonly string[]): ReadonlySet<string> => (ids.length === 0 ? to : new Set([...to, ...ids]));
  const settled = add(
    state.settled,
    decided.map(({ id }) => id),
  );
  const mine = add(
    state.mine,
    decided.filter(isMine).map(({ id }) => id),
  );
  const items = layOut({
    rows: rows.list,
    isComplete: rows.phase === 'complete',
    view,
    settled,
    mine,
    sectionCounts: rows.sectionCounts,
    groups: rows.groups.get(view.by) ?? [],
  });
  const places = new Map<string, number>();
  const ranks = new Map<string, number>();
  let count = 0;
  for (const [place, item] of items.entries()) {
    count += item.kind === 'head' ? 0 : 1;
    if (item.kind === 'row') {
      places.set(item.key, place);
      ranks.set(item.key, count);
    }
  }
  const seen = add(
    state.seen,
    fresh.map(({ taskId }) => taskId),
  );
  return { ...state, seen, settled, mine, lines: { items, places, ranks, count } };
}

const isSameView = (left: QueueView, right: QueueView): boolean =>
  (Object.keys(left) as (keyof QueueView)[]).every((key) => left[key] === right[key]);

/** Shows something else: what is decided now leaves the list where it is to show what is left. */
export function setView(state: QueueState, view: QueueView, task = state.current): QueueState {
  const isSame = isSameView(view, state.view) && state.lines.items.length > 0;
  const none: ReadonlySet<string> = new Set();
  const next = layRows(isSame ? state : { ...state, view, seen: none, settled: none, mine: none, selected: none, shared: '' });
  const current = next.lines.places.has(task) ? task : (firstLeft(next) ?? rowIds(next)[0] ?? '');
  return { ...next, current, mode: 'free' };
}

/** Goes to a row. */
export function go(state: QueueState, id: string): QueueState {
  return id === '' || id === state.current ? state : { ...state, current: id, mode: 'free' };
}

/** Goes so many rows down. */
export function move(state: QueueState, by: number): QueueState {
  const ids = rowIds(state);
  return go(state, ids[Math.min(ids.length - 1, Math.max(0, ids.indexOf(state.current) + by))] ?? '');
}

/** Goes to the last row that is here, and to the last of all when they have come, unless one has gone elsewhere by then. */
export function goToEnd(state: QueueState): QueueState {
  const next = go(state, rowIds(state).at(-1) ?? '');
  const { rows } = next;
  return rows.phase === 'more' || rows.phase === 'failed'
    ? { ...next, toEnd: next.current, rows: { ...rows, wanted: Number.POSITIVE_INFINITY } }
    : next;
}

/** Goes to the first row of the part before or behind the current one. */
export function moveSection(state: QueueState, by: 1 | -1): QueueState {
  const { items, places } = state.lines;
  const heads = items.flatMap((item, place) => (item.kind === 'head' && item.ids.length > 0 ? [place] : []));
  const at = places.get(state.current) ?? 0;
  const here = heads.findLastIndex((place) => place < at);
  const head = items[heads[Math.min(heads.length - 1, Math.max(0, here + by))] ?? -1];
  return go(state, head?.kind === 'head' ? (head.ids[0] ?? '') : '');
}

/** After something was done: the selection is over, and the next row that is left is current. */
export function goOn(state: QueueState): QueueState {
  const free = { ...select(state, []), mode: 'free' as const };
  return isDecided(free, free.current) ? go(free, nextLeft(free) ?? '') : free;
}

/** Chooses these rows. */
export function select(state: QueueState, ids: Iterable<string>): QueueState {
  const selected = new Set(ids);
  const isNone = selected.size === 0;
  return {
    ...state,
    selected: isNone && state.selected.size === 0 ? state.selected : selected,
    shared: isNone ? '' : state.shared,
    mode: 'free',
  };
}

/** Chooses a row, or leaves it out. What cannot be decided any more can still be left out. */
export function toggle(state: QueueState, id: string): QueueState {
  const selected = new Set(state.selected);
  if (!selected.delete(id)) {
    if (choosable(state, [id]).length === 0) {
      return state;
    }
    selected.add(id);
  }
  return { ...select(state, selected), anchor: id };
}

/** Chooses the current row and the next one. */
export function extend(state: QueueState, by: 1 | -1): QueueState {
  const next = move(state, by);
  return select(next, [...next.selected, ...choosable(next, [state.current, next.current])]);
}

/** Chooses everything between the last one that was chosen and this one. */
export function selectTo(state: QueueState, id: string): QueueState {
  const ids = rowIds(state);
  const [from = 0, to = 0] = [ids.indexOf(state.anchor || state.current), ids.indexOf(id)].sort((left, right) => left - right);
  return go(select(state, [...state.selected, ...choosable(state, ids.slice(Math.max(0, from), to + 1))]), id);
}

/** Chooses the rest of the current row's part. */
export function selectSection(state: QueueState): QueueState {
  const at = state.lines.places.get(state.current) ?? 0;
  const head = state.lines.items.slice(0, at).findLast((item) => item.kind === 'head');
  const left = head?.kind === 'head' ? choosable(state, head.ids).filter((id) => !isDecided(state, id)) : undefined;
  return left === undefined ? state : select(state, [...state.selected, ...left]);
}

/** Opens a field, or closes it. */
export function setMode(state: QueueState, mode: Mode): QueueState {
  return { ...state, mode };
}
