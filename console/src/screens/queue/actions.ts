/** What can be done in a queue, for keys and buttons alike: decide, take back, choose. Each says what it did. */
import { announce, announceError } from '../../app/announce.ts';
import type { Submission } from '../../data/submission.ts';
import { date } from '../../text/format.ts';
import { text } from '../../text/text.ts';
import type { Mode } from './list.ts';
import type { QueueModel } from './model.ts';
import { holderOf, reasonAlone, rightOf } from './standing.ts';

/** A decision as it is made. */
export interface Decided {
  readonly choice: 'certify' | 'deny';
  readonly comment?: string;
  readonly until?: string;
}

export class QueueActions {
  readonly model: QueueModel;
  readonly submission: Submission;

  constructor(model: QueueModel, submission: Submission) {
    this.model = model;
    this.submission = submission;
  }

  /** The tasks that a decision is about: the selection, else the current one. */
  targets(): string[] {
    const { selected, current } = this.model;
    return selected.size > 0 ? [...selected] : current === '' ? [] : [current];
  }

  /** Whether a decision about these needs a reason. */
  needsReason(choice: 'certify' | 'deny'): boolean {
    return this.targets().some((id) => {
      const row = this.model.row(id);
      const isAmended = row?.state === 'CLOSED';
      return isAmended || (choice === 'deny' ? row?.requiresDenialReason : row?.requiresApprovalReason) === true;
    });
  }

  /** Decides, or opens the field of a reason that is needed. */
  decide({ choice, comment: own = '', until = '' }: Decided): void {
    const comment = own.trim() || this.model.shared.trim();
    const refusal = this.refusal();
    if (refusal !== undefined) {
      announceError(refusal);
      return;
    }
    if (comment === '' && this.needsReason(choice)) {
      this.model.setMode(until !== '' ? 'until' : choice);
      return;
    }
    const { model } = this;
    const ids = this.targets();
    model.box.decide(ids.map((taskId) => ({ taskId, choice, comment, until, amend: model.row(taskId)?.state === 'CLOSED' })));
    const done =
      ids.length > 1
        ? choice === 'deny'
          ? text('queue.saidDeniedMany', { count: ids.length })
          : text('queue.saidCertifiedMany', { count: ids.length })
        : until !== ''
          ? text('queue.saidUntil', { date: date(until) })
          : choice === 'deny'
            ? text('queue.saidDenied')
            : text('queue.saidCertified');
    this.goOn(done);
  }

  /** After something was done: the selection is over, the next row that is left is current, and all of it is said. */
  goOn(done: string): void {
    const { model } = this;
    if (model.selected.size > 0) {
      model.select([]);
    }
    model.setMode('free');
    const next = model.isDecided(model.current) ? model.nextLeft() : model.current;
    const { left } = model.totals();
    if (next !== undefined) {
      model.go(next);
    }
    const row = next === undefined ? undefined : model.row(next);
    announce(
      row === undefined
        ? text('queue.saidLast', { done, left })
        : text('queue.saidNext', { done, who: holderOf(row), what: rightOf(row), left }),
    );
  }

  /** Why nothing can be decided about the targets now. */
  refusal(): string | undefined {
    const { model, submission } = this;
    if (submission.isUnderway) {
      return text('queue.underway');
    }
    const ids = this.targets();
    for (const id of ids) {
      const row = model.row(id);
      if (row === undefined) {
        return text('queue.refusedGone');
      }
      const { kind } = model.standing(row);
      if (kind === 'others' || kind === 'conflict') {
        return text('queue.refusedOthers', { name: row.decidedBy || text('queue.somebody') });
      }
      if (kind === 'gone' || kind === 'reassigned') {
        return text('queue.refusedGone');
      }
      if (kind === 'forbidden' || (ids.length > 1 && reasonAlone(row) === 'forbidden')) {
        return text('queue.refusedForbidden');
      }
    }
    return ids.length === 0 ? text('queue.refusedGone') : undefined;
  }

  /** Opens a field, or says why not. */
  open(mode: Mode): void {
    const refusal = mode === 'comment' ? undefined : this.refusal();
    if (refusal === undefined) {
      this.model.setMode(mode);
    } else {
      announceError(refusal);
    }
  }

  /** Takes the last step back, or the submission that waits. */
  undoLast(): void {
    if (this.submission.undo()) {
      announce(text('submit.saidUndone'));
      return;
    }
    if (this.submission.isUnderway) {
      return;
    }
    const ids = this.model.box.undoLast();
    const [first] = ids;
    if (first !== undefined && this.model.places.has(first)) {
      this.model.go(first);
    }
    announce(text('queue.saidUndone', { count: ids.length }));
  }

  /** Takes back what was decided about the current task. */
  undoThis(id = this.model.current): void {
    if (!this.submission.isUnderway && this.model.box.undo(id)) {
      announce(text('queue.saidUndone', { count: 1 }));
    }
  }

  /** Chooses what is plain in a section. */
  selectPlain(ids: readonly string[]): void {
    const plain = this.model.plain(ids);
    this.model.select(plain);
    announce(text('queue.saidSelected', { count: plain.length }));
  }
}
