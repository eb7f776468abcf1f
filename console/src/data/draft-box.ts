/**
 * The decisions of one person in one review, before they are submitted: written to this device, shown, then sent together. What is around it (the
 * browser's storage, other tabs, the server, time) comes from outside, so that tests bring their own.
 */
import type { Around, SaveFailure, Saving } from './draft-around.ts';
import {
  byTask,
  counts,
  countToSend,
  type Draft,
  type Drafts,
  isMeant,
  isUnsaved,
  listToSave,
  markSaved,
  mergeCopies,
  mergeServer,
  nextTime,
  stepBack,
} from './drafts.ts';

/** After so many decisions they are sent at once. */
const mostWaiting = 20;
/** Several decisions wait so long from the first of them, a single one longer. */
const [waitMs, singleMs] = [2000, 4000];
const mostRetryMs = 30_000;

export class DraftBox {
  drafts: Drafts = new Map();
  saving: Saving = { state: 'saved', unsaved: 0, since: 0, retryAt: 0, message: '', requestId: '' };
  readonly #around: Around;
  readonly #listeners = new Set<() => void>();
  /** Each step back: the drafts before, by task. */
  readonly #steps: (readonly (readonly [string, Draft | undefined])[])[] = [];
  #cancelTimer: (() => void) | undefined;
  #unhear: (() => void) | undefined;
  #isSending = false;
  #isClosed = false;
  #sending: Promise<unknown> = Promise.resolve();
  #failures = 0;
  #firstUnsavedAt = 0;
  #writing: Promise<void> = Promise.resolve();
  #toWrite = new Set<string>();

  constructor(around: Around) {
    this.#around = around;
  }

