/** Transitions of decisions: made, taken back and saved, until they are submitted. */
import type { SaveFailure } from '~/data/queue/draft-around.ts';
import { byTask, counts, type Draft, type Drafts, isMeant, listToSave, nextTime, stepBack, stoneOf } from '~/data/queue/drafts.ts';
import { type Copies, countToSend, joinCopies, knowList, noteSent, type Staged, takeList } from '~/data/queue/known.ts';
import { idle, type QueueState, type Saving, type Step } from './state.ts';

/** After so many decisions they are sent at once. */
const mostWaiting = 20;
/** Several decisions wait so long from the first of them, a single one longer. */
const [waitMs, singleMs] = [2000, 4000];
/** What another tab decided is sent by that one; where it is gone by then, by this one. */
const otherTabMs = 10_000;
/** The longest that something planned to be sent may wait. */
export const maxRetryMs = 30_000;

export type Decision = Pick<Draft, 'taskId' | 'comment' | 'until' | 'amend'> & { readonly choice: 'certify' | 'deny' };

const save = (state: QueueState, change: Partial<Saving>): QueueState => ({ ...state, saving: { ...state.saving, ...change } });

/**
 * Plans when what waits is sent. Nothing is planned while something is on its way, nobody answered, or the server takes nothing. Where this device keeps
 * nothing, it is sent at once.
 */
export function plan(state: QueueState, now: number, longest = waitMs): QueueState {
  const { phase, sent, failures, dueAt, isKept } = state.saving;
  const unsaved = countToSend(state.drafts, state.known);
  if (unsaved === 0) {
    return sent === undefined ? save(state, { phase: phase === 'closed' ? 'closed' : 'saved', dueAt: 0, failures: 0 }) : state;
  }
  if (phase === 'closed' || phase === 'signedOut' || sent !== undefined || failures > 0) {
    return state;
  }
  if (dueAt !== 0 && longest !== waitMs) {
    return state;
  }
  // A clock that was set back since puts nothing off.
  const plannedAt = dueAt === 0 ? now : Math.min(now, state.saving.plannedAt);
  const wait = unsaved >= mostWaiting || !isKept ? 0 : plannedAt + (unsaved === 1 ? Math.max(singleMs, longest) : longest) - now;
  return save(state, { phase: 'waiting', plannedAt, dueAt: now + Math.max(0, wait) });
}

/** A submission that waits is about what was confirmed: where another tab or device changed any of it, it does not go out. */
function checkSubmission(state: QueueState): QueueState {
  const { phase, kept, count } = state.submission;
  return phase === 'waiting' && kept !== undefined && !isAsConfirmed(state, kept.drafts)
    ? { ...state, submission: { ...idle, phase: 'changed', count } }
    : state;
}

/** True if all of these are meant as they were confirmed, or were refused since, which the server says for each. */
export function isAsConfirmed({ drafts }: QueueState, confirmed: readonly Draft[]): boolean {
  return confirmed.every((draft) => isSameDecision(draft, drafts.get(draft.taskId)));
}

/** True if both decide the same. */
export function isSameDecision(one: Draft, other: Draft | undefined): boolean {
  return one.choice === other?.choice && one.comment === other.comment && one.until === other.until;
}

/** Copies of another tab, or of the device. */
export function takeCopies(state: QueueState, { now, ...copies }: Copies & { readonly now: number }): QueueState {
  return checkSubmission(plan({ ...state, ...joinCopies(state, copies) }, now, otherTabMs));
}

/** The server's list, read anew: what other devices changed is taken. */
export function takeStaged(state: QueueState, { staged, now }: { readonly staged: Staged; readonly now: number }): QueueState {
  const next = { ...state, drafts: takeList(state, staged), known: knowList(state.known, staged) };
  return checkSubmission(plan({ ...next, drafts: amendOwn(next, () => true) }, now));
}

