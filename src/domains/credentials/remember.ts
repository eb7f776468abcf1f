/**
 * A bounded memory of answers from the database, each kept for a few seconds from the moment it was asked for. No rule is here.
 */

/** What is remembered by key. */
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
  const entries = new Map<string, Entry>();

  function start(key: string, load: () => Promise<V>): Promise<V> {
    const entry: Entry = { since: options.now(), value: undefined, loading: undefined };
    entries.delete(key);
    entries.set(key, entry);
    if (entries.size > options.max) {
      const [oldest] = entries.keys();
      entries.delete(oldest ?? '');
    }
    const loading = load();
    entry.loading = loading;
    loading.then(
      (value) => {
        entry.value = value;
        entry.loading = undefined;
      },
      () => {
        if (entries.get(key) === entry) {
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
      // Back to the end: the first of a Map is the one to go.
      entries.delete(key);
      entries.set(key, entry);
      return entry.loading ?? (entry.value as V);
    },
    forget: (key) => {
      entries.delete(key);
    },
  };
}
