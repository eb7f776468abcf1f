/**
 * A bounded memory of answers from the database, each kept for a few seconds from the moment it was asked for. Which ones go when there are
 * too many is lru-cache's business; how old they may be, and that one load serves all who wait for it, is here. No rule is.
 */
import { LRUCache } from 'lru-cache';

/** Values remembered by key. */
export interface Memory<V> {
  /** The answer, from memory where it is young enough; who asks while it is being loaded waits for the same load. */
  get(key: string, load: () => Promise<V>): V | Promise<V>;
  forget(key: string): void;
}

/**
 * Makes a memory. An answer counts from the start of its load, so it is never older than `keepMs`; a failed load is not kept. The
 * least recently used go when there are more than `max`.
 */
export function createMemory<V>(options: { keepMs: number; max: number; now: () => number }): Memory<V> {
  type Entry = { since: number; value: V | undefined; loading: Promise<V> | undefined };
  const entries = new LRUCache<string, Entry>({ max: options.max });

  function start(key: string, load: () => Promise<V>): Promise<V> {
    const entry: Entry = { since: options.now(), value: undefined, loading: undefined };
    entries.set(key, entry);
    const loading = load();
    entry.loading = loading;
    loading.then(
      (value) => {
        entry.value = value;
        entry.loading = undefined;
      },
      () => {
        if (entries.peek(key) === entry) {
          entries.delete(key);
        }
      },
    );
    return loading;
  }

  return {
    get(key, load) {
      const entry = entries.get(key);
      if (entry === undefined || options.now() - entry.since >= options.keepMs || options.now() < entry.since) {
        return start(key, load);
      }
      return entry.loading ?? (entry.value as V);
    },
    forget: (key) => {
      entries.delete(key);
    },
  };
}
