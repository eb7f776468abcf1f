/**
 * Saving an object while it is edited: what was changed shows at once and is sent after a short rest, one call at a time. What could not be stored
 * waits and goes with the next call, so that nothing counts as saved which the server lacks. What the server refuses holds nothing else up.
 */
import { ClientError } from '../../../src/client/error.ts';

/** Time a writer rests before what they wrote is sent. */
const restMs = 700;
/** Longest time until what nobody refused is sent again. */
const longestMs = 30_000;

export interface Saving<T> {
  /** All that the server does not have yet, by member; the last value of each. */
  readonly unsaved: Partial<T>;
  /** A call is under way. */
  readonly isSaving: boolean;
  /** Error of what could not be stored; undefined once all is. */
  readonly error: unknown;
  /** Time of the last save, in this visit. */
  readonly savedAt: Date | undefined;
  /** Counts what was stored: what was counted from an older state is counted anew. */
  readonly version: number;
}

export interface Saver<T> {
  /** Changes members; they are sent after a rest. */
  change(patch: Partial<T>): void;
  /** Sends what waits now. Resolves once all is stored or cannot be. */
  flush(): Promise<void>;
  /** Something beside the object itself was stored. */
  touch(): void;
  read(): Saving<T>;
  listen(hear: () => void): () => void;
}

/** Makes a saver. `send` stores members; its promise fails where they could not be. */
export function createSaver<T extends object>(send: (patch: Partial<T>) => Promise<unknown>): Saver<T> {
  let state: Saving<T> = { unsaved: {}, isSaving: false, error: undefined, savedAt: undefined, version: 0 };
  const listeners = new Set<() => void>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let tries = 0;
  let running: Promise<void> | undefined;
  /** Something was changed since the last call began. */
  let isNew = false;

  const set = (next: Partial<Saving<T>>): void => {
    state = { ...state, ...next };
    for (const hear of listeners) {
      hear();
    }
  };
  const plan = (ms: number): void => {
    clearTimeout(timer);
    timer = setTimeout(() => void flush(), ms);
  };
  const markStored = (patch: Partial<T>): void => {
    // What was changed while it was under way has another value by now.
    const unsaved = Object.fromEntries(Object.entries(state.unsaved).filter(([name, value]) => !isSame(patch, name, value))) as Partial<T>;
    set({ unsaved, savedAt: new Date(), version: state.version + 1 });
  };
  /** Sends members together; where some are refused, the others without them. Returns the error of those that are not stored. */
  const store = async (patch: Partial<T>): Promise<unknown> => {
    try {
      await send(patch);
      markStored(patch);
      return undefined;
    } catch (error) {
      const rest = apart(patch, error);
      const errors = await rest.reduce<Promise<unknown[]>>(
        async (before, one) => [...(await before), await store(one)],
        Promise.resolve([]),
      );
      return errors.find((one) => one !== undefined && isOutage(one)) ?? error;
    }
  };
  const run = async (): Promise<void> => {
    set({ isSaving: true });
    let error: unknown;
    do {
      isNew = false;
      error = await store(state.unsaved);
    } while (isNew);
    const isDone = Object.keys(state.unsaved).length === 0;
    set({ isSaving: false, error: isDone ? undefined : error });
    if (isDone || !isOutage(error)) {
      tries = 0;
    } else {
      plan(Math.min(longestMs, 1000 * 2 ** tries));
      tries += 1;
    }
  };
  const flush = (): Promise<void> => {
    clearTimeout(timer);
    if (running === undefined && Object.keys(state.unsaved).length > 0) {
      running = run().finally(() => {
        running = undefined;
      });
    }
    return running ?? Promise.resolve();
  };
  return {
    change(patch) {
      isNew = true;
      set({ unsaved: { ...state.unsaved, ...patch } });
      plan(restMs);
    },
    flush,
    touch: () => set({ savedAt: new Date(), version: state.version + 1 }),
    read: () => state,
    listen(hear) {
      listeners.add(hear);
      return () => listeners.delete(hear);
    },
  };
}

function isSame<T>(patch: Partial<T>, name: string, value: unknown): boolean {
  return name in patch && patch[name as keyof T] === value;
}

/** True if another try may well succeed: nobody said that the values are wrong. */
function isOutage(error: unknown): boolean {
  return !(error instanceof ClientError) || error.status === 0 || error.status === 429 || error.status >= 500;
}

/** What to send of a refused patch without the rest: the members that the refusal does not name, or each by itself where it names none. */
function apart<T extends object>(patch: Partial<T>, error: unknown): Partial<T>[] {
  const names = Object.keys(patch) as (keyof T)[];
  if (names.length < 2 || isOutage(error) || !(error instanceof ClientError) || error.status === 401) {
    return [];
  }
  const pieces = error.violations.flatMap(({ field }) => field.split(/[.[]/));
  const others = names.filter((name) => !pieces.includes(String(name)));
  const pick = (wanted: readonly (keyof T)[]) => Object.fromEntries(wanted.map((name) => [name, patch[name]])) as Partial<T>;
  return others.length === names.length ? names.map((name) => pick([name])) : others.length === 0 ? [] : [pick(others)];
}
