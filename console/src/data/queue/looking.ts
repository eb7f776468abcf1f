/**
 * Time the queue of a review was in sight since its decisions were submitted last: counted while the page is visible, kept on this device beside
 * the drafts, over reloads and tabs, and never sent. What is around it (the page, time, storage) comes from outside, so that tests bring their own.
 */
import { del, get, update } from 'idb-keyval';
import { type DraftsOf, getStore, draftsKey } from './draft-store.ts';

/** Pause between saves of the count; a gap that is much longer was a device asleep. */
const tickMs = 10_000;
const maxMs = 3 * tickMs;

export interface LookingAround {
  readonly now: () => number;
  readonly isVisible: () => boolean;
  /** Calls back at every tick and whenever the page comes into sight or goes out of it, until the returned function is called. */
  readonly hear: (heard: () => void) => () => void;
  readonly read: () => Promise<number>;
  /** Adds to what is kept, and says how much that is. */
  readonly add: (ms: number) => Promise<number>;
  readonly clear: () => Promise<void>;
}

export class Looking {
  readonly #around: LookingAround;
  #kept = 0;
  /** Since when the page is in sight and nothing of it was kept; undefined while it is not. */
  #since: number | undefined;
  #unhear: (() => void) | undefined;

  constructor(around: LookingAround) {
    this.#around = around;
  }

  /** Begins to count, on top of what is kept here. */
  open(): void {
    this.#since = this.#around.isVisible() ? this.#around.now() : undefined;
    this.#unhear = this.#around.hear(() => this.#keep());
    void this.#around.read().then(
      (ms) => {
        this.#kept += ms;
      },
      () => undefined,
    );
  }

  close(): void {
    this.#keep();
    this.#unhear?.();
    this.#since = undefined;
  }

  /** Begins anew, after a submission. */
  reset(): void {
    this.#kept = 0;
    this.#since = this.#around.isVisible() ? this.#around.now() : undefined;
    void this.#around.clear().catch(() => undefined);
  }

  /** Milliseconds in sight. */
  get ms(): number {
    return this.#kept + this.#unkept();
  }

  #unkept(): number {
    return this.#since === undefined ? 0 : Math.min(maxMs, Math.max(0, this.#around.now() - this.#since));
  }

  #keep(): void {
    const ms = this.#unkept();
    this.#since = this.#around.isVisible() ? this.#around.now() : undefined;
    if (ms === 0) {
      return;
    }
    this.#kept += ms;
    void this.#around.add(ms).then(
      (all) => {
        this.#kept = Math.max(this.#kept, all);
      },
      // Where a browser refuses storage, it counts for this visit.
      () => undefined,
    );
  }
}

/** The time in sight of a review's queue in a browser. Call `open`, and `close` when the page is left. */
export function makeLooking(of: DraftsOf): Looking {
  const name = `${draftsKey(of)}/looked`;
  return new Looking({
    now: () => Date.now(),
    isVisible: () => document.visibilityState === 'visible',
    hear: (heard) => {
      const timer = setInterval(heard, tickMs);
      document.addEventListener('visibilitychange', heard);
      window.addEventListener('pagehide', heard);
      return () => {
        clearInterval(timer);
        document.removeEventListener('visibilitychange', heard);
        window.removeEventListener('pagehide', heard);
      };
    },
    read: async () => (await get<number>(name, getStore())) ?? 0,
    add: async (ms) => {
      let all = 0;
      await update<number>(
        name,
        (held) => {
          all = (held ?? 0) + ms;
          return all;
        },
        getStore(),
      );
      return all;
    },
    clear: () => del(name, getStore()),
  });
}
