/** Actions in a queue that say what they did, for keys and buttons alike: decide, take back, choose. */
import { announce, announceError } from '~/app/announce.ts';
import { isMeant } from '~/data/queue/drafts.ts';
import { lastStep } from '~/data/queue/state/change-drafts.ts';
import { currentRow, isDecided, isUnderway, readTotals } from '~/data/queue/state/read-state.ts';
import { holderOf, rightOf } from '~/data/queue/state/standing.ts';
import type { Mode } from '~/data/queue/state/state.ts';
import type { OpenQueue } from '~/data/queue/open-queue.ts';
import { freeTargets, leftOut, needsReason, type Refusal, refusalOf } from '~/data/queue/state/targets.ts';
import { toast } from '~/parts/over/toast.tsx';
import { date } from '~/text/format.ts';
import { nameBy } from '~/text/name-by.ts';
import { text } from '~/text/text.ts';
import { sayWithLeftOut } from './selection/left-out-words.ts';

/** A decision as it is made. */
export interface Decided {
  readonly choice: 'certify' | 'deny';
  readonly comment?: string;
  readonly until?: string;
}

export type QueueActions = ReturnType<typeof makeActions>;

function sayRefusal({ kind, row }: Refusal): string {
  switch (kind) {
    case 'underway':
      return text('queue.underway');
    case 'others':
      return text('queue.refusedOthers', { name: nameBy(row?.decidedBy, row?.decidedIssuer) || text('queue.somebody') });
    case 'forbidden':
      return text('queue.refusedForbidden');
    case 'mine':
      return text('queue.refusedMine');
    default:
      return text('queue.refusedGone');
  }
}

function sayDecided({ choice, until = '' }: Decided, count: number): string {
  if (count > 1) {
    return choice === 'deny' ? text('queue.saidDeniedMany', { count }) : text('queue.saidCertifiedMany', { count });
  }
  return until !== ''
    ? text('queue.saidUntil', { date: date(until) })
    : text(choice === 'deny' ? 'queue.saidDenied' : 'queue.saidCertified');
}

/** The actions of a queue. */
export function makeActions({ store, askSubmission }: Pick<OpenQueue, 'store' | 'askSubmission'>) {
  const { dispatch } = store;

  /** Says what was done, and what comes next. */
  const sayNext = (done: string): void => {
    const { state } = store;
    const row = isDecided(state, state.current) ? undefined : currentRow(state);
    const { left } = readTotals(state);
    announce(
      row === undefined
        ? text('queue.saidLast', { done, left })
        : text('queue.saidNext', { done, who: holderOf(row), what: rightOf(row), left }),
    );
  };

  /** Says what stands against a decision about the targets, and returns it; undefined where nothing does. */
  const refuse = (): string | undefined => {
    const refusal = refusalOf(store.state);
    if (refusal === undefined) {
      return undefined;
    }
    const said = sayRefusal(refusal);
    announceError(said);
    return said;
  };

  return {
    /** Decides, or opens the field of a reason that is needed. Returns what stands against it; undefined where nothing does. */
    decide(decided: Decided): string | undefined {
      const { choice, until = '' } = decided;
      const comment = decided.comment?.trim() || store.state.shared.trim();
      const refused = refuse();
      if (refused !== undefined) {
        return refused;
      }
      if (comment === '' && needsReason(store.state, choice)) {
        dispatch({ kind: 'mode', mode: until !== '' ? 'until' : choice });
        return undefined;
      }
      const left = leftOut(store.state);
      const done = sayDecided(decided, freeTargets(store.state).length);
      dispatch({ kind: 'decide', choice, comment, until, now: Date.now() });
      sayNext(done);
      if (left.length > 0) {
        toast(sayWithLeftOut(done, left));
      }
      return undefined;
    },

    /** Opens a field, or says why not. */
    open(mode: Mode): void {
      if (mode === 'comment' || refuse() === undefined) {
        dispatch({ kind: 'mode', mode });
      }
    },

    /** Takes the last step back, or the submission that waits. */
    undoLast(): void {
      const { state } = store;
      const { length: count } = lastStep(state);
      dispatch({ kind: 'undoLast', now: Date.now() });
      if (state.submission.phase === 'elsewhere') {
        askSubmission('undo');
      } else if (state.submission.phase === 'waiting') {
        announce(text('submit.saidUndone'));
      } else if (!isUnderway(state)) {
        announce(text('queue.saidUndone', { count }));
      }
    },

    /** Takes back what was decided about a task, else the current one. */
    undoThis(id = store.state.current): void {
      if (!isUnderway(store.state) && isMeant(store.state.drafts.get(id))) {
        dispatch({ kind: 'undoTask', id, now: Date.now() });
        announce(text('queue.saidUndone', { count: 1 }));
      }
    },

    /** Chooses what is plain in a section. */
    selectPlain(ids: readonly string[]): void {
      dispatch({ kind: 'selectPlain', ids });
      announce(text('queue.saidSelected', { count: store.state.selected.size }));
    },

    /** Drops a draft beside somebody else's decision. */
    agree(id: string): void {
      dispatch({ kind: 'discard', id, now: Date.now() });
      sayNext(text('queue.saidAgreed'));
    },

    /** Tasks went to somebody else; where one was refused, the field stays open. */
    pass(ids: readonly string[], name: string, isDone: boolean): void {
      dispatch({ kind: 'passed', ids, name, isDone, now: Date.now() });
      if (isDone) {
        sayNext(text('queue.saidPassed', { count: ids.length, name }));
      }
    },
  };
}
