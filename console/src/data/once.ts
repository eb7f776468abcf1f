/** Sending once: the same asked for again while it is under way is left out, however it was asked for: a key, a double click, two controls. */

/** Runs work under a key; nothing runs, and undefined returns, while work under the same key is under way. */
export type Once = <R>(key: string, work: () => Promise<R>) => Promise<R> | undefined;

/** Makes a guard. It knows at once what is under way, before anything is drawn. */
export function createOnce(): Once {
  const underway = new Set<string>();
  return (key, work) => {
    if (underway.has(key)) {
      return undefined;
    }
    underway.add(key);
    return work().finally(() => underway.delete(key));
  };
}