/** Drafts about what this person decided already: they change what is recorded. */
export function amendOwn({ drafts, rows, me }: QueueState, isAmended: (draft: Draft) => boolean): Drafts {
  const amended = [...drafts.values()].filter((draft) => {
    const row = rows.byId.get(draft.taskId);
    return counts(draft) && !draft.amend && row?.state === 'CLOSED' && row.decidedByUserId === me && isAmended(draft);
  });
  return amended.length === 0 ? drafts : new Map([...drafts, ...byTask(amended.map((draft) => ({ ...draft, amend: true })))]);
}

/** The message about what other devices changed was read. */
export function dismissChanged(state: QueueState): QueueState {
  const at = nextTime(state, 0);
  const read = [...state.drafts.values()].filter(({ instead }) => instead !== undefined);
  return { ...state, drafts: new Map([...state.drafts, ...byTask(read.map((draft) => ({ ...draft, instead: undefined, at })))]) };
}

/** This device keeps nothing: what is decided goes to the server at once. */
export function noteNotKept(state: QueueState, { now }: { readonly now: number }): QueueState {
  return state.saving.isKept ? plan(save(state, { isKept: false }), now) : state;
}

function put(state: QueueState, changed: readonly Draft[], now: number): QueueState {
  return plan({ ...state, drafts: new Map([...state.drafts, ...byTask(changed)]) }, now);
}

function restore(state: QueueState, step: Step, now: number): QueueState {
  return put(state, stepBack(step, nextTime(state, now)), now);
}

/** Decides: one step, that is taken back as one. */
export function decideTasks(state: QueueState, decisions: readonly Decision[], now: number): QueueState {
  const { drafts, steps } = state;
  const at = nextTime(state, now);
  const step = decisions.map(({ taskId }) => [taskId, drafts.get(taskId)] as const);
  const made = decisions.map((one) => ({ ...one, at, refused: '' }));
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
export function dropDrafts(state: QueueState, taskIds: readonly string[], now: number): QueueState {
  const at = nextTime(state, now);
  return put(
    state,
    taskIds.filter((id) => state.drafts.has(id)).map((id) => stoneOf(id, at)),
    now,
  );
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
  return countToSend(state.drafts, state.known) === 0
    ? save(state, { phase: phase === 'closed' ? 'closed' : 'saved', dueAt: 0, failures: 0, message: '', requestId: '' })
    : sendAnew(save(state, { phase: failures > 0 ? 'device' : 'sending', dueAt: 0, sent: [] }));
}

/** What is on its way is what is meant when it leaves. */
export function sendAnew(state: QueueState): QueueState {
  if (state.saving.sent === undefined) {
    return state;
  }
  const sent = listToSave(state.drafts);
  return save({ ...state, known: noteSent(state.known, sent) }, { sent });
}

/** The server took what was sent: its list is that, of this version. */
export function markSent(state: QueueState, { version, now }: { readonly version: string; readonly now: number }): QueueState {
  const { sent = [], phase } = state.saving;
  const saved = { phase: phase === 'closed' ? phase : 'saved', sent: undefined, failures: 0, message: '', requestId: '' } as const;
  return plan(save({ ...state, known: knowList(state.known, { version, decisions: sent }) }, saved), now);
}

/** The server did not take what was sent. */
export function failSent(state: QueueState, { kind, message, requestId = '', tasks }: SaveFailure, now: number): QueueState {
  const back = save(state, { sent: undefined });
  if (kind === 'tasks' && tasks !== undefined && tasks.size > 0) {
    const answered = save(back, { failures: 0 });
    return [...tasks].reduce((next, [taskId, why]) => refuse(next, [taskId], why, now), answered);
  }
  if (kind === 'changed') {
    return plan(save(back, { failures: 0 }), now);
  }
  if (kind === 'signedOut' || kind === 'closed') {
    return save(back, { phase: kind, dueAt: 0, message, requestId });
  }
  const { failures } = state.saving;
  const dueAt = now + Math.min(maxRetryMs, 1000 * 2 ** failures);
  return save(back, { phase: kind === 'outage' ? 'device' : 'fault', failures: failures + 1, dueAt, message, requestId });
}
