/** Values that follow from the state of a queue. Pure; those that walk through all rows are kept for as long as the state is the same. */
import { counts } from '~/data/queue/drafts.ts';
import { isUnsaved } from '~/data/queue/known.ts';
import type { QueueRow } from '~/data/queue/queue-rows.ts';
import { groupOf, holderOf, isMine, isPlain, type Standing, standingOf } from './standing.ts';
import type { QueueState } from './state.ts';

/** Rows that are read ahead of the current one, itself included. */
const mostAhead = 12;

/** A group with what is left of it. */
export interface GroupLeft {
  readonly id: string;
  readonly name: string;
  readonly total: number;
  readonly left: number;
}

function remember<T>(read: (state: QueueState) => T): (state: QueueState) => T {
  const known = new WeakMap<QueueState, { readonly value: T }>();
  return (state) => {
    const found = known.get(state) ?? { value: read(state) };
    known.set(state, found);
    return found.value;
  };
}

/** The standing of a row. */
export function standing({ drafts, me, passed }: QueueState, row: QueueRow): Standing {
  return standingOf(row, drafts.get(row.taskId), me, passed.get(row.taskId));
}

/** True if nothing is left to decide about a task. */
export function isDecided(state: QueueState, id: string): boolean {
  const row = state.rows.byId.get(id);
  return row === undefined || standing(state, row).isDecided;
}

/** The row that is looked at. */
export function currentRow({ rows, current }: QueueState): QueueRow | undefined {
  return rows.byId.get(current);
}

/** True if decisions are on their way, so that none of them changes now. */
export function isUnderway({ submission: { phase } }: QueueState): boolean {
  return phase === 'waiting' || phase === 'sending' || phase === 'elsewhere';
}

/** Drafts that count. */
export const countingDrafts = remember(({ drafts }) => [...drafts.values()].filter(counts));

/** Standing of the decisions with the server, with how many are on this device alone and since when. */
export const readSaving = remember(({ drafts, known, saving: { phase, dueAt, message, requestId } }) => {
  const unsaved = [...drafts.values()].filter((draft) => isUnsaved(draft, known));
  const since = unsaved.reduce((first, { at }) => Math.min(first, at), Number.POSITIVE_INFINITY);
  const retryAt = phase === 'device' || phase === 'fault' ? dueAt : 0;
  return { state: phase, unsaved: unsaved.length, since: unsaved.length === 0 ? 0 : since, retryAt, message, requestId };
});

/** Drafts in whose place holds what was decided on another device. */
export const changedElsewhere = remember(({ drafts }) => [...drafts.values()].filter(({ instead }) => instead !== undefined));

/** All of the person's tasks: how many there are, and how many are left. */
export const readTotals = remember((state) => {
  const { counts: read, phase, list } = state.rows;
  const drafts = countingDrafts(state).length;
  const all = phase === 'complete' ? list.map((row) => standing(state, row)) : undefined;
  const left =
    all === undefined ? Math.max(0, read.total - read.decided - drafts - state.passed.size) : all.filter(({ isDecided: is }) => !is).length;
  // Known once every row is here.
  const mine = all?.filter(isMine).length;
  return { total: read.total, left, decided: read.total - left, mine, drafts };
});

/** The groups of the grouping that is shown, each with what is left. */
export const readGroups = remember((state): GroupLeft[] => {
  const { rows, view } = state;
  const known = rows.groups.get(view.by) ?? [];
  const here = new Map<string, { name: string; total: number; left: number }>();
  for (const row of rows.list) {
    const id = groupOf(row, view.by);
    const group = here.get(id) ?? { name: nameGroup(row, view.by), total: 0, left: 0 };
    group.total += 1;
    group.left += standing(state, row).isDecided ? 0 : 1;
    here.set(id, group);
  }
  if (rows.phase === 'complete' || known.length === 0) {
    const order = known.length === 0 ? [...here.keys()] : known.map(({ id }) => id);
    return order.flatMap((id) => {
      const group = here.get(id);
      return group === undefined ? [] : [{ id, ...group }];
    });
  }
  return known.map(({ id, name, total, todo }) => {
    const group = here.get(id);
    return { id, name, total, left: group?.total === total ? group.left : todo };
  });
});

function nameGroup(row: QueueRow, by: QueueState['view']['by']): string {
  return by === 'app' ? (row.appDisplayName ?? '') : by === 'person' ? holderOf(row) : row.resource || row.appDisplayName || '';
}

/** The rows of the list, in its order. */
export function rowIds({ lines }: QueueState): readonly string[] {
  return [...lines.places.keys()];
}

/** The first row of the list that is not decided. */
export function firstLeft(state: QueueState): string | undefined {
  return rowIds(state).find((id) => !isDecided(state, id));
}

/** The next row behind the current one that is not decided, from the start where there is none. */
export function nextLeft(state: QueueState): string | undefined {
  const ids = rowIds(state);
  const at = ids.indexOf(state.current);
  const isLeft = (id: string): boolean => !isDecided(state, id);
  return ids.slice(at + 1).find(isLeft) ?? ids.slice(0, at + 1).find(isLeft);
}

/** The rows that are looked at next, the current one first. */
export const readAhead = remember((state): string[] => {
  const ids = rowIds(state);
  const found: string[] = [];
  const at = ids.indexOf(state.current);
  for (let place = at; place < ids.length && found.length < mostAhead; place++) {
    const id = ids[place] ?? '';
    if (place === at || !isDecided(state, id)) {
      found.push(id);
    }
  }
  return found;
});

/** The rows that "Select the unchanged" takes of these. */
export function plainOf(state: QueueState, ids: readonly string[]): string[] {
  return ids.filter((id) => {
    const row = state.rows.byId.get(id);
    return row !== undefined && !standing(state, row).isDecided && isPlain(row);
  });
}
