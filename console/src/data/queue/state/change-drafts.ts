/** Transitions of decisions: made, taken back and saved, until they are submitted. */
import type { SaveFailure } from '~/data/queue/draft-around.ts';
import {
  byTask,
  countToSend,
  counts,
  type Draft,
  type Drafts,
  isMeant,
  listToSave,
  markSaved,
  nextTime,
  stepBack,
} from '~/data/queue/drafts.ts';
import type { QueueState, Saving, Step } from './state.ts';

/** After so many decisions they are sent at once. */
const mostWaiting = 20;
/** Several decisions wait so long from the first of them, a single one longer. */
const [waitMs, singleMs] = [2000, 4000];
const maxRetryMs = 30_000;

export type Decision = Pick<Draft, 'taskId' | 'comment' | 'until' | 'amend'> & { readonly choice: 'certify' | 'deny' };

const save = (state: QueueState, change: Partial<Saving>): QueueState => ({ ...state, saving: { ...state.saving, ...change } });

/** Plans when what waits is sent. Nothing is planned while something is on its way, nobody answered, or the server takes nothing. */
export function plan(state: QueueState, now: number): QueueState {
  const { phase, sent, failures, dueAt } = state.saving;
  const unsaved = countToSend(state.drafts);
  if (unsaved === 0) {
    return sent === undefined ? save(state, { phase: phase === 'closed' ? 'closed' : 'saved', dueAt: 0, failures: 0 }) : state;
  }
  if (phase === 'closed' || phase === 'signedOut' || sent !== undefined || failures > 0) {
    return state;
  }
  const plannedAt = dueAt === 0 ? now : state.saving.plannedAt;
  const wait = unsaved >= mostWaiting ? 0 : plannedAt + (unsaved === 1 ? singleMs : waitMs) - now;
  return save(state, { phase: 'waiting', plannedAt, dueAt: now + Math.max(0, wait) });
}

/** Drafts that were merged with copies from elsewhere. */
export function replaceDrafts(state: QueueState, drafts: Drafts): QueueState {
  return { ...state, drafts };
}

function put(state: QueueState, changed: readonly Draft[], now: number): QueueState {
  return plan({ ...state, drafts: new Map([...state.drafts, ...byTask(changed)]) }, now);
}

function restore(state: QueueState, step: Step, now: number): QueueState {
  return put(state, stepBack(state.drafts, step, nextTime(state.drafts, now)), now);
}

/** Decides: one step, that is taken back as one. */
export function decideTasks(state: QueueState, decisions: readonly Decision[], now: number): QueueState {
  const { drafts, steps } = state;
  const at = nextTime(drafts, now);
  const step = decisions.map(({ taskId }) => [taskId, drafts.get(taskId)] as const);
  const made = decisions.map((one) => ({ ...one, at, savedAt: drafts.get(one.taskId)?.savedAt ?? 0, refused: '' }));
  return put({ ...state, steps: [...steps, step] }, made, now);
}

/** The step that is taken back next: the last of this visit, and behind those the decision that was made last. */
export function lastStep({ steps, drafts }: QueueState): Step {
  const last = [...drafts.values()].filter(isMeant).sort((left, right) => right.at - left.at)[0];
  return steps.at(-1) ?? (last === undefined ? [] : [[last.taskId, undefined]]);
}

/** Takes the last step back. */
export function undoLast(state: QueueState, now: number): QueueState {
  const step = lastStep(state);
  return step.length === 0 ? state : restore({ ...state, steps: state.steps.slice(0, -1) }, step, now);
}

/** Takes back what was decided about one task, which is a step of its own. */
export function undoTask(state: QueueState, taskId: string, now: number): QueueState {
  const draft = state.drafts.get(taskId);
  return isMeant(draft) ? restore({ ...state, steps: [...state.steps, [[taskId, draft]]] }, [[taskId, undefined]], now) : state;
}

/** Tasks that somebody else decided, or that are gone: drafts stay beside them and do not count. */
export function refuse(state: QueueState, taskIds: readonly string[], refused: string, now: number): QueueState {
  const found = taskIds.map((id) => state.drafts.get(id)).filter(counts);
  return put(
    state,
    found.map((draft) => ({ ...draft, refused })),
    now,
  );
}

/** Drops drafts. */
export function dropDrafts(state: QueueState, taskIds: readonly string[]): QueueState {
  const dropped = new Set(taskIds);
  return { ...state, drafts: new Map([...state.drafts].filter(([id]) => !dropped.has(id))) };
}

/** The review takes no decisions any more; what is here stays readable. */
export function endReview(state: QueueState): QueueState {
  return state.saving.phase === 'closed' ? state : save(state, { phase: 'closed', dueAt: 0, message: '' });
}

/** Sends what waits; not while a submission is on its way, behind which it would be staged again. */
export function send(state: QueueState): QueueState {
  const { sent, failures, phase } = state.saving;
  if (sent !== undefined || state.submission.phase === 'sending') {
    return state;
  }
  return countToSend(state.drafts) === 0
    ? save(state, { phase: phase === 'closed' ? 'closed' : 'saved', dueAt: 0, failures: 0, message: '', requestId: '' })
    : save(state, { phase: failures > 0 ? 'device' : 'sending', dueAt: 0, sent: listToSave(state.drafts) });
}

/** The server took what was sent. */
export function markSent(state: QueueState, now: number): QueueState {
  const { sent = [], phase } = state.saving;
  const saved = { phase: phase === 'closed' ? phase : 'saved', sent: undefined, failures: 0, message: '', requestId: '' } as const;
  return plan(save({ ...state, drafts: markSaved(state.drafts, sent) }, saved), now);
}

/** The server did not take what was sent. */
export function failSent(state: QueueState, { kind, message, requestId = '', tasks }: SaveFailure, now: number): QueueState {
  const back = save(state, { sent: undefined });
  if (kind === 'tasks' && tasks !== undefined && tasks.size > 0) {
    const answered = save(back, { failures: 0 });
    return [...tasks].reduce((next, [taskId, why]) => refuse(next, [taskId], why, now), answered);
  }
  if (kind === 'signedOut' || kind === 'closed') {
    return save(back, { phase: kind, dueAt: 0, message, requestId });
  }
  const { failures } = state.saving;
  const dueAt = now + Math.min(maxRetryMs, 1000 * 2 ** failures);
  return save(back, { phase: kind === 'outage' ? 'device' : 'fault', failures: failures + 1, dueAt, message, requestId });
}
