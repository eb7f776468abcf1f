/** Tasks that an act is about, and what stands against a decision about each. Pure. */
import type { Draft } from '~/data/queue/drafts.ts';
import type { QueueRow } from '~/data/queue/queue-rows.ts';
import { isUnderway, standing } from './read-state.ts';
import { reasonAlone } from './standing.ts';
import type { QueueState } from './state.ts';

/** Reason nothing can be decided now; the row is the one that stands against it. `mine`: changing what was submitted is a decision of its own. */
export interface Refusal {
  readonly kind: 'underway' | 'gone' | 'others' | 'mine' | 'forbidden';
  readonly row?: QueueRow;
}

/** A task of a selection that cannot be decided with the others. */
export interface LeftOut extends Refusal {
  readonly id: string;
}

/** The tasks that an act is about: the selection, else the current one. */
export function targets({ selected, current }: QueueState): string[] {
  return selected.size > 0 ? [...selected] : current === '' ? [] : [current];
}

/** Reason a task cannot be decided; `isOneOfSeveral` where it is part of a selection. */
function refusalFor(state: QueueState, id: string, isOneOfSeveral: boolean): Refusal | undefined {
  const row = state.rows.byId.get(id);
  if (row === undefined) {
    return { kind: 'gone' };
  }
  const { kind, mark } = standing(state, row);
  // A draft stands also beside a task that is asked of others by now, or that is gone: nobody was first there.
  if (mark === 'gone' || kind === 'reassigned' || (kind === 'conflict' && row.state !== 'CLOSED')) {
    return { kind: 'gone', row };
  }
  if (kind === 'others' || kind === 'conflict') {
    return { kind: 'others', row };
  }
  if (kind === 'mine') {
    return isOneOfSeveral ? { kind, row } : undefined;
  }
  return kind === 'forbidden' || (isOneOfSeveral && reasonAlone(row) === 'forbidden') ? { kind: 'forbidden', row } : undefined;
}

/** Tasks of the selection that cannot be decided any more: somebody was first, or they went elsewhere since they were chosen. */
export function leftOut(state: QueueState): LeftOut[] {
  return [...state.selected].flatMap((id) => {
    const refusal = refusalFor(state, id, true);
    return refusal === undefined ? [] : [{ ...refusal, id }];
  });
}

/** Targets that can be decided: of a selection those that nothing stands against, else the current task. */
export function freeTargets(state: QueueState): string[] {
  const left = new Set(leftOut(state).map(({ id }) => id));
  return targets(state).filter((id) => !left.has(id));
}

/** Reason nothing can be decided about the targets now. */
export function refusalOf(state: QueueState): Refusal | undefined {
  if (isUnderway(state)) {
    return { kind: 'underway' };
  }
  if (state.selected.size > 0) {
    return freeTargets(state).length > 0 ? undefined : leftOut(state)[0];
  }
  return refusalFor(state, state.current, false);
}

/** True if a decision about the targets needs a reason. */
export function needsReason(state: QueueState, choice: Draft['choice']): boolean {
  return freeTargets(state).some((id) => {
    const row = state.rows.byId.get(id);
    return row?.state === 'CLOSED' || (choice === 'deny' ? row?.requiresDenialReason : row?.requiresApprovalReason) === true;
  });
}

/** The rows of these that may be chosen together. */
export function choosable(state: QueueState, ids: readonly string[]): string[] {
  return ids.filter((id) => {
    const row = state.rows.byId.get(id);
    return row !== undefined && reasonAlone(row) === undefined && refusalFor(state, id, true) === undefined;
  });
}