  /** Calls back after every change, until the returned function is called. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Reads this device, then the server; where that does not answer, what is here is used and sent later. */
  async open(): Promise<void> {
    const { shelf, tabs, server } = this.#around;
    this.#unhear = tabs.hear((theirs) => {
      this.#replace(mergeCopies(this.drafts, byTask(theirs)));
    });
    const held = await shelf.read().catch(() => []);
    this.#replace(mergeCopies(this.drafts, byTask(held)));
    try {
      const staged = await server.list();
      this.#replace(mergeServer(this.drafts, staged));
      await shelf.update(() => [...this.drafts.values()]).catch(() => undefined);
    } catch {
      // Nothing is lost: the next time that something is sent shows what is wrong.
    }
    this.#schedule();
  }

  /** Sends what waits a last time; where that fails it stays on this device, and is sent when the review is opened again. */
  close(): void {
    this.#isClosed = true;
    this.#unhear?.();
    void this.flush();
  }

  /** Decides: one step, that `undoLast` takes back as one. */
  decide(decisions: readonly Pick<Draft, 'taskId' | 'choice' | 'comment' | 'until' | 'amend'>[]): void {
    const at = nextTime(this.drafts, this.#around.timers.now());
    this.#steps.push(decisions.map(({ taskId }) => [taskId, this.drafts.get(taskId)] as const));
    this.#put(decisions.map((one) => ({ ...one, at, savedAt: this.drafts.get(one.taskId)?.savedAt ?? 0, refused: '' })));
  }

  /** Takes the last step back and says which tasks it was about; behind the steps of this visit, the decision that was made last. */
  undoLast(): readonly string[] {
    const step = this.#steps.pop();
    if (step !== undefined) {
      this.#restore(step);
      return step.map(([taskId]) => taskId);
    }
    const last = [...this.drafts.values()].filter(isMeant).sort((left, right) => right.at - left.at)[0];
    if (last === undefined) {
      return [];
    }
    this.#restore([[last.taskId, undefined]]);
    return [last.taskId];
  }

  /** Takes back what was decided about one task. */
  undo(taskId: string): boolean {
    if (!isMeant(this.drafts.get(taskId))) {
      return false;
    }
    this.#steps.push([[taskId, this.drafts.get(taskId)]]);
    this.#restore([[taskId, undefined]]);
    return true;
  }

  /** After a submission: what was decided is no draft any more; what was refused stays, and says why. */
  settle(results: readonly { readonly taskId: string; readonly decided: boolean; readonly message: string }[]): void {
    const drafts = new Map(this.drafts);
    for (const { taskId, decided, message } of results) {
      const draft = drafts.get(taskId);
      if (decided) {
        drafts.delete(taskId);
      } else if (draft !== undefined) {
        drafts.set(taskId, { ...draft, refused: message || 'refused' });
      }
    }
    this.#steps.length = 0;
    this.#replace(drafts);
    void this.#around.shelf.update(() => [...drafts.values()]).catch(() => undefined);
    this.#schedule();
  }

  /** A task that somebody else decided, or that is gone: the draft stays beside it and does not count. */
  refuse(taskIds: readonly string[], message: string): void {
    const drafts = new Map(this.drafts);
    for (const taskId of taskIds) {
      const draft = drafts.get(taskId);
      if (counts(draft)) {
        drafts.set(taskId, { ...draft, refused: message });
      }
    }
    this.#replace(drafts);
    this.#write(taskIds);
    this.#schedule();
  }

  /** The review takes no decisions any more; what is here stays readable. */
  end(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    if (this.saving.state !== 'closed') {
      this.#say({ state: 'closed', retryAt: 0, message: '' });
    }
  }

  /** Drops a draft that does not count, as `Agree and go on` does. */
  discard(taskId: string): void {
    const drafts = new Map(this.drafts);
    drafts.delete(taskId);
    this.#replace(drafts);
    void this.#around.shelf.update((held) => held.filter((draft) => draft.taskId !== taskId)).catch(() => undefined);
  }

  /** Sends now what waits: before a submission, when the page is left, and on `Try now`. */
  async flush(): Promise<boolean> {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    await this.#writing;
    if (this.#isSending) {
      return false;
    }
    if (countToSend(this.drafts) === 0) {
      this.#failures = 0;
      this.#say({ state: 'saved', retryAt: 0, message: '', requestId: '' });
      return true;
    }
    this.#isSending = true;
    this.#say({ state: this.#failures > 0 ? 'device' : 'sending', retryAt: 0 });
    const toSave = listToSave(this.drafts);
    const sending = this.#around.server.save(toSave).catch((error: unknown): SaveFailure => ({ kind: 'fault', message: String(error) }));
    this.#sending = sending;
    const failure = await sending;
    this.#isSending = false;
    return failure === undefined ? this.#saved(toSave) : this.#failed(failure);
  }

  /** Ends when nothing is on its way, so that what is submitted is not staged again behind it. */
  async rest(): Promise<void> {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    await this.#sending;
  }

  #saved(sent: readonly Draft[]): boolean {
    this.#failures = 0;
    const marked = markSaved(this.drafts, sent);
    const gone = [...this.drafts.keys()].filter((taskId) => !marked.has(taskId));
    this.drafts = marked;
    this.#firstUnsavedAt = this.#around.timers.now();
    this.#write([...marked.keys()], gone);
    this.#around.tabs.send([...marked.values()]);
    this.#say({ state: 'saved', retryAt: 0, message: '', requestId: '' });
    this.#schedule();
    return countToSend(this.drafts) === 0;
  }

  #failed({ kind, message, requestId = '', tasks }: SaveFailure): boolean {
    if (kind === 'tasks' && tasks !== undefined && tasks.size > 0) {
      for (const [taskId, why] of tasks) {
        this.refuse([taskId], why);
      }
      return false;
    }
    if (kind === 'signedOut' || kind === 'closed') {
      this.#say({ state: kind, retryAt: 0, message, requestId });
      return false;
    }
    const wait = Math.min(mostRetryMs, 1000 * 2 ** this.#failures);
    this.#failures++;
    this.#say({ state: kind === 'outage' ? 'device' : 'fault', retryAt: this.#around.timers.now() + wait, message, requestId });
    this.#cancelTimer?.();
    this.#cancelTimer = this.#isClosed ? undefined : this.#around.timers.later(wait, () => void this.flush());
    return false;
  }

  #put(changed: readonly Draft[]): void {
    const drafts = new Map(this.drafts);
    for (const draft of changed) {
      drafts.set(draft.taskId, draft);
    }
    this.drafts = drafts;
    this.#write(changed.map(({ taskId }) => taskId));
    this.#around.tabs.send(changed);
    this.#schedule();
    this.#tell();
  }

  #restore(step: readonly (readonly [string, Draft | undefined])[]): void {
    this.#put(stepBack(this.drafts, step, nextTime(this.drafts, this.#around.timers.now())));
  }

  #replace(drafts: Map<string, Draft>): void {
    this.drafts = drafts;
    this.#say({});
  }

  #unsaved(): Draft[] {
    return [...this.drafts.values()].filter(isUnsaved);
  }

  /** Writes what changed, one after the other; what another tab wrote meanwhile stays. */
  #write(taskIds: readonly string[], gone: readonly string[] = []): void {
    for (const taskId of taskIds) {
      this.#toWrite.add(taskId);
    }
    this.#writing = this.#writing.then(async () => {
      const ids = [...this.#toWrite];
      this.#toWrite = new Set();
      const mine = ids.flatMap((taskId) => this.drafts.get(taskId) ?? []);
      const dropped = new Set(gone);
      if (ids.length > 0 || gone.length > 0) {
        await this.#around.shelf
          .update((held) => [...mergeCopies(byTask(held.filter(({ taskId }) => !dropped.has(taskId))), byTask(mine)).values()])
          .catch(() => undefined);
      }
    });
  }

  #schedule(): void {
    const unsaved = countToSend(this.drafts);
    if (unsaved === 0) {
      this.#say({ state: this.saving.state === 'closed' ? 'closed' : 'saved', retryAt: 0 });
      return;
    }
    if (this.saving.state === 'closed' || this.saving.state === 'signedOut' || this.#isSending || this.#isClosed || this.#failures > 0) {
      this.#say({});
      return;
    }
    const { timers } = this.#around;
    if (this.#cancelTimer === undefined) {
      this.#firstUnsavedAt = timers.now();
    }
    this.#cancelTimer?.();
    const wait = unsaved >= mostWaiting ? 0 : this.#firstUnsavedAt + (unsaved === 1 ? singleMs : waitMs) - timers.now();
    this.#cancelTimer = timers.later(Math.max(0, wait), () => {
      this.#cancelTimer = undefined;
      void this.flush();
    });
    this.#say({ state: 'waiting' });
  }

  #say(change: Partial<Saving>): void {
    const unsaved = this.#unsaved();
    const since = unsaved.reduce((first, { at }) => Math.min(first, at), Number.POSITIVE_INFINITY);
    this.saving = { ...this.saving, ...change, unsaved: unsaved.length, since: unsaved.length === 0 ? 0 : since };
    this.#tell();
  }

  #tell(): void {
    for (const listener of this.#listeners) {
      listener();
    }
  }
}
