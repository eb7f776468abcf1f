/**
 * A submission on its way: it waits ten seconds in the page, then goes in parts of 1,000 under one key. A page that is closed while it waits sends
 * nothing, and the next visit says so; one that is closed while it sends leaves it open, and sending the same again under its key is harmless.
 */
import type { DraftBox } from './draft-box.ts';
import { type Draft, mostAtOnce } from './drafts.ts';
import { call, ClientError, isOutage } from './query.ts';
import type { DraftsOf } from './draft-store.ts';
import { beside, toDecision } from './review-drafts.ts';

export const waitingMs = 10_000;

/** The answer about one task. */
export interface TaskResult {
  readonly taskId: string;
  readonly decided: boolean;
  readonly code: string;
  readonly message: string;
}

export type SubmissionState =
  | { readonly phase: 'idle' }
  | { readonly phase: 'waiting'; readonly count: number; readonly endsAt: number }
  | { readonly phase: 'sending'; readonly count: number }
  | { readonly phase: 'done'; readonly results: readonly TaskResult[]; readonly sent: readonly Draft[] }
  | { readonly phase: 'failed'; readonly count: number; readonly message: string; readonly requestId: string; readonly isOutage: boolean }
  /** Of an earlier visit: it never went out, or it is not known whether it arrived. */
  | { readonly phase: 'left'; readonly count: number }
  | { readonly phase: 'unsure'; readonly count: number };

/** What is kept on this device of a submission that is not over. */
interface Kept {
  readonly phase: 'waiting' | 'sending';
  readonly key: string;
  readonly drafts: readonly Draft[];
}

export class Submission {
  state: SubmissionState = { phase: 'idle' };
  readonly #of: DraftsOf;
  readonly #box: DraftBox;
  readonly #listeners = new Set<() => void>();
  #kept: Kept | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(of: DraftsOf, box: DraftBox) {
    this.#of = of;
    this.#box = box;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Whether decisions are on their way, so that none of them changes now. */
  get isUnderway(): boolean {
    return this.state.phase === 'waiting' || this.state.phase === 'sending';
  }

  /** Looks for one of an earlier visit. */
  async open(): Promise<void> {
    const kept = await beside.read<Kept>(this.#of, 'submission').catch(() => undefined);
    if (kept === undefined || this.state.phase !== 'idle') {
      return;
    }
    this.#kept = kept;
    this.#set({ phase: kept.phase === 'waiting' ? 'left' : 'unsure', count: kept.drafts.length });
    if (kept.phase === 'waiting') {
      this.#keep(undefined);
    }
  }

  /** Begins the ten seconds. */
  begin(drafts: readonly Draft[]): void {
    if (drafts.length === 0 || this.isUnderway) {
      return;
    }
    this.#keep({ phase: 'waiting', key: crypto.randomUUID(), drafts });
    this.#set({ phase: 'waiting', count: drafts.length, endsAt: Date.now() + waitingMs });
    this.#timer = setTimeout(() => void this.send(), waitingMs);
  }

  /** Takes it back while it waits. */
  undo(): boolean {
    if (this.state.phase !== 'waiting') {
      return false;
    }
    this.close();
    this.#keep(undefined);
    this.#set({ phase: 'idle' });
    return true;
  }

  /** Sends it now; also again, where it is not known whether it arrived. */
  async send(): Promise<void> {
    const kept = this.#kept;
    this.close();
    if (kept === undefined || this.state.phase === 'sending') {
      return;
    }
    this.#keep({ ...kept, phase: 'sending' });
    this.#set({ phase: 'sending', count: kept.drafts.length });
    try {
      await this.#box.rest();
      const results: TaskResult[] = [];
      for (let from = 0; from < kept.drafts.length; from += mostAtOnce) {
        const part = kept.drafts.slice(from, from + mostAtOnce);
        const reply = await call('ReviewSubmissionService.Submit', {
          accessReviewId: this.#of.reviewId,
          decisions: part.map(toDecision),
          idempotencyKey: `${kept.key}-${from / mostAtOnce}`,
        });
        const found = (reply.results ?? []).map(({ taskId = '', decided = false, code = '', message = '' }) => ({
          taskId,
          decided,
          code,
          message,
        }));
        results.push(...found);
        this.#box.settle(found);
      }
      this.#keep(undefined);
      this.#set({ phase: 'done', results, sent: kept.drafts });
    } catch (error) {
      const { message, requestId = '' } = error as ClientError;
      const isOut = isOutage(error) || !(error instanceof ClientError);
      if (!isOut) {
        // It was refused as a whole: nothing of it is on its way any more.
        this.#keep(undefined);
      }
      this.#set({ phase: 'failed', count: kept.drafts.length, message, requestId, isOutage: isOut });
    }
  }

  /** The message was read. */
  dismiss(): void {
    this.#keep(undefined);
    this.#set({ phase: 'idle' });
  }

  /** Stops the clock: what is kept says to the next visit that it did not go out. */
  close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #keep(kept: Kept | undefined): void {
    this.#kept = kept;
    void beside.write(this.#of, 'submission', kept).catch(() => undefined);
  }

  #set(state: SubmissionState): void {
    this.state = state;
    for (const listener of this.#listeners) {
      listener();
    }
  }
}
