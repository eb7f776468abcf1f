/**
 * Saving an object while it is edited: what was changed shows at once and is sent after a short rest, one call at a time. What could not be stored
 * waits and goes with the next call, so that nothing counts as saved which the server lacks. What the server refuses holds nothing else up. Of a member
 * that somebody else changed since it was read nothing is sent until the person says which of the two it is to be.
 */
import { ClientError } from '../../../src/client/error.ts';
import { readChange } from './change.ts';

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
  /** Refusal of what somebody else changed first, which waits for a word of the person; undefined where nothing waits. */
  readonly stale: unknown;
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
  /** Gives up what was written of the members that somebody else changed first. */
  takeTheirs(): void;
  /** Sends it all the same, on top of what stands now. */
  putOnTop(): Promise<void>;
  /** Something beside the object itself was stored. */
  touch(): void;
  read(): Saving<T>;
  listen(hear: () => void): () => void;
}

/** Where an object is stored. */
export interface Store<T> {
  /** Stores members, with what was read of them. Its promise fails where they could not be stored. */
  send(patch: Partial<T>, asRead: Partial<T>): Promise<unknown>;
  /** The object as it is known to stand: after a call that was answered, also by a refusal, as it is then. */
  stored(): Partial<T>;
}

/** Makes a saver. */
export function createSaver<T extends object>({ send, stored }: Store<T>): Saver<T> {
  let state: Saving<T> = { unsaved: {}, isSaving: false, error: undefined, stale: undefined, savedAt: undefined, version: 0 };
  /** What was read of the members that are not stored, before they were changed. */
  let asRead: Partial<T> = {};
  /** Members that wait for a word of the person. */
  let held: readonly (keyof T)[] = [];
  /** What was sent without an answer: it may stand by now. */
  let unanswered: Partial<T>[] = [];
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
  const pick = (from: Partial<T>, names: readonly (keyof T)[]) => Object.fromEntries(names.map((name) => [name, from[name]])) as Partial<T>;
  const namesOf = (from: Partial<T>) => Object.keys(from) as (keyof T)[];
  /** What is to be sent: all but what waits for a word. */
  const waiting = (): Partial<T> =>
    pick(
      state.unsaved,
      namesOf(state.unsaved).filter((name) => !held.includes(name)),
    );
  const markStored = (patch: Partial<T>): void => {
    // What was changed while it was under way has another value by now, and is a change of what was just stored.
    const unsaved = Object.fromEntries(Object.entries(state.unsaved).filter(([name, value]) => !isSame(patch, name, value))) as Partial<T>;
    asRead = {
      ...pick(asRead, namesOf(unsaved)),
      ...pick(
        stored(),
        namesOf(unsaved).filter((name) => name in patch),
      ),
    };
    set({ unsaved, savedAt: new Date(), version: state.version + 1 });
  };
  /** Of the members that are not as they were read, those that are as they were sent from here: their answer was lost. */
  const readLost = (names: readonly (keyof T)[]): (keyof T)[] => {
    const now = stored();
    return names.filter((name) => unanswered.some((sent) => name in sent && JSON.stringify(sent[name]) === JSON.stringify(now[name])));
  };
  /** Sends members together; where some are refused, the others without them. Returns the error of those that are not stored. */
  const store = async (patch: Partial<T>): Promise<unknown> => {
    try {
      await send(patch, pick(asRead, namesOf(patch)));
      unanswered = [];
      markStored(patch);
      return undefined;
    } catch (error) {
      const changed = readChange(error)?.members.filter((name): name is string & keyof T => name in patch) ?? [];
      if (changed.length > 0) {
        const own = readLost(changed);
        asRead = { ...asRead, ...pick(stored(), own) };
        held = [...held, ...changed.filter((name) => !own.includes(name))];
        set({ stale: held.length > 0 ? error : undefined });
        const rest = namesOf(patch).filter((name) => !held.includes(name));
        return rest.length === 0 ? undefined : store(pick(state.unsaved, rest));
      }
      if (isOutage(error)) {
        unanswered.push(patch);
      }
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
      const patch = waiting();
      error = Object.keys(patch).length === 0 ? undefined : await store(patch);
    } while (isNew);
    const isDone = Object.keys(waiting()).length === 0;
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
    if (running === undefined && Object.keys(waiting()).length > 0) {
      running = run().finally(() => {
        running = undefined;
      });
    }
    return running ?? Promise.resolve();
  };
  /** The members that waited for a word, which wait no longer. */
  const release = (): readonly (keyof T)[] => {
    const names = held;
    held = [];
    return names;
  };
  return {
    change(patch) {
      isNew = true;
      asRead = { ...pick(stored(), namesOf(patch)), ...asRead };
      set({ unsaved: { ...state.unsaved, ...patch } });
      plan(restMs);
    },
    flush,
    takeTheirs() {
      const names = release();
      const kept = namesOf(state.unsaved).filter((name) => !names.includes(name));
      asRead = pick(asRead, kept);
      set({ unsaved: pick(state.unsaved, kept), stale: undefined, version: state.version + 1 });
    },
    putOnTop() {
      asRead = { ...asRead, ...pick(stored(), release()) };
      isNew = true;
      set({ stale: undefined });
      return flush();
    },
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
